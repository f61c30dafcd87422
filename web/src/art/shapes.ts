// All drawings as SVG text for one sprite, drawn for Atout.
import type { Character, SymbolName } from "./suits";

const ray = (i: number) => `<path d="M12 .2 15 5.1a7.6 7.6 0 0 0-6 0Z" transform="rotate(${i * 45} 12 12)"/>`;

/** 24 × 24, in the current colour. */
export const SUIT_SHAPES: Record<SymbolName, string> = {
  flame: `<path d="M12.6.6c.6 4.4 7.9 7.4 7.9 14.6 0 4.8-3.8 8.2-8.5 8.2s-8.5-3.4-8.5-8.2c0-4.2 2.3-6.4 3.3-9.9 1.9 1 3 2.5 3.4 4.3C12 7.4 12.9 4 12.6.6Zm-.4 12.6c-1.7 2-3.3 3-3.3 5.1 0 1.8 1.4 3.1 3.2 3.1s3.2-1.3 3.2-3.1c0-2.1-1.9-2.9-3.1-5.1Z" fill-rule="evenodd"/>`,
  sun: `<circle cx="12" cy="12" r="5.4"/>${[0, 1, 2, 3, 4, 5, 6, 7].map(ray).join("")}`,
  wave: `<g fill="none" stroke="currentColor" stroke-width="4.3"><path d="M.6 7.6c2.9-4.6 7-4.6 11.4-1.3s8.5 3.3 11.4-1.3"/><path d="M.6 19c2.9-4.6 7-4.6 11.4-1.3s8.5 3.3 11.4-1.3"/></g>`,
  leaf: `<path d="M2.6 18.9C.2 8.6 8.2.9 22.6 1.1L4.8 18.9 2.6 21Z"/><path d="M5.1 21.4C15.4 23.8 23.1 15.8 22.9 1.4L7.4 16.9 2 22.3Z" transform="translate(.9 .9)"/>`,
  stone: `<path d="M6.5 1.8h11L23.6 9H.4Z"/><path d="M.8 11h6.7l3.7 11.5ZM9.6 11h4.8L12 19ZM16.5 11h6.7L12.8 22.5Z"/>`,
  moon: `<path d="M14.8.9A11.3 11.3 0 1 0 23 16.3 9.3 9.3 0 0 1 14.8.9Z"/>`,
};

