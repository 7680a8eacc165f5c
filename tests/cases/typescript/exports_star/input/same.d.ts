export * from "./sub.js";
export * from "@acme/other";
export * as other from "@acme/other";
