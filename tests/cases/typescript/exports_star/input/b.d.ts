export * from "./a.js";
export interface B { a: import("./a.js").A }
export declare const ambiguous: "b";