/** 64 × 64. --f: the animal, --b: its background, --s: its shaded half. */
export const AVATAR_SHAPES: Record<Character, string> = {
  bear: `<g fill="var(--f)"><circle cx="15.5" cy="18" r="10"/><circle cx="48.5" cy="18" r="10"/><circle cx="32" cy="35" r="24"/></g>
    <path d="M32 11a24 24 0 0 1 0 48Z" fill="var(--s)"/><path d="M48.5 8a10 10 0 0 1 6.3 17.8A24 24 0 0 0 41.7 13a10 10 0 0 1 6.8-5Z" fill="var(--s)"/>
    <g fill="var(--b)"><circle cx="15" cy="17.5" r="4.2"/><circle cx="49" cy="17.5" r="4.2"/><circle cx="22" cy="31" r="3.2"/><circle cx="42" cy="31" r="3.2"/><path d="M24 40a8 6 0 0 1 16 0l-8 9.5Z"/><path d="M30.6 47h2.8v7h-2.8Z"/></g>`,
  wolf: `<path d="M7 3 24 18h16L57 3l2 31-8 3 2 8-9 1-12 16-12-16-9-1 2-8-8-3Z" fill="var(--f)"/>
    <path d="M32 18h8L57 3l2 31-8 3 2 8-9 1-12 16Z" fill="var(--s)"/>
    <g fill="var(--b)"><path d="m12 13 8 8-8 7Z"/><path d="m52 13-8 8 8 7Z"/><path d="m16 31 13 5-10 4Z"/><path d="m48 31-13 5 10 4Z"/><path d="M26 49h12l-6 9Z"/></g>`,
  crane: `<g fill="none" stroke="var(--f)" stroke-width="3"><path d="M27 40v24"/><path d="M33 40l6 8.5-10 6.5" stroke="var(--s)"/></g>
    <path d="M38 30c9-1.5 10.5-9.5 5-14.5-4.5-4-3.5-9 1-10" fill="none" stroke="var(--f)" stroke-width="5.2"/>
    <path d="M2 45 15 28c6-7.5 19-8.5 25-2 5.5 6.5 2 15-7 16.5C23 44.5 12 44 2 45Z" fill="var(--f)"/><path d="M2 45 40.5 33c.6 4.5-2.3 8.5-7.5 9.5C23 44.5 12 44 2 45Z" fill="var(--s)"/>
    <circle cx="45.5" cy="7" r="5.6" fill="var(--f)"/><path d="M49 3.2 64 10.5 48.5 11Z" fill="var(--s)"/><circle cx="46.5" cy="6.4" r="1.5" fill="var(--b)"/><path d="M40 5.8a5.6 5.6 0 0 1 6-4.4Z" fill="var(--b)"/>`,
  tiger: `<g fill="var(--f)"><circle cx="14" cy="16" r="8.5"/><circle cx="50" cy="16" r="8.5"/><path d="M32 8c17 0 26 10 26 25 0 7-3 12-7 16l-9 10H22l-9-10c-4-4-7-9-7-16C6 18 15 8 32 8Z"/></g>
    <path d="M32 8c17 0 26 10 26 25 0 7-3 12-7 16l-9 10H32Z" fill="var(--s)"/>
    <g fill="var(--b)"><circle cx="13.5" cy="15.5" r="3.4"/><circle cx="50.5" cy="15.5" r="3.4"/><path d="M28 6h8l-4 20Z"/><path d="m17 10 8-3 2.5 15Z"/><path d="m47 10-8-3-2.5 15Z"/><path d="m4 35 15 6-13 3Z"/><path d="m60 35-15 6 13 3Z"/><path d="m9 48 12-1-7 6Z"/><path d="m55 48-12-1 7 6Z"/><path d="m17 29 12 4-9 3Z"/><path d="m47 29-12 4 9 3Z"/><path d="M25 43h14l-7 8Z"/></g>`,
  eagle: `<path d="M10 61V31C10 15 21 5 35 5c11 0 18 6 19 15l6 4c4 8 2 15-2 20-2-5-6-8-13-8h-4c0 9 4 16 11 23l-9-2-3 7-7-8-6 7-5-8-6 7Z" fill="var(--f)"/>
    <path d="M45 18 54 20l6 4c4 8 2 15-2 20-2-5-6-8-13-8Z" fill="var(--s)"/><path d="M10 61V31c0-3 .4-6 1.2-8.5L26 40v17l-4-2-6 7Z" fill="var(--s)"/>
    <g fill="var(--b)"><path d="m27 17 18 4-11 6Z"/><path d="m46 27 11 1-10 2.5Z"/></g>`,
  owl: `<path d="M8 3 22 12h20L56 3l2 29c0 19-11 30-26 30S6 51 6 32Z" fill="var(--f)"/><path d="M32 12h10L56 3l2 29c0 19-11 30-26 30Z" fill="var(--s)"/>
    <g fill="var(--b)"><circle cx="20" cy="28" r="9.4"/><circle cx="44" cy="28" r="9.4"/><path d="M32 31.5 38 38l-6 9-6-9Z"/><path d="m24 51 4 4-4 4-4-4Zm16 0 4 4-4 4-4-4Z"/></g><circle cx="20" cy="28" r="4.2" fill="var(--f)"/><circle cx="44" cy="28" r="4.2" fill="var(--s)"/>`,
};

