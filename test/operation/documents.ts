import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

/** A line that a document tells its reader to type, and the heading it is below. */
export interface DocumentedCommand {
  document: string;
  section: string;
  line: string;
}

const filesOf = (folder: string): string[] => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`);
const textsOf = (paths: readonly string[]): ReadonlyMap<string, string> =>
  new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));

/** README.md and everything below docs/, by their paths. */
export const DOCUMENTS = textsOf(["README.md", ...filesOf("docs").filter((path) => path.endsWith(".md"))]);

/** What is looked through for commands: headings, blocks of shell commands, and what an operator is told to type in passing or in a file's comment. */
const PARTS =
  /^#+ (?<section>.+)$|^```(?:sh|bash|shell|console)?\n(?<block>[\s\S]*?)^```$|^```\w+\n[\s\S]*?^```$|`(?<passing>npm run admin -- [^`\n]* --[^`\n]+)`/gm;
const IN_COMMENTS = /^# +(?<block>docker .+)$/gm;

function* commandsOf(document: string, text: string): Generator<DocumentedCommand> {
  let section = "";
  for (const { groups } of text.matchAll(document.startsWith("deploy/") ? IN_COMMENTS : PARTS)) {
    section = groups?.section ?? section;
    for (const typed of (groups?.block ?? groups?.passing ?? "").replaceAll(/\\\n\s*/g, "").split("\n"))
      for (const line of typed.replace(/(^|\s+)#.*$/, "").split(" && "))
        if (line.trim() !== "") yield { document, section, line: line.trim() };
  }
}

/** Every command of the documents and of deploy/, in order: continued lines as one, comments left away. */
export const documentedCommands = (): DocumentedCommand[] =>
  [...DOCUMENTS, ...textsOf(filesOf("deploy"))].flatMap(([document, text]) => [...commandsOf(document, text)]);
