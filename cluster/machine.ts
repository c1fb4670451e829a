import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type PostgresPrograms, signalServer } from "../test/support/postgres.ts";
import type { Node } from "./ha-settings.ts";
import { processesOf, type Running, startProgram } from "./programs.ts";

/** How often nothing is to be found of a machine before it counts as dead. */
const QUIET_LOOKS = 3;
const LOOK_MS = 50;

/** One of the two servers with its Patroni, to be treated as machines are treated by fate. */
export class Machine {
  readonly node: Node;
  readonly #programs: PostgresPrograms;
  #patroni: Running | undefined;

  constructor(programs: PostgresPrograms, node: Node) {
    this.#programs = programs;
    this.node = node;
  }

  /** Patroni's file of it. */
  get file(): string {
    return join(this.#programs.root, `${this.node.name}.yaml`);
  }

  /** For the first time, or after it died; as a new standby if its data is not to be trusted. */
  start({ isNew = false } = {}): void {
    const { name, port, data } = this.node;
    if (isNew) rmSync(data, { recursive: true, force: true });
    // Of one that was killed: while nobody has taken notice of its end, it counts as running.
    for (const left of ["", ".lock"]) rmSync(join(this.#programs.root, `.s.PGSQL.${port}${left}`), { force: true });
    this.#patroni = startProgram(this.#programs, name, "patroni", [this.file]);
  }

  /** Patroni and PostgreSQL are killed at once, in any state; resolves once nothing of them is left. */
  async kill(): Promise<void> {
    const ended = this.#patroni?.end();
    signalServer(this.node.data, "SIGKILL");
    await ended;
    // Patroni may have been about to start PostgreSQL, or a program that mends its data: that goes on by itself.
    for (let quiet = 0; quiet < QUIET_LOOKS; quiet = this.#killRest() ? 0 : quiet + 1) await sleep(LOOK_MS);
  }

  /** The same as this process ends. */
  orphanNone(): void {
    this.#patroni?.signal("SIGKILL");
    signalServer(this.node.data, "SIGKILL");
    this.#killRest();
  }

  /** Whether anything was left. */
  #killRest(): boolean {
    const left = processesOf(this.node.data);
    for (const pid of left) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended meanwhile.
      }
    }
    return left.length > 0;
  }

  /** It stands still (SIGSTOP): connections are taken, and nothing is answered. */
  freeze(): void {
    this.#patroni?.signal("SIGSTOP");
    signalServer(this.node.data, "SIGSTOP");
  }

  thaw(): void {
    signalServer(this.node.data, "SIGCONT");
    this.#patroni?.signal("SIGCONT");
  }

  /** What its Patroni wrote last. */
  get lastWords(): string {
    return (this.#patroni?.log() ?? "").split("\n").slice(-12).join("\n");
  }

  /** Whether its Patroni says that it is the primary, and may. */
  async isPrimary(): Promise<boolean> {
    return (await ask(this.node.restPort, "primary"))?.ok === true;
  }
}

/** One that stands still is not waited for. */
const ASK_MS = 1_000;

/** What an HTTP server on loopback says; null where it does not say it in time. */
export async function ask(port: number, path: string): Promise<{ readonly ok: boolean; readonly text: string } | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/${path}`, { signal: AbortSignal.timeout(ASK_MS) });
    return { ok: answer.ok, text: await answer.text() };
  } catch {
    return null;
  }
}
