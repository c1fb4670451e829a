import { readFileSync } from "node:fs";

/** A text that stands in a file of its own, beside the module at `from`. */
export function readText(from: string, name: string) {
  return readFileSync(new URL(name, from), "utf8");
}
