import type { Kysely } from "kysely";
import { LOCK_MS, transactionSettings } from "./server/session.ts";
import type { Workers } from "./server/workers.ts";
import type { Tables } from "./tables/index.ts";
import { TenantTurns } from "./tenant-turns.ts";

/** A hint between processes of one service; what is true stands in the tables. */
export interface Notice {
  topic: string;
  payload: string;
}

/** Connections to the database, and how much work waits for one. */
export interface PoolState {
  readonly pool: string;
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

/** For callers, for work that nobody waits for, and for what goes from one workspace to the next. */
export type Pace = "calls" | "patient" | "brisk";

/** A way to the database. */
export interface Way {
  readonly database: Kysely<Tables>;
  /** Statements with which each of its transactions begins, such as `set local lock_timeout = 0`; empty for none. */
  readonly settings: string;
  /** For what another transaction holds, in milliseconds. */
  readonly patienceMs: number;
  /** Whose transactions may be under way. */
  readonly turns: Pick<TenantTurns, "run">;
  readonly directoryTurns: Pick<TenantTurns, "run">;
}

/** How a backend connects; everything above is the same on both. */
export interface Backend {
  readonly kind: "embedded" | "postgres";
  /** Over the same connections. */
  readonly ways: Readonly<Record<Pace, Way>>;
  /** Connections with the system's role, each statement a transaction of its own; null where there is one connection. */
  readonly statements: Kysely<Tables> | null;
  /** Where tenants lie, if not all on one server; known once the store is open. */
  workers(): Workers | null;
  pools(): readonly PoolState[];
  /** Delivers to every process of the service, this one included. */
  publish(notice: Notice): Promise<void>;
  subscribe(listener: (notice: Notice) => void): () => void;
  /** Whether notices are not heard just now. */
  isDeaf(): boolean;
  /** What the store does not do by itself (checkpoint, vacuum, analyze); nothing on a PostgreSQL server. */
  maintain(): Promise<void>;
  close(): Promise<void>;
}

interface Transacting
  extends Record<"calls" | "patient", Way["database"]>,
    Record<"turns" | "directoryTurns", TenantTurns> {
  readonly isPooled: boolean;
  readonly poolSize: number;
}

/** Of one server. */
export function waysToServer({
  calls,
  patient,
  isPooled,
  poolSize,
  turns,
  directoryTurns,
}: Transacting): Backend["ways"] {
  const settings = transactionSettings({ whole: isPooled });
  const own = { turns: TenantTurns.ofOwnWork(poolSize), directoryTurns };
  const brisk = { turns: TenantTurns.ofBriskWork(), directoryTurns };
  return {
    calls: { database: calls, settings: settings.calls, patienceMs: LOCK_MS.calls, turns, directoryTurns },
    patient: { database: patient, settings: settings.long, patienceMs: LOCK_MS.long, ...own },
    brisk: { database: patient, settings: settings.brisk, patienceMs: 0, ...brisk },
  };
}
