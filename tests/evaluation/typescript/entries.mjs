// The entry points of a package: what callers can write that the compiler resolves.
//
// in:  {home, project, packages: [name]}   out: {name: [{specifier, files: {bundler, import, require}}]}
import fs from "node:fs";
import path from "node:path";
import { answer, input, NODE, OPTIONS, ts } from "./_compiler.mjs";

const DECLARATION = /\.(d\.[cm]?ts|[cm]?tsx?)$/;

function filesBelow(folder, inner = "") {
  return fs.readdirSync(path.join(folder, inner), { withFileTypes: true }).flatMap((each) => {
    const name = inner ? `${inner}/${each.name}` : each.name;
    if (each.isDirectory()) return each.name === "node_modules" ? [] : filesBelow(folder, name);
    return [name];
  });
}

function targets(value) {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(targets);
  return value && typeof value === "object" ? Object.values(value).flatMap(targets) : [];
}

/** What may stand for the star of a pattern: of every file, whatever condition it answers. */
function stars(folder, value, files) {
  const found = new Set();
  for (const target of targets(value)) {
    const [before, after] = target.replace(/^\.\//, "").split("*");
    if (after === undefined) continue;
    const ends = [after, ...[".d.ts", ".d.mts", ".d.cts"].map((each) => after.replace(/\.[cm]?js$/, each))];
    for (const file of files) {
      for (const end of ends) {
        if (file.startsWith(before) && file.endsWith(end) && file.length > before.length + end.length) {
          found.add(file.slice(before.length, file.length - end.length));
        }
      }
    }
  }
  return [...found];
}

function candidates(name, folder) {
  const { exports } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  if (!exports) return [name];
  const isMap = typeof exports === "object" && Object.keys(exports).some((key) => key.startsWith("."));
  if (!isMap) return [name];
  const files = filesBelow(folder);
  return Object.entries(exports).flatMap(([key, value]) => {
    const specifier = name + key.slice(1);
    return key.includes("*") ? stars(folder, value, files).map((each) => specifier.replace("*", each)) : [specifier];
  });
}

function resolved(specifier, from, options, mode) {
  const found = ts.resolveModuleName(specifier, from, options, ts.sys, undefined, undefined, mode).resolvedModule;
  return found && DECLARATION.test(found.resolvedFileName) ? found.resolvedFileName : null;
}

const from = path.join(input.project, "main.ts");
const all = {};
for (const name of input.packages) {
  all[name] = [...new Set(candidates(name, path.join(input.project, "node_modules", name)))]
    .map((specifier) => ({
      specifier,
      files: {
        bundler: resolved(specifier, from, OPTIONS, undefined),
        import: resolved(specifier, from, NODE, ts.ModuleKind.ESNext),
        require: resolved(specifier, from, NODE, ts.ModuleKind.CommonJS),
      },
    }))
    .filter(({ files }) => Object.values(files).some(Boolean));
}
answer(all);
