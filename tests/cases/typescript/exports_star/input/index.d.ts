export * from "./a.js";
export * from "./b.js";
export * from "./sub.js";
export * from "./missing.js";
/** Ours, whatever the stars say. */
export declare const local: "index";
