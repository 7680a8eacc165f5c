export * from "./one.js";
export * from "./two.js";
export * from "./map.js";
import { Options } from "@acme/external";
export declare function external(options: Options): void;
