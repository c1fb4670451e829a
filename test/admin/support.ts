import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";
import { executeRequest } from "../../src/admin/execute.ts";
import { runProgram, type Terminal } from "../../src/admin/program.ts";
import { type Config, readConfig } from "../../src/config.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { useOffice } from "../core/workflows/support.ts";
import { BARE_ENVIRONMENT, SHORT_LIVED } from "../support/server.ts";

/** What a command line left behind. */
export interface Run {
  code: number;
  out: string;
  err: string;
}

/** Runs command lines of a test; `json` answers what one says that goes well without a word besides. */
export type CommandLine = ReturnType<typeof commandLine>;

/** Runs command lines against a core in this process, the terminal's end and the executor's both real. */
export function terminalOn(
  core: Core,
  {
    listing = readConfig({}).listing,
    keyFolder = null,
    ...who
  }: { listing?: Config["listing"]; keyFolder?: string | null; operator?: string } = {},
): CommandLine {
  const signal = new AbortController().signal;
  const running = { core, keyFolder, signal, leadRun: null, publicUrl: "http://localhost:3000", listing };
  return terminalTo((request) => executeRequest(running, { ...request, ...who }));
}

/** What {@link terminalOn} does with a workspace's id at the end of every line. */
export function terminalIn(core: Core, tenantId: string): CommandLine {
  const admin = terminalOn(core);
  return commandLine((line, ...rest) => admin(`${line} --workspace ${tenantId}`, ...rest));
}

function commandLine(run: (line: string, stdin?: string, typed?: string) => Promise<Run>) {
  return Object.assign(run, {
    async json(line: string, stdin?: string) {
      const { code, out, err } = await run(`${line} --json`, stdin);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      return JSON.parse(out);
    },
  });
}

/** An office for each test of a suite, and a terminal in it. */
export function useOfficeTerminal(...opening: Parameters<typeof useOffice>) {
  const made = useOffice(...opening);
  const admin = commandLine((line, ...rest) => terminalIn(made.core, made.office.tenantId)(line, ...rest));
  return { ...made, admin };
}

/** Runs command lines in this process, and has them executed by whoever `send` reaches. */
export function terminalTo(send: Terminal["send"], columns?: number): CommandLine {
  return commandLine(async (line, stdin = "", typed) => {
    let [out, err] = ["", ""];
    const code = await runProgram(words(line), {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      readSecret: async () => stdin,
      columns,
      ...(typed === undefined ? {} : { ask: async () => typed }),
      send,
    });
    return { code, out, err };
  });
}

/** Runs the command line as a process of its own. */
export function runCli(line: string, env: Record<string, string>, stdin = ""): Promise<Run> {
  const root = join(import.meta.dirname, "../..");
  const child = spawn(process.execPath, [...SHORT_LIVED, join(root, "src/admin/main.ts"), ...words(line)], {
    cwd: root,
    env: { ...BARE_ENVIRONMENT, ...env },
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    err += String(chunk);
  });
  child.stdin.end(stdin);
  return new Promise((resolve) => child.on("close", (code) => resolve({ code: code ?? -1, out, err })));
}

/** Words of a line; double quotes hold several together. */
function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? "");
}
