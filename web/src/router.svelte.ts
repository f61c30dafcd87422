// Routes: plain paths. The server (or the service worker) answers each of them with the same page.

let path = $state(location.pathname);
let hash = $state(location.hash);

export const route = {
  get path(): string {
    return path;
  },
  get parts(): string[] {
    return path.split("/").filter(Boolean).map(decodeURIComponent);
  },
  get hash(): string {
    return decodeURIComponent(hash.slice(1));
  },
};

/** The parts of a page's own route: they stay as they were while the next page, which has another first part, loads. */
export function partsOf(first: string): { readonly parts: string[] } {
  let last = route.parts;
  return {
    get parts(): string[] {
      const now = route.parts;
      if (now[0] === first) last = now;
      return last;
    },
  };
}

function read(): void {
  path = location.pathname;
  hash = location.hash;
}

export function go(to: string, options: { replace?: boolean } = {}): void {
  history[options.replace ? "replaceState" : "pushState"]({}, "", to);
  read();
  if (!location.hash) scrollTo(0, 0);
}

/**
 * While something covers the page, Back closes it instead of leaving the page. To be called when it opens; what it
 * returns, when it is closed.
 */
export function holdBack(onback: () => void): () => void {
  history.pushState({ isCovered: true }, "");
  addEventListener("popstate", onback);
  return () => {
    removeEventListener("popstate", onback);
    // After Back, or on another page, the entry is not the last one any more.
    if ((history.state as { isCovered?: boolean } | null)?.isCovered) history.back();
  };
}

/** Follows a plain link inside the page without loading the page again. */
function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (link.pathname === location.pathname && link.hash) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}

export function startRouter(): void {
  addEventListener("popstate", read);
  addEventListener("hashchange", read);
  document.addEventListener("click", follow);
}
