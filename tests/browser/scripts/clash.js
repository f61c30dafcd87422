() => {
  // Small things of a table that lie on each other: flags on the trick's number, on each other and on others' marks; a
  // player's total on the piles; the rings of neighbours who are both asked.
  const isShown = (one) => one.getBoundingClientRect().width > 1 && !one.closest(".sr");
  const all = (selector, within = document) => [...within.querySelectorAll(selector)].filter(isShown);
  const inkOf = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getBoundingClientRect();
  };
  const meet = (a, b, by = 1) => a.left < b.right - by && b.left < a.right - by && a.top < b.bottom - by && b.top < a.bottom - by;
  const found = [];
  const flags = all(".spot .flag");
  for (const flag of flags) {
    const box = flag.getBoundingClientRect();
    const name = `the flag "${flag.textContent.trim()}"`;
    for (const text of all(".hub > *")) if (meet(box, inkOf(text))) found.push(`${name} lies on "${text.textContent}"`);
    for (const mark of all(".spot .by")) if (!flag.parentElement.contains(mark) && meet(box, mark.getBoundingClientRect(), 3)) found.push(`${name} lies on the mark of another`);
    for (const other of flags) if (other !== flag && meet(box, other.getBoundingClientRect())) found.push(`${name} lies on another flag`);
  }
  for (const row of all(".row-of-piles"))
    for (const total of all("small", row))
      for (const piles of all("ul", row)) if (inkOf(total.firstChild).right > piles.getBoundingClientRect().left) found.push(`"${total.textContent.trim()}" lies on the piles`);
  const rings = all(".plates .seat.turn").map((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const out = -parseFloat(getComputedStyle(one, "::after").left) - parseFloat(getComputedStyle(one).borderLeftWidth);
    return { left: left - out, right: right + out, top, bottom };
  });
  rings.forEach((ring, i) => rings.slice(i + 1).forEach((other) => meet(ring, other, 0) && found.push("the rings of two players meet")));
  return [...new Set(found)];
}
