export { Internal as Public, helper as assist } from "./impl.js";
export { Kept } from "./impl.js";
declare function _null(): null;
declare function _default(): Kept;
import { Kept } from "./impl.js";
export { _null as null, _default as make };
export type { OnlyAsType } from "./impl.js";
