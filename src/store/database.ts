import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, type Logger, PostgresDialect, sql } from "kysely";
import type pg from "pg";
import { ConfigError } from "../config.ts";
import { statements as statementSignals } from "../signals.ts";
import { type Backend, waysToServer } from "./backend.ts";
import { distribute, isDistributed, isDistributing } from "./distribution.ts";
import { poolDialect } from "./driver/pool-dialect.ts";
import { named, namedWherePrepared, namedWhereRepeated, unnamed } from "./driver/statements.ts";
import { EmbeddedProgram } from "./embedded/embedded.ts";
import { maintainEmbedded } from "./embedded/maintenance.ts";
import { assertKnown, loadMigrations, MIGRATION_NAMES } from "./migrations/index.ts";
import { embeddedConnections, ownerConnections, serverConnections, stateOf } from "./server/connections.ts";
import { DatabaseServer, ServerClient } from "./server/database-server.ts";
import { CHANNEL, NoticeListener } from "./server/notice-listener.ts";
import { openingProblem } from "./server/opening-problem.ts";
import { CALL_SILENCE_MS, CONNECT_MS, DIRECT_SETTING, FREE_MS, IDLE_MS, LONG_CONNECT_MS } from "./server/session.ts";
import { Workers } from "./server/workers.ts";
import { Store } from "./store.ts";
import type { Tables } from "./tables/index.ts";
import { CREATE_ROLES, DATABASE_ROLES, GRANT_ROLES, ROLES_IN_ORDER } from "./tenancy/roles.ts";
import { TenantTurns } from "./tenant-turns.ts";

/** Opens the embedded store below `dataDirectory`; in memory when null. Throws StoreLockedError. */
export async function openEmbedded(dataDirectory: string | null): Promise<Store> {
  const program = await EmbeddedProgram.open(dataDirectory);
  try {
    await migrateAs(embeddedConnections(program, null));
  } catch (error) {
    await program.close();
    throw error;
  }
  const pool = embeddedConnections(program, DATABASE_ROLES.tenant);
  const assertAnswering = (): void => program.assertThere();
  const opened = { pool, naming: namedWhereRepeated(), answerMs: 0, assertAnswering };
  const database = databaseOver({ ...opened, ...tellingOfStatements() });
  const turns = TenantTurns.atOneConnection();
  const way = { database, settings: "", patienceMs: 0, turns, directoryTurns: turns };
  const brisk: typeof turns.run = (_tenantId, work) => turns.run("", work);
  const notices = new EventEmitter();
  notices.setMaxListeners(0);
  const backend: Backend = {
    kind: "embedded",
    ways: { calls: way, patient: way, brisk: { ...way, turns: { run: brisk } } },
    statements: null,
    workers: () => null,
    pools: () => [stateOf("embedded", pool)],
    async publish(notice) {
      notices.emit("notice", notice);
    },
    subscribe(listener) {
      notices.on("notice", listener);
      return () => notices.off("notice", listener);
    },
    isDeaf: () => false,
    maintain: () => maintainEmbedded(database),
    close: once(async () => {
      await database.destroy();
      await pool.end();
      await program.close();
    }),
  };
  return new Store(backend);
}

interface PostgresOptions {
  /** Most connections for transactions. */
  poolSize?: number | undefined;
  /** The way past a pooler that `databaseUrl` leads through. */
  directUrl?: string | null;
  /** Milliseconds after which an idle connection is closed. */
  idleMs?: number;
}

const POOL_SIZE = 10;

