/** Mentioned by two modules. */
export interface Shared { deep: Deep }
/** Mentioned by what two modules mention. */
interface Deep { again: Shared }
export interface OnlyHere { next: Next }
interface Next { value: number }
export type OnlyForms = typeof token;
declare const token: unique symbol;
export interface Unused { x: Missing }
export {};
