import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, vi } from "vitest";
import { newAuthority } from "../support/certificates.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const SOURCES = ["src", "auth", "tools", "skills", "well-known", "dev", "docs/guides"];
const CHECKOUT = [".npmrc", "README.md", "package.json", "package-lock.json", "server.json", ...SOURCES];
/** The person that the documents name. */
export const CFO = { email: "cfo@acme.example", password: "correct horse battery staple" };
/** What commands read from standard input. */
const TYPED = {
  "--password-stdin": CFO.password,
  "--client-secret-stdin": "a-secret-of-ours",
  "--secret-key-stdin": "sk_test_operator\nwhsec_first",
  "--webhook-secret-stdin": "whsec_second",
};
/** Values by their names. */
export type Variables = Record<string, string>;
interface Typing extends SpawnOptions {
  settings?: Variables;
  variables?: Variables;
}

/** A checkout of the service on a machine: settings are in the environment, what the operator has noted is in variables of the shell. */
export class Machine {
  readonly home = mkdtempSync(join(tmpdir(), "receivables-operator-"));
  readonly checkout = join(this.home, "receivables");
  readonly settings: Variables;
  readonly variables: Variables;
  #service: ChildProcess | undefined;

  constructor(port: number, settings: Variables, variables: Variables) {
    for (const name of CHECKOUT) cpSync(join(ROOT, name), join(this.checkout, name), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(this.checkout, "node_modules"));
    mkdirSync(join(this.home, "backups"));
    const authority = join(this.home, "authority.pem");
    writeFileSync(authority, newAuthority("An authority of our own").cert);
    // The documents say 3000, where something else may listen.
    const curl = `connect-to = "localhost:3000:localhost:${port}"\nheader = "Host: localhost:${port}"\nsilent\nfail\n`;
    writeFileSync(join(this.home, ".curlrc"), curl);
    this.settings = { PATH: process.env.PATH ?? "", HOME: this.home, PORT: String(port), ...settings };
    this.variables = { BACKUPS: join(this.home, "backups"), AUTHORITY: authority, ...variables };
  }

  get origin(): string {
    return `http://localhost:${this.settings.PORT}`;
  }

  #shell(line: string, { settings, variables, ...options }: Typing): ChildProcess {
    const noted = Object.entries({ ...this.variables, ...variables }).map(([name, value]) => `${name}='${value}'`);
    const env = { ...this.settings, ...settings };
    return spawn("sh", ["-euc", [...noted, line].join("\n")], { cwd: this.checkout, env, ...options });
  }

  /** Has a shell run it; answers what it printed. Fails where it does not end with 0. */
  async type(line: string, typing: Typing = {}): Promise<string> {
    const child = this.#shell(line, typing);
    const [, typed = ""] = Object.entries(TYPED).find(([option]) => line.includes(option)) ?? [];
    // Most commands end without reading it.
    child.stdin?.on("error", () => undefined).end(`${typed}\n`);
    const said = (stream: Readable | null) => (stream === null ? "" : text(stream));
    const [out, err, [code]] = await Promise.all([said(child.stdout), said(child.stderr), once(child, "close")]);
    expect(code, `${line}\n${out}${err}`).toBe(0);
    return out;
  }

  /** Starts the service, in the place of the one that runs, and waits until it says that it is ready. */
  async start(line: string): Promise<void> {
    await this.stop();
    const child = this.#shell(line, { detached: true, stdio: ["ignore", "pipe", "pipe"] });
    this.#service = child;
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (said += String(chunk)));
    const isOver = (): boolean => said.includes("is ready") || child.exitCode !== null;
    await vi.waitUntil(isOver, { timeout: 240_000, interval: 50 });
    if (!said.includes("is ready")) throw new Error(`${line} ended with ${child.exitCode}: ${said}`);
  }

  /** What `aging verify` says of the first workspace. */
  figures(settings: Variables = {}): Promise<string> {
    return this.type("npm run --silent admin -- aging verify --workspace Acme --json", { settings });
  }

  /** They are there some time after the first sync: a copy can be compared with its source from then on. */
  async untilFigures(): Promise<undefined> {
    await expect.poll(() => this.figures(), { timeout: 240_000, interval: 1_000 }).toMatch(/"debts": [1-9]/);
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.home, { recursive: true, force: true });
  }

  /** Ctrl-C. */
  async stop(): Promise<void> {
    const child = this.#service;
    this.#service = undefined;
    if (child?.pid === undefined || child.exitCode !== null) return;
    const ended = once(child, "exit");
    process.kill(-child.pid, "SIGINT");
    await ended;
  }
}
