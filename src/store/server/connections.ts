import pg from "pg";
import { EmbeddedSocket } from "../driver/embedded-socket.ts";
import type { EmbeddedProgram } from "../embedded/embedded.ts";
import type { PoolState } from "../store.ts";
import { UnreadableValue } from "../unavailable.ts";
import { type DatabaseServer, ServerClient } from "./database-server.ts";
import { assertOwnSession, CONNECT_MS, KEEP_ALIVE_MS, sessionOptions } from "./session.ts";

const DATE = 1082;
const TIMESTAMPTZ = 1184;
const INT8 = 20;
const NUMERIC = 1700;
const TEXT = 25;
const VARCHAR = 1043;
const UUID = 2950;

/** Reads what is its own text. */
const asIs = (text: string): string => text;
/** Both stores write instants in UTC: `2026-03-10 15:00:00.123+00`, fractions as short as they can be. */
const UTC = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/;

/** ISO 8601 UTC with milliseconds; put together from the text, which costs a tenth of reading it as a date. */
function instant(text: string) {
  const isWhole = text.length === 26 && text.endsWith("+00") && text[10] === " " && text[19] === ".";
  if (isWhole) return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`;
  const [, date, time, fraction = ""] = UTC.exec(text) ?? [];
  if (date === undefined) throw new UnreadableValue(`an instant in UTC, and not ${text}`);
  return `${date}T${time}.${fraction.padEnd(3, "0")}Z`;
}

/** How both stores hand values over: nothing becomes a Date or a float on its way out of the store. */
const parsers = new Map<number, (text: string) => unknown>([
  [DATE, asIs],
  [TIMESTAMPTZ, instant],
  [INT8, asIs],
  [NUMERIC, asIs],
  [TEXT, asIs],
  [VARCHAR, asIs],
  [UUID, asIs],
]);

/** Reads a value of that type, which PostgreSQL knows by a number. */
function parserOf(type: number): (text: string) => unknown {
  const known = parsers.get(type);
  if (known !== undefined) return known;
  const parser = pg.types.getTypeParser(type);
  parsers.set(type, parser);
  return parser;
}

interface ServerConnections {
  server: DatabaseServer;
  /** Null behind a pooler: each transaction takes its own. */
  role: string | null;
  max: number;
  /** After which an idle connection is given back, in milliseconds. */
  idleMs: number;
}

/** Connections to a PostgreSQL server that act in one role, in UTC. */
export function serverConnections({ server, role, max, idleMs }: ServerConnections): pg.Pool {
  const { connectionString, options } = server.address;
  class Client extends ServerClient {
    protected override readonly mayFindOut = false;

    constructor(config?: pg.ClientConfig) {
      super(config, server);
    }
  }
  return poolOf({
    ...REACHING,
    connectionString,
    max,
    Client,
    idleTimeoutMillis: idleMs,
    ...(role === null ? {} : { options: `${options} ${sessionOptions(role)}`.trim() }),
    ...(role === null ? {} : { onConnect: (client) => assertOwnSession(client, server.setting, role) }),
  });
}

/** A connection to a PostgreSQL server as the owner of the tables. It may take as long as it likes. */
export function ownerConnections(server: DatabaseServer): pg.Pool {
  class Client extends ServerClient {
    constructor(config?: pg.ClientConfig) {
      super(config, server);
    }
  }
  const { connectionString, options } = server.address;
  const onConnect = (client: pg.ClientBase): Promise<void> => assertOwnSession(client, server.setting, null);
  return surviving(new pg.Pool({ ...REACHING, connectionString, options, max: 1, Client, onConnect }));
}

/** One connection of its own, as the login user. */
export function loneConnection(server: DatabaseServer): ServerClient {
  const { connectionString, options } = server.address;
  return new ServerClient({ ...REACHING, connectionString, options, pipeline: true }, server);
}

/** The one connection to the embedded store, in a role, or in that of its owner. */
export function embeddedConnections(program: EmbeddedProgram, role: string | null): pg.Pool {
  return poolOf({
    max: 1,
    host: "embedded",
    user: "postgres",
    database: "postgres",
    ssl: false,
    idleTimeoutMillis: 0,
    stream: () => new EmbeddedSocket(() => program.session()),
    async onConnect(client) {
      // The session is older than the connection and may hold an earlier one's state.
      await client.query("rollback");
      await client.query("discard all");
      if (role !== null) await client.query(`set role ${role}`);
    },
  });
}

/** How many connections a pool has, and how many wait for one: `inTurn` have yet to come to it. */
export function stateOf(name: string, { totalCount, idleCount, waitingCount }: pg.Pool, inTurn = 0): PoolState {
  // The pool hands out idle ones a moment later.
  const waiting = Math.max(0, waitingCount - idleCount) + inTurn;
  return { pool: name, used: totalCount - idleCount, idle: idleCount, waiting };
}

/** How long a server is waited for, and how a connection to one that is gone is noticed by the system. */
const REACHING = {
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
} as const;

/** Connections that take a statement before they have answered the one before, and hand values over as {@link parserOf} has it. */
function poolOf(config: pg.PoolConfig): pg.Pool {
  return surviving(new pg.Pool({ ...config, types: { getTypeParser: parserOf }, pipeline: true }));
}

/** The same pool, whose connections may break at any time without ending the process. */
function surviving(pool: pg.Pool): pg.Pool {
  // The server ended an idle connection, or one being closed; the pool makes a new one when it needs it.
  pool.on("error", () => undefined);
  // The pool does not listen on a connection that is lent out; its next statement fails.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}
