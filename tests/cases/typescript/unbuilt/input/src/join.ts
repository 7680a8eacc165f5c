/** Joins texts. */
export function join(left: string, right: string): string;
export function join(left: string, right: string, times: number): string;
export function join(left: string, right: string, times = 1): string {
  return [left, right].join("").repeat(times);
}
