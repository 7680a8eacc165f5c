import * as one from "./types.js";
interface Options { two: 2 }
export declare function two<T>(options: Options, t: one.T, own: T): Options;
export declare function three<Item>(item: Item, other: one.Item): void;
export {};
