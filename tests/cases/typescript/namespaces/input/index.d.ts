import * as core from "./core.js";
import * as hidden from "./hidden.js";
import * as z from "./z.js";
export * as util from "./util.js";
export * as again from "./core.js";
export { z };
export default z;
export declare function use(x: core.Box, y: hidden.Deep.Item, h: hidden.Shape): z.Name;
export declare const whole: typeof hidden;
export declare namespace Shapes {
  interface Circle { r: number; of: Outer }
  type Round = Circle;
  namespace Inner { const depth: 2; type Up = Circle }
  export import Box = core.Box;
  export { Outer as Renamed };
}
interface Outer { name: string }
export {};
