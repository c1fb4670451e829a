import { posix } from "node:path";
import { at, type Project } from "./project.ts";
import type { Rule } from "./rule.ts";

const DOCUMENT = /^(CONTRIBUTING|ARCHITECTURE|README|CHANGELOG)\.md$|^docs\//;
/** Names without a folder that are meant as files at the root; others, such as `schema.ts`, are in many folders. */
const ROOT_FILES = /^([A-Z]+\.md|(biome|tsconfig|package|server)\.json|compose\.yaml|vitest\.config\.ts)$/;

/** Files that only a running service, a build or somebody's own machine has. */
const ELSEWHERE = /^(data|node_modules|dist)\//;

/** Paths in backticks, links and commands of the documents; those with a placeholder in them are only examples. */
function* namedPaths(project: Project): Generator<{ path: string; from: string; where: string }> {
  for (const [document, text] of project.texts) {
    if (!DOCUMENT.test(document)) continue;
    const spans = [...text.matchAll(/`([^`\n]+)`/g)].map((match) => ({ match, isLink: false }));
    const links = [...text.matchAll(/(?:\]\(|^\[[^\]\n]+\]: )([^)#\s]+)/gm)].map((match) => ({ match, isLink: true }));
    const commands = [...text.matchAll(/(?<=^ *(?:npx|node|npm) .*?\s)[^\s"]+/gm)].map((match) => ({
      match,
      isLink: false,
    }));
    for (const { match, isLink } of [...spans, ...links, ...commands]) {
      const path = match[1] ?? match[0];
      if (isLink ? !/^[a-z]+:/.test(path) : isPath(path, project))
        yield { path, from: isLink ? document : "", where: at(document, text, match.index) };
    }
  }
}

function isPath(text: string, project: Project): boolean {
  if (/[\s<>*{}:,()=]/.test(text) || ELSEWHERE.test(text)) return false;
  const [top = ""] = text.split("/");
  return text.includes("/") ? project.hasPath(top) : ROOT_FILES.test(text);
}

/** A name of the sources as documents have it: `commitPage`, `LinkForm`, `act()`. */
const NAME = /`((?:[a-z][a-z0-9]*[A-Z]|[A-Z][a-z0-9]+[A-Z])\w*)(?:\(\))?`/g;

/** Names in the documents that no source has; the changelog also has those of before. */
function* lostNames(project: Project): Generator<string> {
  const sources = [...project.texts].filter(([path]) => path.endsWith(".ts")).map(([, text]) => text);
  const known = new Set(sources.join("\n").match(/\w+/g));
  for (const [document, text] of project.texts)
    if (DOCUMENT.test(document) && document.endsWith(".md") && document !== "CHANGELOG.md")
      for (const { 1: name = "", index } of text.matchAll(NAME))
        if (!known.has(name)) yield `${at(document, text, index)}  ${name}`;
}

/** A link starts in its document's folder, a path in backticks at the root. */
const resolved = (path: string, from: string): string => posix.join(posix.dirname(from), path);

export const DOCUMENT_RULES: readonly Rule[] = [
  {
    rule: "Every path that a document names exists.",
    why: "A reader who opens a file that is not there stops trusting the rest of the document.",
    fix: "Write the new path, from the repository's root; write paths that do not exist yet with a <placeholder>.",
    find: (project) =>
      [...namedPaths(project)]
        .filter(({ path, from }) => !project.hasPath(resolved(path, from)))
        .map(({ path, where }) => `${where}  ${path}`),
  },
  {
    rule: "Every name of the sources that a document has exists.",
    why: "A reader who searches for it finds nothing, and does not know whether it is gone or called something else now.",
    fix: "Write the new name, or say it in words.",
    find: (project) => [...lostNames(project)],
  },
];
