import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { grown, lowered, measured, readAllowed } from "./architecture/allowed.ts";
import { architectureRules, LIMIT_RULES } from "./architecture/index.ts";
import { type Project, readProject } from "./architecture/project.ts";
import { report } from "./architecture/rule.ts";

const ROOT = resolve(import.meta.dirname, "..");
const project = readProject(ROOT);
const rules = architectureRules(ROOT, readAllowed(ROOT));

describe("the architecture", () => {
  it.each(rules)("$rule", (rule) => {
    const found = rule.find(project);
    expect(found, report(rule, found)).toEqual([]);
  });
});

function projectOf(files: Readonly<Record<string, string>>): Project {
  const folders = Object.keys(files).flatMap((path) =>
    path.split("/").map((_, index, steps) => steps.slice(0, index).join("/")),
  );
  const paths = new Set([...Object.keys(files), ...folders]);
  return { texts: new Map(Object.entries(files)), hasPath: (path) => paths.has(path), changed: new Set() };
}

const lines = (count: number): string => "  done();\n".repeat(count);

/** Each rule's start, and a repository that breaks it. */
const BROKEN: ReadonlyArray<readonly [rule: string, files: Readonly<Record<string, string>>, found: string]> = [
  ["Every source file belongs", { "src/new-folder/a.ts": "" }, "src/new-folder/a.ts"],
  ["Imports go down", { "src/core/a.ts": 'import { b } from "../jobs/b.ts";\n' }, "src/core/a.ts → src/jobs/b.ts"],
  ["Imports go down", { "src/rest/a.ts": 'import { b } from "../web/b.ts";\n' }, "src/rest/a.ts → src/web/b.ts"],
  [
    "No files import one another",
    { "auth/a.ts": 'import "./b.ts";\n', "auth/b.ts": 'export { a } from "./a.ts";\n' },
    "auth/a.ts → auth/b.ts → auth/a.ts",
  ],
  [
    "No two folders of one parent",
    { "src/web/x/a.ts": 'import "../y/b.ts";\n', "src/web/y/b.ts": "", "src/web/y/c.ts": 'import "../x/d.ts";\n' },
    "src/web: x → y → x",
  ],
  [
    "Folders of src/core import lower ones",
    { "src/core/gate/a.ts": 'import "../invoices/b.ts";\n' },
    "src/core/gate/a.ts → src/core/invoices/b.ts",
  ],
  ["Folders of src/core import lower ones", { "src/core/new/a.ts": "" }, "src/core/new/a.ts: its folder is not listed"],
  ["src/core imports nothing", { "src/core/a.ts": 'import express from "express";\n' }, "src/core/a.ts → express"],
  ["tools imports nothing", { "tools/a.ts": 'import "../auth/b.ts";\n' }, "tools/a.ts → ../auth/b.ts"],
  ["src/rest imports nothing", { "src/rest/a.ts": 'import "../store/b.ts";\n' }, "src/rest/a.ts → ../store/b.ts"],
  ["src/mcp imports nothing", { "src/mcp/a.ts": 'import "../store/b.ts";\n' }, "src/mcp/a.ts → ../store/b.ts"],
  ["Only src/main.ts", { "src/core/a.ts": "\nprocess.env.PORT;\n" }, "src/core/a.ts:2  process.env"],
  ["SQL is in src/store", { "src/core/a.ts": 'tx.selectFrom("x");\n' }, "src/core/a.ts:1  .selectFrom("],
  ["No path is made of", { "bench/a.ts": "new URL(import.meta.url).pathname;\n" }, "bench/a.ts:1  .pathname"],
  [
    "Nothing is decided by the words",
    { "src/web/a.ts": 'if (error.message.startsWith("The period")) open();\n' },
    "src/web/a.ts:1  message.startsWith(",
  ],
  [
    "Nothing is decided by the words",
    { "src/core/a.ts": "const held = /balance/.test(receipt.reason);\n" },
    "src/core/a.ts:1  .test(receipt.reason)",
  ],
  [
    "Nothing is decided by the words",
    { "src/core/a.ts": "if (why === PUSH_REASONS.taken_back) wait();\n" },
    "src/core/a.ts:1  === PUSH_REASONS",
  ],
  ["No code is made", { "src/core/a.ts": 'new Function("return 1");\n' }, "src/core/a.ts:1  new Function("],
  ["No `any`", { "auth/a.ts": "const a: any = 1;\n" }, "auth/a.ts:1  : any"],
  ["No line of src/web", { "src/web/a.ts": `a();\n${"b".repeat(121)}\n` }, "src/web/a.ts:2"],
  [
    "A line of the log",
    { "src/jobs/a.ts": 'log.warn({ id }, "it failed");\n' },
    'src/jobs/a.ts:1  log.warn({ id }, "it failed")',
  ],
  ["Every path that a document", { "README.md": "See `src/gone.ts`.", "src/main.ts": "" }, "README.md:1  src/gone.ts"],
  ["Every path that a document", { "docs/a.md": "[b](../gone.md#part)" }, "docs/a.md:1  ../gone.md"],
  [
    "Every path that a document",
    { "CONTRIBUTING.md": "\nnpx vitest run test/gone", "test/a.ts": "" },
    "CONTRIBUTING.md:2  test/gone",
  ],
  [
    "Every name of the sources",
    { "ARCHITECTURE.md": "See `lostAct()`.", "src/a.ts": "act();" },
    "ARCHITECTURE.md:1  lostAct",
  ],
  ["Audit entries are", { "src/core/a.ts": "await recordDone(tx);\n" }, "src/core/a.ts:1  recordDone("],
  ["The gate opens", { "src/web/a.ts": "core.store.write(id, act);\n" }, "src/web/a.ts:1  store.write("],
  ["The gate opens", { "src/core/a.ts": "core.store.read(id, look);\n" }, "src/core/a.ts:1  store.read("],
  ["The gate opens", { "src/service.ts": "store.everyShard(look);\n" }, "src/service.ts:1  store.everyShard("],
  [
    "No face carries out a step",
    {
      "src/admin/a.ts": 'import { b } from "../core/b.ts";\n',
      "src/core/b.ts": 'import { c } from "./c.ts";\nexport const b = () => c();\n',
      "src/core/c.ts": "export const c = workStep({ name, run });\n",
    },
    "src/admin/a.ts → src/core/b.ts",
  ],
  [
    "What is done is declared",
    { "src/core/a.ts": "export function answering(run) {\n  return operation({ run });\n}\n" },
    "src/core/a.ts:1  export function answering(run) {\n  return operation(",
  ],
  [
    "Pages and the terminal enter",
    { "src/web/a.ts": 'import { b } from "../core/b.ts";\nb(site.core, tenantId);\n' },
    "src/web/a.ts:2  b",
  ],
  [
    "Pages and the terminal enter",
    { "src/admin/a.ts": 'import { b as c } from "../../auth/b.ts";\nawait c(core, { tenantId });\n' },
    "src/admin/a.ts:2  c",
  ],
  ["No signature leaves", { "auth/a.ts": "function a(actor?: Actor) {}\n" }, "auth/a.ts:1  actor?:"],
  ["A file has at most", { "test/a.test.ts": "\n".repeat(251) }, "a.test.ts: 251, at most 250"],
  ["A function has at most", { "src/core/a.ts": `function tell() {\n${lines(59)}}\n` }, "tell: 61, at most 60"],
  ["No two files", { "src/core/a.ts": "export type A = 1;\n", "auth/a.ts": "export class A {}\n" }, "A: 2, at most 1"],
  ["Comments, texts", { "src/core/a.ts": "/** Tells it to\n * whoever asks. */\n" }, "whoever: 1, at most 0"],
  ["Comments, texts", { "src/core/a.ts": "/** It stands\n * at three. */\n" }, "stands at: 1, at most 0"],
  ["Tests use no turns", { "test/a.test.ts": "// Asked anew.\n" }, "anew: 1, at most 0"],
];

