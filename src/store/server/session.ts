import type pg from "pg";
import { ConfigError } from "../../config.ts";
import { DATABASE_ROLES } from "../tenancy/roles.ts";

/** Time limits of the store's work, in milliseconds. */
interface Limits {
  /** One statement, on the server. */
  readonly statement: number;
  /** A lock that somebody else holds. */
  readonly lock: number;
  /** A transaction in which nothing is asked. */
  readonly idleInTransaction: number;
}

/** Of calls, which are answered within ten seconds in any state of the store. */
const CALL_LIMITS: Limits = { statement: 7_000, lock: 4_500, idleInTransaction: 30_000 };

/** Of jobs and commands: pulls, receipts, workflows, backups. */
const LONG_LIMITS: Limits = { statement: 15 * 60_000, lock: 2 * 60_000, idleInTransaction: 15 * 60_000 };

/** Of what goes from one workspace to the next: it does not wait for one that is busy with itself. */
const BRISK_LIMITS: Limits = { ...LONG_LIMITS, lock: 250 };

/** How long each waits for what another transaction holds. */
export const LOCK_MS = { calls: CALL_LIMITS.lock, long: LONG_LIMITS.lock };

/** A call's statement that the server itself has not ended by then is on a connection without an answer. */
export const CALL_SILENCE_MS = 7_500;
/** A statement outside of any transaction, answered within that time or not at all. */
export const inTime = (text: string): { text: string; query_timeout: number } => ({
  text,
  query_timeout: CALL_SILENCE_MS,
});
/** To open a connection. */
export const CONNECT_MS = 7_500;
/** For a free connection. A call waits for two: with a lock after that it is still answered within ten seconds. */
export const FREE_MS = 2_500;
/** The same for work that nobody waits for, while the server answers. */
export const LONG_CONNECT_MS = 2 * 60_000;
/** To ask a host whether it takes writes. */
export const PROBE_MS = 3_000;
/** Until it is asked again, while another host has not answered yet. */
export const PROBE_AGAIN_MS = 200;
/** Between two questions to the server on the connection that listens, and how long its answer may take. */
export const BEAT_EVERY_MS = 2_000;
export const BEAT_ANSWER_MS = 4_000;
/** An idle connection is given back to the server after that. */
export const IDLE_MS = 60_000;
/** The operating system asks a silent connection whether it is still there; the server does the same. */
export const KEEP_ALIVE_MS = 10_000;

/** Limits as settings of a session. */
function limitSettings({ statement, lock, idleInTransaction }: Limits): Readonly<Record<string, string>> {
  return {
    statement_timeout: String(statement),
    lock_timeout: String(lock),
    idle_in_transaction_session_timeout: String(idleInTransaction),
  };
}

/** Settings of every session of the service. Where tenants lie on workers, the tenant of a transaction is set there too. */
const ALWAYS = { timezone: "UTC", jit: "off", "citus.propagate_set_commands": "local" };
/** The server asks a silent client whether it is still there, so that one that is gone holds no lock for long. */
const KEEP_ALIVE = { tcp_keepalives_idle: "10", tcp_keepalives_interval: "5", tcp_keepalives_count: "3" };

/** Start-up options of a connection to the server itself, in a role, with the limits of calls. */
export function sessionOptions(role: string) {
  const settings = { role, ...ALWAYS, ...KEEP_ALIVE, ...limitSettings(CALL_LIMITS) };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");
}

/** What a transaction sets as it begins; `whole` where the session brings nothing, as behind a pooler. */
export function transactionSettings({ whole }: { whole: boolean }) {
  const session = whole ? { role: DATABASE_ROLES.tenant, ...ALWAYS } : {};
  const calls = whole ? limitSettings(CALL_LIMITS) : {};
  return {
    calls: setLocal({ ...session, ...calls }),
    long: setLocal({ ...session, ...limitSettings(LONG_LIMITS) }),
    brisk: setLocal({ ...session, ...limitSettings(BRISK_LIMITS) }),
  };
}

function setLocal(settings: Readonly<Record<string, string>>) {
  return Object.entries(settings)
    .map(([name, value]) => `set local ${name} = '${value}'`)
    .join("; ");
}

/**
 * Makes sure that a connection is to one session of the server, its own, and in its role: a pooler answers with sessions of
 * others, and one that drops start-up options leaves the login user's role, for which the third wall does not stand.
 * Throws ConfigError naming the setting.
 */
export async function assertOwnSession(client: pg.ClientBase, setting: string, role: string | null): Promise<void> {
  const { rows } = await client.query(inTime("select pg_backend_pid() as pid, current_user as role"));
  const [session] = rows;
  const announced = "processID" in client ? client.processID : undefined;
  if (session?.pid !== announced) throw poolerInTheWay(setting);
  if (role !== null && session?.role !== role)
    throw new ConfigError(`${setting}: its connections act as ${session?.role} and not as ${role}`);
}

/** The line for a pooler before the server, on which nothing that is set on a connection stands. */
export function poolerInTheWay(setting: string): ConfigError {
  const found = `${setting}: leads through a pooler, on which no role and no tenant would stand`;
  return new ConfigError(
    setting === DIRECT_SETTING ? `${found}; it must lead to PostgreSQL itself` : `${found}: ${REMEDY}`,
  );
}

/** The setting that names the way past a pooler. */
export const DIRECT_SETTING = "DATABASE_DIRECT_URL";
const REMEDY = `set ${DIRECT_SETTING} to PostgreSQL itself, and it is worked behind in transaction mode`;