/** Icons as [viewBox, drawing]. */
export const ICON_SHAPES = {
  trump: ["0 0 24 22", `<path d="M12 0 24 22h-7.3l-1.4-2.8H8.7L7.3 22H0Z" fill="currentColor"/>`],
  super: [
    "0 0 44 22",
    `<path d="M10.5 1 21 22h-6l-1.3-2.8H7.3L6 22H0Z" fill="currentColor"/><path d="M33.5 1 44 22h-6l-1.3-2.8h-6.4L29 22h-6Z" fill="currentColor"/>`,
  ],
  tricks: [
    "0 0 24 24",
    `<path d="m3.5 6.5 9-4.3 7.5 15.5-9 4.3Z" fill="none" stroke="currentColor" stroke-width="2.2"/><path d="M14.5 2.5H21v15" fill="none" stroke="currentColor" stroke-width="2.2"/>`,
  ],
  loot: [
    "0 0 24 24",
    `<rect x="4" y="1.5" width="16" height="21" rx="2.5" fill="none" stroke="currentColor" stroke-width="2.2"/><circle cx="12" cy="12" r="4.6" fill="currentColor"/>`,
  ],
  hand: [
    "0 0 24 24",
    `<path d="M2 6.5 8 4l5.5 14L8 20.5Z" fill="currentColor" opacity=".45"/><rect x="10" y="3.5" width="10" height="16.5" rx="1.5" fill="currentColor"/>`,
  ],
  bot: [
    "0 0 24 24",
    `<path d="M11 1h2v4h7v12H4V5h7Z" fill="currentColor"/><path d="M7.5 9h3v4h-3Zm6 0h3v4h-3Z" fill="var(--hole, var(--sheet))"/><path d="M8 19h8v3H8Z" fill="currentColor"/>`,
  ],
  away: [
    "0 0 24 24",
    `<path d="M3 12a9 9 0 0 1 15-6.7M21 12a9 9 0 0 1-15 6.7M2 2l20 20" fill="none" stroke="currentColor" stroke-width="2.6"/>`,
  ],
  hint: [
    "0 0 24 24",
    `<path d="M12 1.5a7.5 7.5 0 0 0-4 13.8V18h8v-2.7a7.5 7.5 0 0 0-4-13.8ZM8.5 20h7v2.5h-7Z" fill="currentColor"/>`,
  ],
  back: ["0 0 24 24", `<path d="M14.5 4 6.5 12l8 8" fill="none" stroke="currentColor" stroke-width="3"/>`],
  next: ["0 0 24 24", `<path d="m9.5 4 8 8-8 8" fill="none" stroke="currentColor" stroke-width="3"/>`],
  first: ["0 0 24 24", `<path d="M5 4v16M18.5 4l-8 8 8 8" fill="none" stroke="currentColor" stroke-width="3"/>`],
  last: ["0 0 24 24", `<path d="M19 4v16M5.5 4l8 8-8 8" fill="none" stroke="currentColor" stroke-width="3"/>`],
  rewind: [
    "0 0 24 24",
    `<path d="m11 4-8 8 8 8M20.500 4l-8 8 8 8" fill="none" stroke="currentColor" stroke-width="3"/>`,
  ],
  forward: [
    "0 0 24 24",
    `<path d="m13 4 8 8-8 8M3.500 4l8 8-8 8" fill="none" stroke="currentColor" stroke-width="3"/>`,
  ],
  play: ["0 0 24 24", `<path d="M7 3.500 20 12 7 20.500Z" fill="currentColor"/>`],
  pause: ["0 0 24 24", `<path d="M5.500 4H10v16H5.500ZM14 4h4.500v16H14Z" fill="currentColor"/>`],
  undo: [
    "0 0 24 24",
    `<path d="M9 4 4 9l5 5M4.5 9H14a5.5 5.5 0 0 1 0 11H8" fill="none" stroke="currentColor" stroke-width="2.6"/>`,
  ],
  menu: ["0 0 24 24", `<path d="M3 6h18M3 12h18M3 18h18" stroke="currentColor" stroke-width="2.8"/>`],
  close: ["0 0 24 24", `<path d="m5 5 14 14M19 5 5 19" stroke="currentColor" stroke-width="3"/>`],
  chat: ["0 0 24 24", `<path d="M2 3h20v14H11l-5 5v-5H2Z" fill="none" stroke="currentColor" stroke-width="2.4"/>`],
  log: ["0 0 24 24", `<path d="M4 5h2M9 5h12M4 12h2M9 12h12M4 19h2M9 19h8" stroke="currentColor" stroke-width="2.6"/>`],
  gear: [
    "0 0 24 24",
    `<path d="M4 7h9M19 7h1M4 17h1M11 17h9" stroke="currentColor" stroke-width="2.6"/><circle cx="16" cy="7" r="3" fill="none" stroke="currentColor" stroke-width="2.4"/><circle cx="8" cy="17" r="3" fill="none" stroke="currentColor" stroke-width="2.4"/>`,
  ],
  up: ["0 0 24 24", `<path d="m4 16 8-8 8 8" fill="none" stroke="currentColor" stroke-width="3"/>`],
  left: ["0 0 24 24", `<path d="M11 4 3 12l8 8M4 12h18" fill="none" stroke="currentColor" stroke-width="3.4"/>`],
  check: ["0 0 24 24", `<path d="m3 12.5 6 6L21 5.5" fill="none" stroke="currentColor" stroke-width="3.6"/>`],
  arrow: [
    "0 0 24 24",
    `<path d="M3 12h17M13 4.5l7.5 7.5-7.5 7.5" fill="none" stroke="currentColor" stroke-width="3.2"/>`,
  ],
  day: [
    "0 0 24 24",
    `<path d="M3 5h18v16H3Z" fill="none" stroke="currentColor" stroke-width="2.4"/><path d="M3 5h18v6H3Z" fill="currentColor"/><path d="M8 1.5V6M16 1.5V6" stroke="currentColor" stroke-width="2.4"/>`,
  ],
  crown: ["0 0 24 24", `<path d="M2 6.5 7.5 11 12 3l4.5 8L22 6.5 20 20H4Z" fill="currentColor"/>`],
  search: [
    "0 0 24 24",
    `<circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" stroke-width="2.8"/><path d="m15 15 7 7" stroke="currentColor" stroke-width="3"/>`,
  ],
  copy: [
    "0 0 24 24",
    `<path d="M8.5 8.5h13v13h-13Z" fill="none" stroke="currentColor" stroke-width="2.4"/><path d="M15.5 4.5v-2h-13v13h2" fill="none" stroke="currentColor" stroke-width="2.4"/>`,
  ],
  plus: ["0 0 24 24", `<path d="M12 3v18M3 12h18" stroke="currentColor" stroke-width="3.2"/>`],
  pencil: [
    "0 0 24 24",
    `<path d="M3 21v-5L16 3l5 5L8 21Z" fill="none" stroke="currentColor" stroke-width="2.4"/><path d="m13 6 5 5" stroke="currentColor" stroke-width="2.4"/>`,
  ],
  trash: [
    "0 0 24 24",
    `<path d="M3 6h18M9 6V2.5h6V6M5.5 6l1 15.5h11l1-15.5M10 10.5v7M14 10.5v7" fill="none" stroke="currentColor" stroke-width="2.2"/>`,
  ],
  save: ["0 0 24 24", `<path d="M12 2v13M6 10l6 6 6-6M3 21h18" fill="none" stroke="currentColor" stroke-width="2.8"/>`],
  open: ["0 0 24 24", `<path d="M12 16V3M6 8l6-6 6 6M3 21h18" fill="none" stroke="currentColor" stroke-width="2.8"/>`],
  people: [
    "0 0 24 24",
    `<circle cx="8.500" cy="7" r="4" fill="none" stroke="currentColor" stroke-width="2.400"/><path d="M1.500 21v-2c0-3 2.500-5 7-5s7 2 7 5v2" fill="none" stroke="currentColor" stroke-width="2.400"/><path d="M15.500 3.200a4 4 0 0 1 0 7.600M18.500 14.500c2.700.7 4 2.300 4 4.500v2" fill="none" stroke="currentColor" stroke-width="2.400"/>`,
  ],
  eye: [
    "0 0 24 24",
    `<path d="M1.5 12C4 7.5 8 5 12 5s8 2.5 10.5 7c-2.5 4.5-6.500 7-10.5 7S4 16.500 1.5 12Z" fill="none" stroke="currentColor" stroke-width="2.4"/><circle cx="12" cy="12" r="3.5" fill="currentColor"/>`,
  ],
  print: [
    "0 0 24 24",
    `<path d="M6.5 8V2h11v6M6.5 17H3V8h18v9h-3.5" fill="none" stroke="currentColor" stroke-width="2.4"/><path d="M6.5 13.5h11V22h-11Z" fill="none" stroke="currentColor" stroke-width="2.4"/>`,
  ],
  sound: [
    "0 0 24 24",
    `<path d="M2 8.5h5L13 3v18l-6-5.5H2Z" fill="currentColor"/><path d="M16.5 8a5.5 5.5 0 0 1 0 8M19 4.5a10 10 0 0 1 0 15" fill="none" stroke="currentColor" stroke-width="2.4"/>`,
  ],
} as const satisfies Record<string, readonly [string, string]>;
export type IconName = keyof typeof ICON_SHAPES;

