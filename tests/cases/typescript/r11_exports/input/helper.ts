/** Helps. */
export function helper(): void {}
