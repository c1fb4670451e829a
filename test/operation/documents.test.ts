import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { optionName } from "../../src/admin/command.ts";
import { COMMANDS } from "../../src/admin/commands/index.ts";
import { runProgram } from "../../src/admin/program.ts";
import { readConfig } from "../../src/config.ts";
import { openBook } from "../support/book.ts";
import { hasProgram } from "../support/programs.ts";
import { newKey } from "../support/rest-app.ts";
import { type RunningService, startService } from "../support/service.ts";
import { A_KIND } from "../support/stores.ts";
import { DOCUMENTS, documentedCommands } from "./documents.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const source = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const commands = documentedCommands();
const of = (pattern: RegExp): string[] => [
  ...new Set(commands.map(({ line }) => line).filter((line) => pattern.test(line))),
];

const ADMIN = /^(?:docker compose exec receivables node src\/admin\/main\.ts|npm run admin --) (.*)$/;
const SETTINGS = /^[A-Z][A-Z_]+=/;
const OTHER_PROGRAMS =
  /^(psql|pg_dump|pg_restore|pg_basebackup|pg_ctl|sudo|cp|touch|echo|find|openssl|docker (compose (up|exec)|buildx imagetools)|export NODE_IMAGE=|npx vitest run |node docs\/)/;

/** Words as a shell parts them. */
const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? "");

describe("commands in the documents", () => {
  it("are all of a kind that is checked [contract.operation.documents]", () => {
    expect(commands.length).toBeGreaterThan(20);
    const kinds = [/^(npm (ci|start|test|run )|curl )/, OTHER_PROGRAMS, SETTINGS, /^--/];
    expect(commands.filter(({ line }) => !kinds.some((kind) => kind.test(line)))).toEqual([]);
  });

  it.each(of(SETTINGS))("set what can be set: %s [contract.operation.documents]", (line) => {
    const given = words(line).filter((word) => SETTINGS.test(word));
    expect(() => readConfig(Object.fromEntries(given.map((word) => word.split(/=(.*)/s))))).not.toThrow();
  });

  it("have options that there are, in parts of commands too [contract.operation.documents]", () => {
    const options = COMMANDS.flatMap(({ input }) => Object.keys(input.shape).map((field) => optionName(input, field)));
    const told = of(/^--/).flatMap((line) => words(line).filter((word) => word.startsWith("--")));
    expect(told.filter((option) => !options.includes(option))).toEqual([]);
  });

  it("name scripts that there are [contract.operation.documents]", () => {
    const named = of(/^npm (start|test|run )/).map((line) => words(line)[line.startsWith("npm run") ? 2 : 1] ?? "");
    const inline = [...DOCUMENTS.values()].flatMap((text) =>
      [...text.matchAll(/`npm run ([\w-]+)/g)].map(([, name = ""]) => name),
    );
    expect([...named, ...inline].filter((name) => !(name in scripts))).toEqual([]);
  });

  it.each(of(ADMIN))("are understood by the real program: %s [contract.operation.documents]", async (line) => {
    const args = words(ADMIN.exec(line)?.[1] ?? "").map((word) =>
      /^\$[A-Z_]*ID$/.test(word) ? crypto.randomUUID() : word,
    );
    const sent: string[] = [];
    let err = "";
    const code = await runProgram(args, {
      out: () => undefined,
      err: (text) => {
        err += text;
      },
      readSecret: async (prompts) =>
        prompts.map((prompt) => `${prompt.includes("webhook") ? "whsec_" : ""}a-secret-long-enough`).join("\n"),
      send: async ({ command }) => {
        sent.push(command);
        return { refusal: { message: "understood", details: [] } };
      },
    });
    expect({ code, sent, err }).toEqual({ code: 1, sent: [args.slice(0, 2).join(" ")], err: "error: understood\n" });
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
        send: async () => ({}),
      });
      expect(code, command).toBe(0);
    }
  });

  it.skipIf(!hasProgram("openssl"))("make a key that the service takes [contract.operation.documents]", () => {
    const [line = ""] = of(/^openssl/);
    const made = spawnSync("sh", ["-c", line], { encoding: "utf8" }).stdout;
    expect(Buffer.from(made, "base64").byteLength).toBe(32);
  });
});

describe("requests in the documents", () => {
  let service: RunningService;
  let key: string;
  beforeAll(async () => {
    service = await startService(A_KIND);
    const { tenantId } = await openBook(service.core.store);
    key = await newKey(service.core, tenantId);
  });
  afterAll(() => service.close());

  it.skipIf(!hasProgram("curl")).each(of(/^curl /))("are answered: %s [contract.operation.documents]", async (line) => {
    const asked = line.replace("http://localhost:3000", service.url);
    const command = asked.replace("curl", "curl -sS -o /dev/null -w '%{http_code}'");
    const env = { PATH: process.env.PATH ?? "", KEY: key, no_proxy: "*" };
    const { stdout, stderr } = await promisify(execFile)("sh", ["-c", command], { env, timeout: 120_000 });
    expect(stdout, stderr).toBe("200");
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
