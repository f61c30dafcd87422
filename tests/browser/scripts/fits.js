async () => {
  // What sticks out to the right of a page that is wider than its window: the innermost few, by tag and class.
  // The page cuts off what comes flying in from beside it. Here nothing is cut off, and nothing flies any more.
  const ends = document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime < Infinity);
  await Promise.allSettled(ends.map((one) => one.finished));
  const main = document.querySelector("main");
  main.style.overflowX = "visible";
  const room = document.documentElement.clientWidth;
  const isWide = document.documentElement.scrollWidth > room;
  const wide = [...document.querySelectorAll("body *")].filter((one) => isWide && one.getBoundingClientRect().right > room + 0.5);
  main.style.overflowX = "";
  if (!isWide) return [];
  const told = wide.filter((one) => ![...one.children].some((child) => wide.includes(child)));
  const name = (one) => {
    const { left, right } = one.getBoundingClientRect();
    return `${one.localName}.${one.getAttribute("class") ?? ""} ${Math.round(left)} to ${Math.round(right)}: ${one.textContent.trim().slice(0, 40)}`;
  };
  return [`${document.querySelector("[data-phase]")?.dataset.phase ?? ""} ${room}`, ...told.slice(0, 5).map(name)];
}
