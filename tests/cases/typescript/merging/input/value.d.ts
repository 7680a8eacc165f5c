import { Mixed as M } from "./types.js";
export type Mixed = M;
export declare const Mixed: { make(): Mixed };
