export declare const gram: unique symbol;
