declare module "disk" {
  import { Readable } from "node:stream";
  import * as promises from "disk/promises";
  export { promises };
  /** Opens. */
  export function open(path: BoxPath): Readable;
  interface Handle { fd: number; url: URL }
  global { var DISK: Handle }
}
declare module "node:disk" { export * from "disk"; }
declare module "disk/promises" {
  import { Handle } from "disk";
  function open(path: string): Promise<Handle>;
}
declare module "disk/strict" {
  import disk = require("disk/promises");
  export = disk;
}
declare module "disk" {
  function close(handle: Handle): void;
  interface Handle { name: string }
}
