export * from "./b.js"; // a circle
export interface A { b: import("./b.js").B }
export declare const local: "a";
export declare const ambiguous: "a";
export default A;
