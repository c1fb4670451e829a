import { userInfo } from "node:os";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { readConfig } from "../config.ts";
import type { Log } from "../core/gate/dependencies.ts";
import { runProgram, withoutControls } from "./program.ts";
import { sendRequest } from "./transport.ts";

/** A command in this process prints errors as one line; the rest belongs in a server's log. */
const log: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: (fields, message) => {
    const cause = "err" in fields && fields.err instanceof Error ? (fields.err.cause ?? fields.err) : undefined;
    const detail = cause instanceof Error ? `: ${cause.message.split("\n", 1)[0]}` : "";
    process.stderr.write(withoutControls(`${message}${detail}\n`));
  },
};

/** All of standard input; a person is asked for a line at a time, without echo. */
async function readSecret(prompts: readonly string[]): Promise<string> {
  if (!process.stdin.isTTY) return text(process.stdin);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const lines: string[] = [];
  for (const prompt of prompts) {
    process.stderr.write(`${prompt}: `);
    lines.push(await terminal.question(""));
    process.stderr.write("\n");
  }
  terminal.close();
  return lines.join("\n");
}

async function ask(prompt: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(prompt);
  } finally {
    terminal.close();
  }
}

/** Who types, for the audit trail: with sudo, who called it. A container's user may have no name. */
function operatorName(): string {
  try {
    return (process.env.SUDO_USER || userInfo().username).slice(0, 100);
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

process.exitCode = await runProgram(process.argv.slice(2), {
  out: (line) => process.stdout.write(line),
  err: (line) => process.stderr.write(line),
  columns: process.stdout.columns,
  readSecret,
  ...(process.stdin.isTTY && process.stderr.isTTY ? { ask } : {}),
  send: async (request) => sendRequest(readConfig(process.env), { ...request, operator: operatorName() }, log),
});
