import { Legacy } from "@acme/core/legacy";
export declare const version: 3;
export declare function upgrade(from: Legacy): void;
