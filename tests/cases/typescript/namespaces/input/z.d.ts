export type Name = string;
export * from "./core.js";
