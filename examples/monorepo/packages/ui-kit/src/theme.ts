/** Names of the colours that a theme must have. */
export const COLOURS = ["ink", "paper", "accent", "danger"] as const;

/** One of {@link COLOURS}. */
export type Colour = (typeof COLOURS)[number];

/** Colours by name, as CSS has them. */
export type Palette = Record<Colour, string>;

/** How much room there is around things, in units of 4 pixels. */
export enum Density {
  Compact = 1,
  Regular = 2,
  /** For touch screens. */
  Airy = 4,
}

/** What pages look like. */
export interface Theme {
  readonly palette: Palette;
  readonly density: Density;
}

/** The theme of Acme's own pages. */
export const acmeTheme: Theme = {
  palette: { ink: "#1b1f24", paper: "#ffffff", accent: "#0a66c2", danger: "#b3261e" },
  density: Density.Regular,
};

/**
 * Another theme with some things changed.
 *
 * @param base - Where to begin.
 * @param changes - What is to be different; colours that are not named stay.
 */
export function derive(base: Theme, changes: { palette?: Partial<Palette>; density?: Density } = {}) {
  return {
    palette: { ...base.palette, ...changes.palette },
    density: changes.density ?? base.density,
  };
}

/** @internal For the tests of other packages. */
export function resetThemes(): void {
  document.documentElement.removeAttribute("style");
}
