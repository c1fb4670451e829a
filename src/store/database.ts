import { EventEmitter } from "node:events";
import { isDeepStrictEqual } from "node:util";
import { Kysely, type Logger, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { statements as statementSignals } from "../signals.ts";
import { embeddedConnections, ownerConnections, serverConnections, stateOf } from "./connections.ts";
import { EmbeddedProgram } from "./embedded.ts";
import { loadMigrations, MIGRATION_NAMES } from "./migrations/index.ts";
import { knownName, repeatedName } from "./prepared.ts";
import { CREATE_ROLES, GRANT_ROLES, ROLES, ROLES_IN_ORDER } from "./roles.ts";
import { StatementPool } from "./statement-pool.ts";
import { type Backend, NOTICES_MISSED, type Notice, Store } from "./store.ts";
import type { Tables } from "./tables.ts";
import { TransactionPool } from "./transaction-pool.ts";

const CHANNEL = "receivables";

/** Opens the embedded store below `dataDirectory`; in memory when null. Throws StoreLockedError. */
export async function openEmbedded(dataDirectory: string | null): Promise<Store> {
  const program = await EmbeddedProgram.open(dataDirectory);
  try {
    await migrateAs(embeddedConnections(program, null));
  } catch (error) {
    await program.close();
    throw error;
  }
  const pool = embeddedConnections(program, ROLES.tenant);
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new TransactionPool(pool, repeatedName()) }),
    ...tellingOfStatements(),
  });
  const notices = new EventEmitter();
  notices.setMaxListeners(0);
  const backend: Backend = {
    kind: "embedded",
    database,
    statements: null,
    pools: () => [stateOf("embedded", pool)],
    async publish(notice) {
      notices.emit("notice", notice);
    },
    subscribe(listener) {
      notices.on("notice", listener);
      return () => notices.off("notice", listener);
    },
    maintain: () =>
      database.connection().execute(async (connection) => {
        await sql.raw("reset role").execute(connection);
        try {
          await sql.raw("vacuum analyze").execute(connection);
          await sql.raw("checkpoint").execute(connection);
        } finally {
          await sql.raw(`set role ${ROLES.tenant}`).execute(connection);
        }
      }),
    async close() {
      await database.destroy();
      await program.close();
    },
  };
  return new Store(backend);
}

/** Opens a PostgreSQL store; migrations run under a lock, so that several processes may start together. */
export async function openPostgres(connectionString: string, options: { poolSize?: number } = {}): Promise<Store> {
  await migrateAs(ownerConnections(connectionString));
  const poolSize = options.poolSize ?? 10;
  const pool = serverConnections({ connectionString, role: ROLES.tenant, max: poolSize });
  const lookups = new StatementPool(
    serverConnections({ connectionString, role: ROLES.system, max: Math.ceil(poolSize / 4), later: setImmediate }),
  );
  const telling = tellingOfStatements();
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new TransactionPool(pool, knownName) }),
    ...telling,
  });
  const statements = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: lookups }), ...telling });
  const listener = new NoticeListener(connectionString);
  const backend: Backend = {
    kind: "postgres",
    database,
    statements,
    pools: () => [stateOf("transactions", pool), lookups.state("lookups")],
    async publish(notice) {
      await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(notice)})`.execute(database);
    },
    subscribe: (listen) => listener.subscribe(listen),
    maintain: async () => undefined,
    async close() {
      await listener.close();
      await statements.destroy();
      await database.destroy();
    },
  };
  await listener.start();
  return new Store(backend);
}

/** Statements are timed where somebody follows them as the store is opened. */
function tellingOfStatements(): { log?: Logger } {
  if (!statementSignals.isFollowed) return {};
  const log: Logger = ({ level, query, queryDurationMillis: milliseconds }) =>
    statementSignals.tell({ sql: query.sql, milliseconds, failed: level === "error" });
  return { log };
}

/** Brings the tables up to date over connections of their owner, and ends these. */
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
  } finally {
    await database.destroy();
  }
}

/** Whether there is nothing to do, as at most starts: the migrator's look at every table is a third of a start. */
async function isUpToDate(database: Kysely<Tables>): Promise<boolean> {
  const { rows: found } = await sql<{ isInOrder: boolean }>`
    select (${sql.raw(ROLES_IN_ORDER)}) and to_regclass('kysely_migration') is not null as "isInOrder"`.execute(
    database,
  );
  if (found[0]?.isInOrder !== true) return false;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database);
  return isDeepStrictEqual(new Set(rows.map(({ name }) => name)), new Set(MIGRATION_NAMES));
}

/** One connection of its own that listens for notices, and connects again whenever it is lost. */
class NoticeListener {
  readonly #connectionString: string;
  readonly #notices = new EventEmitter();
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(connectionString: string) {
    this.#connectionString = connectionString;
    this.#notices.setMaxListeners(0);
  }

  async start(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#connectionString });
    client.on("notification", ({ payload }) => {
      const notice: Notice = JSON.parse(payload ?? "{}");
      this.#notices.emit("notice", notice);
    });
    client.on("error", () => this.#again());
    client.on("end", () => this.#again());
    this.#client = client;
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
  }

  subscribe(listener: (notice: Notice) => void): () => void {
    this.#notices.on("notice", listener);
    return () => this.#notices.off("notice", listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#client?.end();
  }

  #again(): void {
    if (this.#closed || this.#retry !== undefined) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.start()
        .then(() => this.#notices.emit("notice", { topic: NOTICES_MISSED, payload: "" } satisfies Notice))
        .catch(() => this.#again());
    }, 1_000);
  }
}
