// Reads sources, a line of JSON each ([name, text]), and answers each with a line: [declarations, first error].
// The first line says that there will be answers. Whatever ends this process then, the first source without one is
// at fault.
import { readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";

const binding = createRequire(import.meta.url)(process.argv[2]);
const emit = binding.isolatedDeclarationSync ?? binding.isolatedDeclaration;
writeSync(1, "ready\n");

for (const line of readFileSync(0, "utf8").split("\n")) {
  if (line === "") continue;
  const [name, text] = JSON.parse(line);
  let answer;
  try {
    const { code, errors } = await emit(name, text, { stripInternal: false, sourcemap: false });
    answer = [code, errors.length > 0 ? errors[0].message : null];
  } catch (error) {
    answer = [null, String(error)];
  }
  writeSync(1, JSON.stringify(answer) + "\n");
}
