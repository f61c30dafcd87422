(selector) => {
  // From what has the focus to what is wanted by arrow keys: rows down and places to the right; null: not in its group.
  const here = document.activeElement;
  if (here?.matches(selector)) return [0, 0];
  const group = here?.parentElement?.closest(".hand, .board");
  const there = group?.querySelector(selector);
  if (!group || !there) return null;
  const at = (one) => (one.dataset.at ?? "").split(" ").map(Number);
  if (here.dataset.at) return [at(there)[0] - at(here)[0], at(there)[1] - at(here)[1]];
  const all = [...group.querySelectorAll("button")];
  return [0, all.indexOf(there) - all.indexOf(here)];
}