/** Letters of the logo and of the veto marker: advance width and outline, cap height 40. */
const LETTERS: Record<string, readonly [number, string]> = {
  N: [29, "M0 40V0h9.5L19.3 22V0H29v40h-9.3L9.7 18v22Z"],
  J: [22, "M12.5 0H22v28.5C22 36.7 17.6 41 10.5 41S-.6 36.8-.6 30.3V26h9.2v4c0 2 .6 3 1.9 3s2-1 2-3.3Z"],
  E: [22, "M0 0h22v8.7H9.5v6.8h10.8v8.7H9.5v7.1H22V40H0Z"],
  T: [25, "M0 0h25v9h-7.7v31H7.7V9H0Z"],
  "!": [10.5, "M0 0h10.5L8.3 26.5H2.2ZM.6 30.5h9.3V40H.6Z"],
  A: [42, "M21 0 42 40H29.2l-2.4-5H15.2l-2.4 5H0Z"],
  O: [42, "M21-1a21 21 0 1 1 0 42 21 21 0 1 1 0-42Zm0 12.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 1 0 0-17Z"],
  U: [34, "M0 0h12v23.5a5 5 0 0 0 10 0V0h12v23.5C34 34 27.5 41 17 41S0 34 0 23.5Z"],
};
const KERN: Record<string, number> = { AT: -6.5, TO: -3 };

