import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { initArguments, postgresPrograms, signalServer, startArguments } from "./postgres.ts";
import { freePort } from "./server.ts";

/** A primary and its synchronous standby, gone with the test. */
export interface ReplicatedPostgres {
  /** Of a database, with both hosts, whichever is the primary. */
  urlOf(database: string): string;
  /** Of the `postgres` database of one alone: 0 is the primary at first. */
  urlAt(place: number): string;
  /** Which is the primary. */
  readonly primary: number;
  /** Kills the primary (or has it stand still, its connections open) and promotes the standby, which then stands alone. */
  failOver(how: "kill" | "freeze"): Promise<void>;
  /** Makes the other one a standby anew; resolves once it has everything. */
  rebuild(): Promise<void>;
  stop(): void;
}

const PATIENCE_MS = 60_000;
const LOOK_MS = 50;

/** Starts both; null where no binaries are to be had. */
export async function startReplicated(): Promise<ReplicatedPostgres | null> {
  const programs = postgresPrograms();
  if (programs === null) return null;
  const { root, run, runAside } = programs;
  const places = [
    { port: await freePort(), data: join(root, "a") },
    { port: await freePort(), data: join(root, "b") },
  ] as const;
  let primary = 0;
  const at = (place: number) => places[place === 0 ? 0 : 1];
  const urlAt = (place: number): string => `postgres://postgres@127.0.0.1:${at(place).port}/postgres`;
  const control = (place: number, ...args: string[]) => runAside("pg_ctl", ["-D", at(place).data, ...args]);

  /** Nothing is acknowledged that the standby has not got. */
  async function synchronise(): Promise<void> {
    const client = new pg.Client({ connectionString: urlAt(primary) });
    await client.connect();
    try {
      await client.query("alter system set synchronous_standby_names = '*'");
      await client.query("select pg_reload_conf()");
      const latest = Date.now() + PATIENCE_MS;
      for (;;) {
        const { rowCount } = await client.query("select from pg_stat_replication where sync_state = 'sync'");
        if (rowCount === 1) return;
        if (Date.now() > latest) throw new Error("the standby does not follow");
        await sleep(LOOK_MS);
      }
    } finally {
      await client.end();
    }
  }

  async function rebuild(): Promise<void> {
    const standby = 1 - primary;
    const { data, port } = at(standby);
    rmSync(data, { recursive: true, force: true });
    // Of one that was killed: while nobody has taken notice of its end, it counts as running.
    for (const left of ["", ".lock"]) rmSync(join(root, `.s.PGSQL.${port}${left}`), { force: true });
    const from = ["-h", "127.0.0.1", "-p", String(at(primary).port), "-U", "postgres"];
    await runAside("pg_basebackup", [...from, "-D", data, "-R", "-X", "stream", "-c", "fast", "--no-sync"]);
    await runAside("pg_ctl", startArguments(root, data, port));
    await synchronise();
  }

  run("initdb", initArguments(places[0].data));
  run("pg_ctl", startArguments(root, places[0].data, places[0].port));
  await rebuild();
  return {
    urlOf: (database) => {
      const hosts = places.map(({ port }) => `127.0.0.1:${port}`).join(",");
      return `postgresql://postgres@${hosts}/${database}?target_session_attrs=read-write`;
    },
    urlAt,
    get primary() {
      return primary;
    },
    async failOver(how) {
      const old = primary;
      if (how === "kill") await control(old, "-m", "immediate", "stop");
      else signalServer(at(old).data, "SIGSTOP");
      const next = 1 - old;
      // It has no standby of its own to wait for.
      appendFileSync(join(at(next).data, "postgresql.auto.conf"), "synchronous_standby_names = ''\n");
      await control(next, "reload");
      await control(next, "-w", "-t", "60", "promote");
      primary = next;
    },
    rebuild: async () => {
      // One that stood still must not go on as if it were the primary yet.
      signalServer(at(1 - primary).data, "SIGKILL");
      await rebuild();
    },
    stop() {
      for (const { data } of places) signalServer(data, "SIGKILL");
      rmSync(root, { recursive: true, force: true });
    },
  };
}
