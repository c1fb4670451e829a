import type pg from "pg";
import { ConfigError } from "../../config.ts";
import { DATABASE_ROLES } from "../tenancy/roles.ts";
import { CALL_LIMITS, inTime, LONG_LIMITS, limitSettings } from "./limits.ts";

/** Settings of every session of the service. */
const ALWAYS = { timezone: "UTC", jit: "off" };
/** The server asks a silent client whether it is still there, so that one that is gone holds no lock for long. */
const KEEP_ALIVE = { tcp_keepalives_idle: "10", tcp_keepalives_interval: "5", tcp_keepalives_count: "3" };

/** Start-up options of a connection to the server itself, in a role, with the limits of calls. */
export function sessionOptions(role: string): string {
  const settings = { role, ...ALWAYS, ...KEEP_ALIVE, ...limitSettings(CALL_LIMITS) };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");
}

/**
 * What a transaction sets as it begins, of calls and of work that nobody waits for; `whole` where the session brings nothing,
 * as behind a pooler.
 */
export function transactionSettings({ whole }: { whole: boolean }): { calls: string; long: string } {
  const session = whole ? { role: DATABASE_ROLES.tenant, ...ALWAYS } : {};
  const calls = whole ? limitSettings(CALL_LIMITS) : {};
  return {
    calls: setLocal({ ...session, ...calls }),
    long: setLocal({ ...session, ...limitSettings(LONG_LIMITS) }),
  };
}

function setLocal(settings: Readonly<Record<string, string>>): string {
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
