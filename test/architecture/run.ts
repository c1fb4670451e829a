/**
 * `node test/architecture/run.ts`: every rule of the architecture, in about two seconds. Entries of allowed.json that are
 * no longer needed are lowered. `--after-merge` writes what a merge led to, in and right after one only.
 */
import { resolve } from "node:path";
import { isMerging, lowered, measured, readAllowed, writeAllowed } from "./allowed.ts";
import { architectureRules, LIMIT_RULES } from "./index.ts";
import { readProject } from "./project.ts";
import { report } from "./rule.ts";

const root = resolve(import.meta.dirname, "../..");
const project = readProject(root);

if (process.argv.includes("--after-merge")) {
  if (!isMerging(root)) fail("--after-merge is for a merge under way, or a merge that was the last commit.");
  writeAllowed(root, measured(LIMIT_RULES, project));
}

const allowed = readAllowed(root);
const reports = architectureRules(root, allowed).flatMap((rule) => {
  const found = rule.find(project);
  return found.length === 0 ? [] : [report(rule, found)];
});
if (reports.length > 0) fail(reports.join("\n\n"));
if (writeAllowed(root, lowered(LIMIT_RULES, project, allowed)))
  process.stdout.write("Lowered entries of test/architecture/allowed.json: commit it with your change.\n");

function fail(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
