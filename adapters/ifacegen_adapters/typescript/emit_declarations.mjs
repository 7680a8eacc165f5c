// Reads sources, a line of JSON each ([name, text]), and answers each with a line: [declarations, first error].
// Whatever ends this process, the first source without an answer is at fault.
import { readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";

const binding = createRequire(import.meta.url)(process.argv[2]);
const emit = binding.isolatedDeclarationSync ?? binding.isolatedDeclaration;

for (const line of readFileSync(0, "utf8").split("\n")) {
  if (line === "") continue;
  const [name, text] = JSON.parse(line);
  const { code, errors } = await emit(name, text, { stripInternal: false, sourcemap: false });
  writeSync(1, JSON.stringify([code, errors.length > 0 ? errors[0].message : null]) + "\n");
}
