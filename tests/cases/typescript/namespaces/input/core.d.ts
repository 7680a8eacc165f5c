export interface Box { util: import("./util.js").Tool }
export * as util from "./util.js";
