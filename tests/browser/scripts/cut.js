() => {
  // Texts of the table that a box cuts off, with what hangs below a line and the accents above it, and tags over names.
  const pen = document.createElement("canvas").getContext("2d");
  const inkOf = (one, box, text) => {
    const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(one);
    pen.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
    const size = pen.measureText(text);
    const above = size.fontBoundingBoxAscent / (size.fontBoundingBoxAscent + size.fontBoundingBoxDescent);
    const line = box.top + box.height * above;
    return { left: box.left, right: box.right, top: line - size.actualBoundingBoxAscent, bottom: line + size.actualBoundingBoxDescent };
  };
  const boxesOf = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].filter((box) => box.width > 1 && box.height > 1);
  };
  const isShown = (one) => one.getBoundingClientRect().width > 1;
  const isForReaders = (one) => one.closest(".sr") !== null || getComputedStyle(one).clipPath.startsWith("inset");
  const cutBy = (ink, box) => {
    const { overflowX, overflowY } = getComputedStyle(box);
    const room = box.getBoundingClientRect();
    return (
      (overflowX !== "visible" && (ink.left < room.left - 1 || ink.right > room.right + 1)) ||
      (overflowY !== "visible" && (ink.top < room.top - 1 || ink.bottom > room.bottom + 1))
    );
  };
  const found = [];
  const SELECTOR = ".prompt h2, .prompt .note, .seat .name, .seat .side i, .seat .sub > span:not(:has(*)), .seat .sub .count > span[aria-hidden], .row-of-piles b, .cell .was, .choices .words";
  for (const one of [...document.querySelectorAll(SELECTOR)].filter(isShown)) {
    if (isForReaders(one)) continue;
    const isName = one.matches(".name, b");
    for (const box of boxesOf(one)) {
      const ink = inkOf(one, box, isName ? "Égy" : one.textContent);
      for (let outer = one; outer.matches(".match-screen *"); outer = outer.parentElement)
        if (cutBy(ink, outer)) found.push(`"${one.textContent.trim()}" is cut by ${outer.localName}.${outer.className}`);
    }
  }
  const names = [...document.querySelectorAll(".seat .name")].filter(isShown);
  for (const tag of [...document.querySelectorAll(".seat .side, .seat .tag")].filter(isShown))
    for (const name of names)
      for (const box of boxesOf(name)) {
        const over = tag.getBoundingClientRect();
        const ink = inkOf(name, box, "Égy");
        if (over.left < ink.right && ink.left < over.right && over.top < ink.bottom - 1 && ink.top < over.bottom - 1)
          found.push(`"${tag.textContent}" covers "${name.textContent}"`);
      }
  return [...new Set(found)];
}
