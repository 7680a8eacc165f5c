/** A key with what is held down, as in `"ctrl+s"`. */
export type Chord = `${"" | "ctrl+" | "alt+" | "shift+"}${string}`;

/**
 * Call something whenever a chord is pressed.
 *
 * @param chord - Of one letter or the name of a key; case does not count.
 * @param action - What to do. The page does not see the key any more if it returns `true`.
 * @returns What ends it.
 */
export function bind(chord: Chord, action: (event: KeyboardEvent) => boolean | void) {
  const listener = (event: KeyboardEvent) => {
    if (describe(event) === chord.toLowerCase() && action(event) === true) {
      event.preventDefault();
    }
  };
  document.addEventListener("keydown", listener);
  return () => document.removeEventListener("keydown", listener);
}

/** The chord of an event. */
export const describe = (event: KeyboardEvent): string =>
  `${event.ctrlKey ? "ctrl+" : ""}${event.altKey ? "alt+" : ""}${event.key.toLowerCase()}`;
