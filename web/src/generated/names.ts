// Written by `python -m atout.web_export`: do not edit.
export const EDITION_IDS = ["niet-2015", "njet-2007", "njet-1997", "nichtig"] as const;
export const LANGUAGES = ["en", "fr", "de"] as const;
export const SECRET_PHASES = ["discard", "pass", "lay"] as const;
export const TEAM_OF_SEAT = [0, 1, 0, 1, 0, 1] as const;
