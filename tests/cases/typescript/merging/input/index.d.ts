export interface Shape { area(): number }
export interface Shape { name: string }
export declare const Shape: { new (name: string): Shape };
export declare function parse(text: string): Shape;
export declare function parse(bytes: Uint8Array, encoding?: string): Shape;
export declare namespace parse { let strict: boolean }
export declare class Store { static shared: Store }
export declare namespace Store { interface Options { size: number } }
export declare enum Level { Low = 1 }
export declare enum Level { High = 2 }
import type { Mixed as MixedType } from "./types.js";
export { Mixed } from "./value.js";
export type { MixedType };
