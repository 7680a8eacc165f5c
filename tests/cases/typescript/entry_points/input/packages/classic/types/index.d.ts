export declare const version: 1;