function lettering(word: string): { svg: string; width: number } {
  let x = 0;
  let svg = "";
  [...word].forEach((letter, i) => {
    const [advance, outline] = LETTERS[letter] ?? [0, ""];
    x += KERN[`${word[i - 1] ?? ""}${letter}`] ?? 0;
    svg += `<path d="${outline}" transform="translate(${x.toFixed(1)} 0)" fill-rule="evenodd"/>`;
    x += advance + 4;
  });
  return { svg, width: x - 4 };
}
export const NJET = lettering("NJET!");
export const ATOUT = lettering("ATOUT");

/** Spots where a veto marker's ink is missing: x, y, size. */
const SPECKS = [
  [18, 8, 2],
  [44, 50, 1.6],
  [71, 12, 1.2],
  [96, 45, 2.2],
  [119, 30, 1.2],
  [141, 52, 2.4],
  [60, 33, 1],
  [108, 26, 1.1],
  [30, 40, 1.3],
  [84, 56, 2],
  [130, 6, 2.6],
  [8, 30, 1.6],
  [52, 6, 1.5],
  [116, 55, 1.8],
  [77, 40, 0.9],
] as const;

const symbol = (id: string, box: string, body: string, extra = "") =>
  `<symbol id="${id}" viewBox="${box}"${extra}>${body}</symbol>`;

/** The whole sprite; components refer to its symbols. */
export const SPRITE = [
  ...Object.entries(SUIT_SHAPES).map(([name, body]) =>
    symbol(`s-${name}`, "0 0 24 24", `<g fill="currentColor">${body}</g>`, ' overflow="visible"'),
  ),
  ...Object.entries(AVATAR_SHAPES).map(([name, body]) => symbol(`c-${name}`, "0 0 64 64", body)),
  ...Object.entries(ICON_SHAPES).map(([name, [box, body]]) => symbol(`i-${name}`, box, body)),
  symbol("njet", `0 0 ${NJET.width} 41`, `<g fill="currentColor">${NJET.svg}</g>`),
  symbol("logo", `0 -1 ${ATOUT.width} 42`, `<g fill="currentColor">${ATOUT.svg}</g>`),
  `<mask id="rubber" maskUnits="userSpaceOnUse" x="-10" y="-30" width="180" height="130"><rect x="-10" y="-30" width="180" height="130" fill="#fff"/><g fill="#000">${SPECKS.map(([x, y, r], i) => `<path transform="translate(${x} ${y}) rotate(${i * 47}) scale(${r})" d="M-1.2-.3.2-1.1 1.4.1.3.9-.9.8Z"/>`).join("")}</g></mask>`,
  `<clipPath id="face"><rect x="3.5" y="3.5" width="93" height="133" rx="6"/></clipPath>`,
  `<pattern id="back" width="24" height="24" patternUnits="userSpaceOnUse" patternTransform="rotate(-18)"><path d="M12 2 21 20H3Z" fill="var(--back-2)"/></pattern>`,
].join("");
