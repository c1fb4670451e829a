/**
 * `npm run cluster -- ha|citus [--through hosts|haproxy] [-- COMMAND …]`: PostgreSQL on more than one server, on loopback. With
 * a command, that is run with its `DATABASE_URL`; without one, two processes of the service with the demo, until Ctrl-C.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { FLEET_KEY, startFleet } from "../test/support/fleet.ts";
import { readDemo, startServer } from "../test/support/server.ts";
import { startScript } from "../test/support/start-script.ts";
import { citusMissing, startCitus } from "./citus.ts";
import { haMissing, startHa } from "./ha.ts";

/** A cluster that runs. */
interface Started {
  /** What runs where, a line each. */
  readonly parts: readonly string[];
  /** Of an empty database. */
  readonly databaseUrl: string;
  /** What a command gets besides, such as where the tests make databases of their own. */
  readonly environment?: Readonly<Record<string, string>>;
  stop(): unknown;
}

const DATABASE = "receivables";
const USAGE = "usage: npm run cluster -- ha|citus [--through hosts|haproxy] [-- COMMAND …]\n";

const CLUSTERS: Readonly<Record<string, (through: string) => Promise<Started | { readonly leftOut: string }>>> = {
  async ha(through) {
    const cluster = await startHa();
    if (cluster === null) return { leftOut: haMissing() ?? "no PostgreSQL here" };
    await cluster.createDatabase(DATABASE);
    const databaseUrl = cluster.urlOf(DATABASE, through === "haproxy" ? "haproxy" : "hosts");
    return { parts: cluster.parts, databaseUrl, stop: () => cluster.stop() };
  },
  async citus() {
    const cluster = await startCitus();
    if (cluster === null) return { leftOut: citusMissing() };
    const databaseUrl = await cluster.createDatabase(DATABASE);
    const workers = cluster.workers.map((url) => `worker: ${new URL(url).host}`);
    return {
      parts: [`coordinator: ${new URL(cluster.url).host}`, ...workers],
      databaseUrl,
      environment: { TEST_CITUS: JSON.stringify({ url: cluster.url, workers: cluster.workers }) },
      stop: () => cluster.stop(),
    };
  },
};

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Runs the command to its end; its exit code. */
async function runCommand([program = "", ...args]: readonly string[], started: Started): Promise<number> {
  const env = { ...process.env, ...started.environment, DATABASE_URL: started.databaseUrl };
  const child = spawn(program, args, { stdio: "inherit", env });
  const [code] = await once(child, "exit");
  return typeof code === "number" ? code : 1;
}

/** Two processes on one address, on a store that has the demo, until `stopped`. */
async function runService(databaseUrl: string, stopped: Promise<unknown>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "receivables-cluster-"));
  const { environment, flags } = startScript();
  const shared = { ...environment, DATABASE_URL: databaseUrl, ENCRYPTION_KEY: FLEET_KEY.toString("base64") };
  try {
    const seeding = await startServer(folder, { ...shared, DEMO: "on", LOG_LEVEL: "warn" }, flags);
    await seeding.stop();
    const fleet = await startFleet(2, shared, flags);
    try {
      const { people, api_keys: keys } = readDemo(folder);
      say(`the service, two processes: ${fleet.url}`);
      for (const { email, password, role } of people) say(`  ${role}: ${email}  ${password}`);
      for (const { name, permission, key } of keys) say(`  API key ${name} (${permission}): ${key}`);
      say("Ctrl-C ends it all");
      await stopped;
    } finally {
      await fleet.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return 0;
}

const split = process.argv.indexOf("--", 2);
const own = process.argv.slice(2, split === -1 ? undefined : split);
const command = split === -1 ? [] : process.argv.slice(split + 1);
const { values, positionals } = parseArgs({
  args: own,
  allowPositionals: true,
  options: { through: { type: "string", default: "hosts" } },
});
const [name = "", ...others] = positionals;
const start = CLUSTERS[name];
if (start === undefined || others.length > 0 || !/^(hosts|haproxy)$/.test(values.through)) {
  process.stderr.write(USAGE);
  process.exit(1);
}

const stopped = new Promise<void>((resolve) => {
  // A command on the same terminal gets the signal too, and ends by itself.
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => resolve());
});
const cluster = await start(values.through);
if ("leftOut" in cluster) {
  say(`${name} left out: ${cluster.leftOut}`);
  process.exit(0);
}
try {
  for (const part of cluster.parts) say(part);
  say(`DATABASE_URL=${cluster.databaseUrl}`);
  process.exitCode = await (command.length > 0
    ? runCommand(command, cluster)
    : runService(cluster.databaseUrl, stopped));
} finally {
  await cluster.stop();
}
