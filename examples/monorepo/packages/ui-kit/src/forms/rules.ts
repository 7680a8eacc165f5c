/** Says what is wrong with a value, for people to read; nothing is wrong where it is empty. */
export type Rule<V = string> = (value: V | undefined) => string;

/** Something must be there. */
export const required: Rule<unknown> = (value) =>
  value === undefined || value === "" ? "please fill this in" : "";

/**
 * A number must lie between two others.
 *
 * @param low - The least that is allowed.
 * @param high - The most.
 */
export function within(low: number, high: number = Number.POSITIVE_INFINITY): Rule<number> {
  return (value) => (value === undefined || (low <= value && value <= high) ? "" : `from ${low} to ${high}, please`);
}
