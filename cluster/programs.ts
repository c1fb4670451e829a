import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { PostgresPrograms } from "../test/support/postgres.ts";

/** Where Debian keeps what it starts as a service, besides what is on the path. */
const SYSTEM = ["/usr/sbin", "/usr/local/sbin"];

/** Those of some programs that this machine does not have. */
export function missing(programs: readonly string[]): string[] {
  const places = [...(process.env.PATH ?? "").split(delimiter), ...SYSTEM];
  return programs.filter((program) => !places.some((place) => existsSync(join(place, program))));
}

/** A program that runs until it is ended. */
export interface Running {
  /** What it wrote. */
  log(): string;
  signal(name: NodeJS.Signals): void;
  /** Ends it, by SIGKILL unless told otherwise; resolves once it is gone. */
  end(name?: NodeJS.Signals): Promise<void>;
}

/** Starts one as the user whom PostgreSQL agrees to run as; it writes into `<name>.log` of the cluster's folder. */
export function startProgram(
  { root, as }: PostgresPrograms,
  name: string,
  program: string,
  args: readonly string[],
): Running {
  const file = join(root, `${name}.log`);
  const out = openSync(file, "a");
  const env = { ...as.env, PATH: [as.env.PATH, ...SYSTEM].join(delimiter) };
  const child = spawn(program, args, { ...as, env, stdio: ["ignore", out, out] });
  const ended = once(child, "exit");
  return {
    log: () => readFileSync(file, "utf8"),
    signal: (signal) => void child.kill(signal),
    async end(signal = "SIGKILL") {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        await ended;
      }
    },
  };
}

/** Processes that work in a folder, or were told of it: a server, and what makes or mends its data. */
export function processesOf(folder: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      const command = readFileSync(join("/proc", name, "cmdline"), "utf8");
      return command.includes(folder) || readlinkSync(join("/proc", name, "cwd")) === folder ? [Number(name)] : [];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}
