import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { initArguments, postgresPrograms, signalServer, startArguments } from "../test/support/postgres.ts";
import { freePort } from "../test/support/server.ts";

/** Where the nodes of a cluster are. */
export interface CitusNodes {
  /** URL of the coordinator, to append a database's name to: `postgres://…:port/`. */
  readonly url: string;
  /** The same of each worker. */
  readonly workers: readonly string[];
}

/** A coordinator and its workers on loopback, gone with whoever started them. */
export interface CitusCluster extends CitusNodes {
  /** A new database; its URL. */
  createDatabase(name: string): Promise<string>;
  /** What a worker wrote into its log since it was started. */
  logOf(worker: number): string;
  /** Stops one worker, in order or as a crash does; resolves once it has ended. */
  stopWorker(worker: number, how: "fast" | "immediate"): Promise<void>;
  startWorker(worker: number): Promise<void>;
  stop(): void;
}

interface CitusOptions {
  /** Has workers log every statement. */
  readonly logsStatements?: boolean;
  /** Into which each table is divided; with fewer a database is made in less time. */
  readonly shards?: number;
}

const FEW_SHARDS = 4;

const WORKERS = 2;
/** What every node is started with, as in deploy/compose-citus.yaml. */
export const NODE_SETTINGS: readonly string[] = [
  "shared_preload_libraries=citus",
  "wal_level=logical",
  "max_prepared_transactions=300",
  "citus.node_connection_timeout=10000",
];
const SETTINGS = [...NODE_SETTINGS, "citus.node_conninfo=sslmode=disable"].map((setting) => `-c ${setting}`).join(" ");

/** The user of docs/operate.md. Tests that look past the service are the superuser. */
const SERVICE_USER = "receivables";
const SUPERUSER = "postgres";

/** What keeps this machine from having such a cluster, in words. */
export const citusMissing = (): string => (hasCitus() ? "no PostgreSQL here" : "no extension citus here");

/** Whether the programs there have the extension. */
export function hasCitus(): boolean {
  return ["/usr/share/postgresql"].some((share) =>
    ["13", "14", "15", "16", "17", "18"].some((version) => existsSync(join(share, version, "extension/citus.control"))),
  );
}

/** Starts them; null where there is no such extension. */
export async function startCitus({
  logsStatements = false,
  shards = FEW_SHARDS,
}: CitusOptions = {}): Promise<CitusCluster | null> {
  const programs = hasCitus() ? postgresPrograms() : null;
  if (programs === null) return null;
  const { root, run, runAside } = programs;
  const nodes: { port: number; data: string }[] = [];
  for (let place = 0; place <= WORKERS; place += 1)
    nodes.push({ port: await freePort(), data: join(root, `node-${place}`) });
  const [coordinator, ...workers] = nodes;
  if (coordinator === undefined) throw new Error("a cluster has a coordinator");

  const start = ({ data, port }: { data: string; port: number }): string[] =>
    startArguments(root, data, port).map((argument) => {
      if (!argument.startsWith("-p ")) return argument;
      const isLogged = logsStatements && port !== coordinator.port;
      return `${argument} ${SETTINGS} -c citus.shard_count=${shards}${isLogged ? " -c log_statement=all -c log_line_prefix='%c '" : ""}`;
    });
  const urlOf = ({ port }: { port: number }, database = ""): string =>
    `postgres://${SUPERUSER}@127.0.0.1:${port}/${database}`;
  const nodeAt = (worker: number): { port: number; data: string } => {
    const node = workers[worker];
    if (node === undefined) throw new Error(`there is no worker ${worker}`);
    return node;
  };

  run("initdb", initArguments(coordinator.data));
  for (const { data } of workers) execFileSync("cp", ["-a", coordinator.data, data]);
  await Promise.all(nodes.map((node) => runAside("pg_ctl", start(node))));
  const where = { url: urlOf(coordinator), workers: workers.map((node) => urlOf(node)) };
  await Promise.all(where.workers.map((url) => letCitusRead(`${url}postgres`)));
  for (const node of [where.url, ...where.workers])
    await asAdmin(`${node}postgres`, [`create role ${SERVICE_USER} login createrole`]);
  return {
    ...where,
    createDatabase: (name) => createCitusDatabase(where, name, SERVICE_USER),
    logOf: (worker) => readFileSync(join(root, `log-${nodeAt(worker).port}`), "utf8"),
    stopWorker: (worker, how) => runAside("pg_ctl", ["-D", nodeAt(worker).data, "-m", how, "-w", "-t", "60", "stop"]),
    startWorker: (worker) => runAside("pg_ctl", start(nodeAt(worker))),
    stop() {
      for (const { data } of nodes) signalServer(data, "SIGKILL");
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** A new database on every node, with the extension, the workers known to the coordinator; its owner's URL. */
export async function createCitusDatabase(
  { url, workers }: CitusNodes,
  name: string,
  owner = SUPERUSER,
): Promise<string> {
  await Promise.all(
    [url, ...workers].map(async (node) => {
      await asAdmin(`${node}postgres`, [`create database ${name} owner ${owner}`]);
      await asAdmin(`${node}${name}`, ["create extension citus"]);
    }),
  );
  await asAdmin(`${url}${name}`, [
    `select citus_set_coordinator_host('127.0.0.1', ${portOf(url)})`,
    ...workers.map((worker) => `select citus_add_node('127.0.0.1', ${portOf(worker)})`),
  ]);
  return `${url.replace(`${SUPERUSER}@`, `${owner}@`)}${name}`;
}

/** A new database with all that is in another one, which nobody may use meanwhile; its URL. */
export async function copyCitusDatabase({ url, workers }: CitusNodes, from: string, name: string): Promise<string> {
  const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${from}'`;
  await Promise.all(
    [url, ...workers].map((node) => asAdmin(`${node}postgres`, [end, `create database ${name} template ${from}`])),
  );
  return `${url}${name}`;
}

export async function dropCitusDatabase({ url, workers }: CitusNodes, name: string): Promise<void> {
  for (const node of [url, ...workers])
    await asAdmin(`${node}postgres`, [`drop database if exists ${name} with (force)`]);
}

/** Security releases of PostgreSQL want to be told that Citus may read changes, which it does when it moves shards. */
async function letCitusRead(url: string): Promise<void> {
  const found = await asAdmin(url, ["select from pg_settings where name = 'output_plugin_libraries'"]);
  if (found === 0) return;
  await asAdmin(url, ["alter system set output_plugin_libraries = 'pgoutput', 'citus'", "select pg_reload_conf()"]);
}

const portOf = (url: string): string => new URL(url).port;

/** Rows of the last of some statements. */
async function asAdmin(url: string, statements: readonly string[]): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows = 0;
    for (const statement of statements) rows = (await client.query(statement)).rowCount ?? 0;
    return rows;
  } finally {
    await client.end();
  }
}
