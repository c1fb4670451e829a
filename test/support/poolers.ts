import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./server.ts";

const PROGRAM = "/usr/sbin/pgbouncer";
const NOBODY = 65534;

/** A pgbouncer in transaction mode before a server, gone with {@link Pooler.stop}. */
export interface Pooler {
  /** The URL of a database through it. */
  urlOf(database: string): string;
  stop(): Promise<void>;
}

/** Whether this machine has one. */
export const HAS_POOLER = existsSync(PROGRAM);

/** Starts one; `settings` are lines of its `[pgbouncer]`, and `connect_query` what it says to each new session. */
export async function startPooler(
  serverUrl: string,
  { connect_query: query = "select 1", ...settings }: Readonly<Record<string, string>> = {},
): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), "receivables-pooler-"));
  const { hostname, port: serverPort } = new URL(serverUrl);
  const port = await freePort();
  const own = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    auth_type: "any",
    pool_mode: "transaction",
    default_pool_size: 4,
    max_client_conn: 200,
    ...settings,
  };
  const lines = Object.entries(own).map(([name, value]) => `${name} = ${value}`);
  const servers = `* = host=${hostname} port=${serverPort} user=postgres connect_query='${query}'`;
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, ["[databases]", servers, "[pgbouncer]", ...lines, ""].join("\n"));
  chmodSync(folder, 0o755);
  const isRoot = process.getuid?.() === 0;
  const child = spawn(PROGRAM, ["-q", file], {
    stdio: ["ignore", "ignore", "pipe"],
    // It refuses to run as root.
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  let told = "";
  child.stderr.on("data", (chunk) => {
    told += String(chunk);
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  for (let times = 0; !(await isOpen(port)); times += 1) {
    if (times > 200 || child.exitCode !== null) throw new Error(`pgbouncer did not start: ${told}`);
    await sleep(25);
  }
  return {
    urlOf: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    async stop() {
      child.kill("SIGTERM");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
