import { EventEmitter } from "node:events";
import { Kysely, type Logger, PostgresDialect, sql } from "kysely";
import { Migrator } from "kysely/migration";
import pg from "pg";
import { statements as statementSignals } from "../signals.ts";
import { BatchingSocket } from "./batching-socket.ts";
import { EmbeddedPool } from "./embedded.ts";
import { migrations } from "./migrations/index.ts";
import { PreparedPool } from "./prepared-pool.ts";
import { CREATE_ROLES, GRANT_ROLES, ROLES } from "./roles.ts";
import { type Backend, NOTICES_MISSED, type Notice, type PoolState, Store } from "./store.ts";
import type { Tables } from "./tables.ts";
import { TransactionPool } from "./transaction-pool.ts";
import { PARSERS } from "./types.ts";

const CHANNEL = "receivables";

/** Opens the embedded store below `dataDirectory`; in memory when null. Throws StoreLockedError. */
export async function openEmbedded(dataDirectory: string | null): Promise<Store> {
  const pool = await EmbeddedPool.open(dataDirectory);
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), ...tellingOfStatements() });
  await migrate(database);
  pool.sessionStart = `set role ${ROLES.tenant}`;
  await sql.raw(pool.sessionStart).execute(database);
  const notices = new EventEmitter();
  notices.setMaxListeners(0);
  const backend: Backend = {
    kind: "embedded",
    database,
    statements: null,
    pools: () => [pool.state()],
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
    close: () => database.destroy(),
  };
  return new Store(backend);
}

/** Opens a PostgreSQL store; migrations run under a lock, so that several processes may start together. */
export async function openPostgres(connectionString: string, options: { poolSize?: number } = {}): Promise<Store> {
  const owner = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString, max: 1 }) }),
  });
  try {
    await migrate(owner);
  } finally {
    await owner.destroy();
  }
  const poolSize = options.poolSize ?? 10;
  const pool = connections(connectionString, ROLES.tenant, poolSize);
  const lookups = connections(connectionString, ROLES.system, Math.ceil(poolSize / 4));
  const telling = tellingOfStatements();
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new TransactionPool(pool) }),
    ...telling,
  });
  const statements = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new PreparedPool(lookups) }),
    ...telling,
  });
  const listener = new NoticeListener(connectionString);
  const backend: Backend = {
    kind: "postgres",
    database,
    statements,
    pools: () => [stateOf("transactions", pool), stateOf("lookups", lookups)],
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

/** Connections that act in one role, and take a statement before they have answered the one before. */
function connections(connectionString: string, role: string, max: number): pg.Pool {
  const options = `-c role=${role} -c timezone=UTC -c jit=off`;
  const pool = new pg.Pool({
    connectionString,
    max,
    options,
    types: { getTypeParser },
    pipeline: true,
    // A timer for each release would be a part of what a short call costs, and these connections are few.
    idleTimeoutMillis: 0,
    stream: () => new BatchingSocket(),
  });
  // An idle connection the server closed is replaced by the pool; without a listener it would end the process.
  pool.on("error", () => undefined);
  // One that breaks while it is lent out tells whoever asks it next; the pool listens to the idle ones alone.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

function stateOf(name: string, { totalCount, idleCount, waitingCount }: pg.Pool): PoolState {
  return { pool: name, used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

/** Statements are timed where somebody follows them as the store is opened. */
function tellingOfStatements(): { log?: Logger } {
  if (!statementSignals.isFollowed) return {};
  const log: Logger = ({ level, query, queryDurationMillis: milliseconds }) =>
    statementSignals.tell({ sql: query.sql, milliseconds, failed: level === "error" });
  return { log };
}

const parsers = new Map<number, (text: string) => unknown>(
  Object.entries(PARSERS).map(([oid, parser]) => [Number(oid), parser]),
);

function getTypeParser(oid: number): (text: string) => unknown {
  const known = parsers.get(oid);
  if (known !== undefined) return known;
  const parser = pg.types.getTypeParser(oid);
  parsers.set(oid, parser);
  return parser;
}

async function migrate(database: Kysely<Tables>): Promise<void> {
  for (const statement of CREATE_ROLES) await sql.raw(statement).execute(database);
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  for (const statement of GRANT_ROLES) await sql.raw(statement).execute(database);
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
