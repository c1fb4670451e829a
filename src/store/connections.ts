import pg from "pg";
import { BatchingSocket } from "./batching-socket.ts";
import type { EmbeddedProgram } from "./embedded.ts";
import { EmbeddedSocket } from "./embedded-socket.ts";
import { RowClient } from "./row-client.ts";
import type { PoolState } from "./store.ts";
import { parserOf } from "./types.ts";

interface ServerConnections {
  connectionString: string;
  role: string;
  max: number;
  /** Says when to send what was said (see {@link BatchingSocket}). */
  later?: (send: () => void) => void;
}

/** Connections to a PostgreSQL server that act in one role, in UTC. */
export function serverConnections({ connectionString, role, max, later }: ServerConnections): pg.Pool {
  const options = `-c role=${role} -c timezone=UTC -c jit=off`;
  return poolOf({ connectionString, max, options, stream: () => new BatchingSocket(later) });
}

/** A connection to a PostgreSQL server as the owner of the tables. */
export function ownerConnections(connectionString: string): pg.Pool {
  return surviving(new pg.Pool({ connectionString, max: 1 }));
}

/** The one connection to the embedded store, in a role, or in that of its owner. */
export function embeddedConnections(program: EmbeddedProgram, role: string | null): pg.Pool {
  return poolOf({
    max: 1,
    host: "embedded",
    user: "postgres",
    database: "postgres",
    ssl: false,
    stream: () => new EmbeddedSocket(() => program.session()),
    async onConnect(client) {
      // The session is older than the connection: whatever an earlier one left in it goes.
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

/** Connections that take a statement before they have answered the one before, and hand values over as {@link parserOf} has it. */
function poolOf(config: pg.PoolConfig): pg.Pool {
  return surviving(
    new pg.Pool({
      ...config,
      Client: RowClient,
      types: { getTypeParser: parserOf },
      pipeline: true,
      // A timer for each release would be a part of what a short call costs, and these connections are few.
      idleTimeoutMillis: 0,
    }),
  );
}

/** The same pool, whose connections may break at any time without ending the process. */
function surviving(pool: pg.Pool): pg.Pool {
  // An idle connection, or one being closed, that the server ends is told of here; the pool makes a new one when it needs it.
  pool.on("error", () => undefined);
  // One that breaks while it is lent out is nobody's by the pool's account: whoever asks it next is told.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}
