() => {
  // Where the parts of a table are that must be in sight and must not move: by name, [left, top, right, bottom].
  const PARTS = {
    hand: ".hand", mat: ".mat", board: ".area .board", prompt: ".prompt", conditions: ".match-screen dl",
    rows: ".rows", choices: ".choices", chosen: ".chosen-cards", rail: ".right.rail", tools: "nav.strip", slip: ".slip",
  };
  const box = (one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return [left, top, right, bottom].map((n) => Math.round(n * 10) / 10);
  };
  const isShown = (one) => one.getBoundingClientRect().width > 0;
  const found = {};
  for (const [name, selector] of Object.entries(PARTS)) {
    const one = [...document.querySelectorAll(selector)].find(isShown);
    if (one) found[name] = box(one);
  }
  const names = [...document.querySelectorAll(".seat .name, .row-of-piles b")].filter(isShown).map((one) => ({
    text: one.textContent,
    size: parseFloat(getComputedStyle(one).fontSize),
    isCut: one.scrollWidth > one.clientWidth + 1,
  }));
  const all = (selector) => [...document.querySelectorAll(selector)].filter(isShown).map(box);
  const row = document.querySelector("[data-cell].hinted")?.closest(".cells");
  const meant = row ? [...row.querySelectorAll(".cell:not(.covered)")].map(box) : [];
  return { parts: found, names, played: all(".spot.played"), spots: all(".spot > :first-child"), meant, scrolls: document.documentElement.scrollHeight - innerHeight };
}
