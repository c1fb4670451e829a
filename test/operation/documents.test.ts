import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { COMMANDS } from "../../src/admin/commands/index.ts";
import { runProgram } from "../../src/admin/program.ts";
import { readConfig } from "../../src/config.ts";
import { DOCUMENTS, documentedCommands } from "./documents.ts";
import { NOT_RUN, STORY } from "./operator-story.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const source = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const unrun = Object.values(NOT_RUN).flat();
const SETTINGS = /^[A-Z][A-Z_]+=/;

/** Words as a shell parts them. */
const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? "");

describe("commands in the documents", () => {
  it("that are not run stand there still; all others are run [contract.operation.operator]", () => {
    const documented = new Set(documentedCommands().map(({ line }) => line));
    const typed = Object.values(STORY).flat();
    expect(unrun.filter((line) => !documented.has(line))).toEqual([]);
    expect(new Set([...typed, ...unrun])).toEqual(documented);
  });

  it.each(unrun.filter((line) => SETTINGS.test(line) && !line.includes(" npm ")))(
    "set what can be set: %s [contract.operation.documents]",
    (line) => {
      const given = words(line).map((word) => word.split(/=(.*)/s));
      expect(() => readConfig(Object.fromEntries(given))).not.toThrow();
    },
  );

  it("have options that there are, in parts of commands too [contract.operation.documents]", () => {
    const options = COMMANDS.flatMap((command) => command.options.map(({ flag }) => flag));
    const told = unrun
      .filter((line) => /^--|admin/.test(line))
      .flatMap((line) => words(line).filter((word) => /^--./.test(word)));
    expect(told.filter((option) => !options.includes(option))).toEqual([]);
  });

  it("name scripts that there are [contract.operation.documents]", () => {
    const named = [...unrun, ...DOCUMENTS.values()].flatMap((text) =>
      [...text.matchAll(/(?:^|`| )npm run ([\w:-]+)/gm)].map(([, name = ""]) => name),
    );
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it("mentioned in passing are commands of the program too [contract.operation.documents]", async () => {
    const mentioned = [...DOCUMENTS.values()].flatMap((text) =>
      [...text.matchAll(/`npm run admin -- ([a-z-]+ [a-z-]+)/g)].map(([, command = ""]) => command),
    );
    for (const command of new Set(mentioned)) {
      const code = await runProgram([...command.split(" "), "--help"], {
        out: () => undefined,
        err: () => undefined,
        readSecret: async () => "",
        send: () => Promise.reject(new Error("not to be sent")),
      });
      expect(code, command).toBe(0);
    }
  });
});

describe("names in the documents", () => {
  const all = [...DOCUMENTS.values()].join("\n");

  it("of settings are those there are, each told of [contract.operation.documents]", () => {
    const settings = [...source("src/settings.ts").matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name = ""]) => name);
    expect(settings.filter((name) => !all.includes(`\`${name}\``) && !all.includes(name))).toEqual([]);
    const told = [...all.matchAll(/^\| `([A-Z][A-Z_]+)`(?:, `([A-Z][A-Z_]+)`)?/gm)].flatMap(([, ...names]) => names);
    expect(told.filter((name) => name !== undefined && !settings.includes(name))).toEqual([]);
  });

  it("of metrics are those that are measured [contract.operation.documents]", () => {
    const measured = [
      ...(source("src/telemetry/activities.ts") + source("src/telemetry/gauges.ts")).matchAll(
        /"([a-z]+(?:\.[a-z0-9_]+)+)"/g,
      ),
    ].map(([, name = ""]) => name.replaceAll(".", "_"));
    const documents = ["docs/operate.md", "docs/runbook.md"].map((path) => DOCUMENTS.get(path) ?? "");
    const all = [...documents, source("deploy/alerts.yaml")].join("\n");
    const told = [...all.matchAll(/\b(?:http_server|mcp_server|db_client|receivables|nodejs|process)_[a-z0-9_]+/g)]
      .map(([name]) =>
        name.replace(/_(count|bucket|total)$/, (end) => (name === "db_client_connection_count" ? end : "")),
      )
      .filter(
        (name) =>
          !["receivables_tenant", "receivables_system", "receivables_queue_", "receivables_erp_"].includes(name),
      );
    expect(told.length).toBeGreaterThan(20);
    expect([...new Set(told)].filter((name) => !measured.includes(name))).toEqual([]);
  });
});

const read = (path: string): string => readFileSync(resolve(ROOT, path), "utf8");

const Alert = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().regex(/^\d+[mh]$/),
  labels: z.strictObject({ severity: z.enum(["page", "ticket"]) }),
});
const Rules = z.strictObject({ groups: z.array(z.strictObject({ name: z.string(), rules: z.array(Alert) })) });

const alerts = Rules.parse(parse(read("deploy/alerts.yaml"))).groups.flatMap(({ rules }) => rules);
const sections = new Map(
  read("docs/runbook.md")
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf("\n")), section]),
);

describe("an alert", () => {
  it("has a section in the runbook, and each section an alert [contract.operation.alerts]", () => {
    expect([...sections.keys()]).toEqual(alerts.map(({ alert }) => alert));
    expect(alerts.length).toBeGreaterThan(15);
  });

  it.each(alerts)(
    "$alert says what it means, how to look, what to do and when it is over [contract.operation.alerts]",
    ({ alert }) => {
      const parts = [...(sections.get(alert) ?? "").matchAll(/^- \*\*([^*]+)\*\*: (\S.{20,})/gm)].map(
        ([, part]) => part,
      );
      expect(parts).toEqual(["It means", "Look", "Do", "It is over when"]);
    },
  );

  it.each(alerts)(
    "$alert adds up over all series, and fires after a few of what it counts [contract.operation.alerts]",
    ({ expr }) => {
      // A label that says which series is meant stays; that of a process never does.
      expect(expr).toMatch(
        /^\(?(sum|max|min)( by \((queue|job|system|outage)\))?\s?\(|^histogram_quantile\(0\.95, sum by \(le\) \(/,
      );
      // A rate a second needs a busy installation: what happens is counted over minutes.
      if (!expr.startsWith("histogram_quantile")) expect(expr).not.toContain("rate(");
      for (const [, counted] of expr.matchAll(/increase\([^)]*\)+ > (\d+)/g))
        expect(Number(counted)).toBeLessThanOrEqual(60);
    },
  );
});
