export { default } from "./box.js";
export { default as Fn } from "./fn.js";
export { default as value } from "./value.js";
import cjs = require("./cjs.cjs");
export { cjs };
export type { Options } from "./cjs.cjs";