/** Opens a PostgreSQL store; migrations run under a lock. Throws ConfigError, also for a pooler in the way. */
export async function openPostgres(databaseUrl: string, options: PostgresOptions = {}): Promise<Store> {
  const { poolSize = POOL_SIZE, directUrl = null, idleMs = IDLE_MS } = options;
  const server = DatabaseServer.at(databaseUrl);
  const direct = directUrl === null ? server : DatabaseServer.at(directUrl, DIRECT_SETTING);
  const isPooled = server !== direct;

  const assertAnswering = (): void => server.assertAnswering();
  const isUsable = (client: pg.PoolClient): boolean => !(client instanceof ServerClient && client.isReadOnly);
  const opened = { assertAnswering, isUsable, ...tellingOfStatements() };
  const pool = serverConnections({ server, role: isPooled ? null : DATABASE_ROLES.tenant, max: poolSize, idleMs });
  const transactions = { ...opened, pool, naming: isPooled ? unnamed : namedWherePrepared };
  const quick = { answerMs: CALL_SILENCE_MS, freeMs: FREE_MS };
  const calls = databaseOver({ ...transactions, ...quick });
  const patient = databaseOver({ ...transactions, answerMs: 0, patienceMs: LONG_CONNECT_MS });
  const max = Math.ceil(poolSize / 4);
  const lookups = isPooled ? null : serverConnections({ server, role: DATABASE_ROLES.system, max, idleMs });
  const statements = lookups && databaseOver({ ...opened, ...quick, pool: lookups, naming: named, isShared: true });
  const turns = TenantTurns.ofCalls(poolSize);
  const directoryTurns = TenantTurns.ofDirectory(poolSize);
  let workers: Workers | null = null;
  const listener = new NoticeListener({ server: direct, listens: true });
  const pulse = isPooled ? new NoticeListener({ server, listens: false }) : null;
  const store = new Store({
    kind: "postgres",
    ways: waysToServer({ calls, patient, isPooled, poolSize, directoryTurns, turns }),
    statements,
    workers: () => workers,
    pools: () => [
      stateOf("transactions", pool, turns.waiting + directoryTurns.waiting),
      ...(lookups === null ? [] : [stateOf("lookups", lookups)]),
    ],
    async publish(notice) {
      await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(notice)})`.execute(calls);
    },
    subscribe(listen) {
      const ends = [listener.subscribe(listen), pulse?.subscribe(listen)];
      return () => {
        for (const end of ends) end?.();
      };
    },
    isDeaf: () => listener.isDeaf,
    maintain: async () => undefined,
    close: once(async () => {
      await Promise.all([listener.close(), pulse?.close()]);
      await Promise.all([calls, patient, statements].map((database) => database?.destroy()));
      await Promise.all([pool.end(), lookups?.end()]);
    }),
  });
  await started(store, { server, direct, listener, pulse });
  if (await isDistributing(calls)) workers = new Workers((work) => store.directory(work));
  return store;
}

interface Opening {
  readonly server: DatabaseServer;
  readonly direct: DatabaseServer;
  readonly listener: NoticeListener;
  /** Behind a pooler: notices that the connection through it is lost. */
  readonly pulse: NoticeListener | null;
}

/** Connects, migrates and checks a store that was put together; closes it where that fails. */
async function started(store: Store, { server, direct, listener, pulse }: Opening): Promise<void> {
  const isPooled = pulse !== null;
  /** The server whose fault a failure is. */
  let asked = direct;
  try {
    await listener.start();
    asked = server;
    await pulse?.start();
    if (isPooled) await assertSameDatabase(store);
    asked = direct;
    await migrateAs(ownerConnections(direct));
    asked = server;
    // Finds a pooler that nobody configured before the first call does.
    await store.ping();
  } catch (error) {
    await store.close();
    throw openingProblem(error, { server: asked, isPooled });
  }
}

/** Throws ConfigError unless a notice sent through the pooler arrives on the direct connection, as revocations must. */
async function assertSameDatabase(store: Store): Promise<void> {
  const word = randomUUID();
  const { promise: heard, resolve: hear } = Promise.withResolvers<boolean>();
  const stop = store.subscribe(({ payload }) => {
    if (payload === word) hear(true);
  });
  await store.publish({ topic: "start", payload: word });
  const isSame = await Promise.race([heard, sleep(CONNECT_MS, false, { ref: false })]);
  stop();
  if (!isSame) throw new ConfigError(`${DIRECT_SETTING}: must lead to the database that DATABASE_URL leads to`);
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

type DatabaseOptions = Parameters<typeof poolDialect>[0] & { log?: Logger };

function databaseOver({ log, ...options }: DatabaseOptions): Kysely<Tables> {
  return new Kysely({ dialect: poolDialect(options), ...(log === undefined ? {} : { log }) });
}

/** Times statements if something follows that signal when the store is opened. */
function tellingOfStatements(): { log?: Logger } {
  if (!statementSignals.isFollowed) return {};
  const log: Logger = ({ level, query, queryDurationMillis: milliseconds }) =>
    statementSignals.tell({ sql: query.sql, milliseconds, failed: level === "error" });
  return { log };
}

/** Runs the migrations over connections of the tables' owner, and ends these. */
async function migrateAs(owner: pg.Pool): Promise<void> {
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: owner }) });
  try {
    if (await isUpToDate(database)) return;
    for (const statement of CREATE_ROLES) await sql.raw(statement).execute(database);
    const { Migrator } = await import("kysely/migration");
    const migrator = new Migrator({ db: database, provider: { getMigrations: loadMigrations } });
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
    for (const statement of GRANT_ROLES) await sql.raw(statement).execute(database);
    if (await isDistributing(database)) await distribute(database);
  } finally {
    await database.destroy();
  }
}

/** Whether there is nothing to do, as at most starts: running the migrator takes a third of a start. Throws ConfigError. */
async function isUpToDate(database: Kysely<Tables>): Promise<boolean> {
  const { rows: found } = await sql<{ isInOrder: boolean; isMigrated: boolean }>`
    select (${sql.raw(ROLES_IN_ORDER)}) as "isInOrder", to_regclass('kysely_migration') is not null as "isMigrated"`.execute(
    database,
  );
  if (found[0]?.isMigrated !== true) return false;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database);
  assertKnown(rows.map(({ name }) => name));
  if (!found[0].isInOrder || rows.length < MIGRATION_NAMES.length) return false;
  return !(await isDistributing(database)) || (await isDistributed(database));
}
