() => {
  // What the table shows, and what it offers to whoever sits at it.
  const phase = document.querySelector("[data-phase]")?.dataset.phase ?? "";
  const all = (name) => [...document.querySelectorAll(`[data-${name}]:not([aria-disabled="true"])`)];
  const kind = phase === "veto" ? "cell" : phase === "team" || phase === "double" ? "choice" : "card";
  const isSecret = document.querySelector(".chosen-cards") !== null;
  const needed = isSecret ? document.querySelectorAll(".chosen-cards .place").length : 1;
  return { phase, options: all(kind).map((one) => one.dataset[kind]), needed };
}
