import "./extend.js";
import "reflect-metadata";
export { Registry } from "./registry.js";
