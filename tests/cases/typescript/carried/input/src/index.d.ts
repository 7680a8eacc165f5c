import type { Shared, OnlyHere } from "./internal/types.js";
export declare function main(x: Shared, y: OnlyHere): void;
