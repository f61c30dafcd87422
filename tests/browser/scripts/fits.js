() => {
  // What sticks out to the right of a page that is wider than its window: the innermost few, by tag and class.
  const room = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= room) return [];
  const wide = [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > room + 0.5);
  const told = wide.filter((one) => ![...one.children].some((child) => wide.includes(child)));
  const name = (one) => `${one.localName}.${one.getAttribute("class") ?? ""} to ${Math.round(one.getBoundingClientRect().right)}`;
  return [`${document.querySelector("[data-phase]")?.dataset.phase ?? ""} ${room}`, ...told.slice(0, 5).map(name)];
}
