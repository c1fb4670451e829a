import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** How `npm start` runs the service: what it adds to the environment, and the flags it gives to Node. */
export interface StartScript {
  environment: Record<string, string>;
  flags: string[];
}

/** `NAME=VALUE … exec node FLAG … PROGRAM`, as package.json has it. */
export function startScript(): StartScript {
  const file = resolve(import.meta.dirname, "../../package.json");
  const { scripts }: { scripts: { start: string } } = JSON.parse(readFileSync(file, "utf8"));
  const words = scripts.start.split(" ");
  const settings = words.slice(0, words.indexOf("exec")).map((word) => word.split("="));
  return {
    environment: Object.fromEntries(settings.map(([name = "", value = ""]) => [name, value])),
    flags: words.filter((word) => word.startsWith("--")),
  };
}