describe("a rule that is broken", () => {
  const strict = architectureRules(ROOT, {});

  it.each(BROKEN)("is reported: %s … by %j", (start, files, found) => {
    const rule = strict.find((each) => each.rule.startsWith(start));
    expect(rule?.find(projectOf(files))).toContain(found);
  });

  it("is among those tried here, each of them", () => {
    const untried = strict.filter(({ rule }) => !BROKEN.some(([start]) => rule.startsWith(start)));
    expect(untried.map(({ rule }) => rule)).toEqual([expect.stringContaining("are not raised")]);
  });

  it("says the rule, the places, why, and what to do", () => {
    const rule = { rule: "A holds.", why: "Of B.", fix: "Do C.", find: () => [] };
    expect(report(rule, ["x", "y", "z"], 2)).toBe("✗ A holds.\n  x\n  y\n  … and 1 more\n  Why: Of B.\n  Fix: Do C.");
  });
});

describe("the list of what is allowed", () => {
  it("may lose entries and lower them, and gains none", () => {
    const before = { files: { "a.ts": 300, "b.ts": 300 } };
    expect(grown(before, { files: { "a.ts": 280 } })).toEqual([]);
    expect(grown(before, { files: { "a.ts": 301, "c.ts": 251 } })).toEqual([
      "files.a.ts: 301, was 300",
      "files.c.ts: 251, was not in the list",
    ]);
  });

  it("is lowered to what is there, and never raised", () => {
    const long = projectOf({ "src/core/a.ts": "\n".repeat(300), "src/core/b.ts": "\n".repeat(400) });
    const allowed = { files: { "a.ts": 350, "b.ts": 260, "gone.ts": 270 } };
    expect(lowered(LIMIT_RULES, long, allowed).files).toEqual({ "a.ts": 300, "b.ts": 260 });
    expect(measured(LIMIT_RULES, long).files).toEqual({ "a.ts": 300, "b.ts": 400 });
  });
});
