import pg from "pg";
import { EmbeddedSocket } from "../driver/embedded-socket.ts";
import type { EmbeddedProgram } from "../embedded/embedded.ts";
import type { PoolState } from "../store.ts";
import { parserOf } from "../types.ts";
import { type DatabaseServer, ServerClient } from "./database-server.ts";
import { CONNECT_MS, KEEP_ALIVE_MS } from "./limits.ts";
import { assertOwnSession, sessionOptions } from "./session.ts";

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

/** How many connections a pool has, and how many wait for one. */
export function stateOf(name: string, { totalCount, idleCount, waitingCount }: pg.Pool): PoolState {
  return { pool: name, used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
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
