import type { ReactNode } from "react";
interface Extra { node: ReactNode }
declare module "./registry.js" {
  interface Registry { extra: Extra }
  /** New in the file that it adds to. */
  interface Added { registry: Registry }
}
declare module "react" {
  interface Attributes { css?: Extra }
}
declare module "*.svg" { const url: string; export default url }
declare global {
  interface Window { registry: import("./registry.js").Registry }
  var __DEV__: boolean;
}
