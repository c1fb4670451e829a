import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

/** A line that a document tells its reader to type. */
export interface DocumentedCommand {
  document: string;
  line: string;
}

/** README.md and everything below docs/, by their paths. */
export const DOCUMENTS: ReadonlyMap<string, string> = new Map(
  [
    "README.md",
    ...readdirSync(join(ROOT, "docs"))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name}`),
  ].map((path) => [path, readFileSync(join(ROOT, path), "utf8")]),
);

/** Lines of the documents' blocks of shell commands; continued ones as one, comments and `cd` left away. */
export function documentedCommands(): DocumentedCommand[] {
  return [...DOCUMENTS].flatMap(([document, text]) =>
    [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, language = "", block = ""]) =>
      (["", "sh"].includes(language) ? block : "")
        .replaceAll(/\\\n\s*/g, "")
        .split("\n")
        .map((line) => line.replace(/\s+#.*$/, "").trim())
        .filter((line) => line !== "" && !line.startsWith("#"))
        .flatMap((line) => line.split(" && "))
        .map((line) => ({ document, line })),
    ),
  );
}
