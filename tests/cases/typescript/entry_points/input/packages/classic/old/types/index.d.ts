export declare const version: 2;
