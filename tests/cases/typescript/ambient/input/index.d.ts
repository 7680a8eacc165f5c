/// <reference lib="es2020" />
/// <reference types="node" />
/// <reference path="disk.d.ts" />
/// <reference path="globals.d.ts" />
