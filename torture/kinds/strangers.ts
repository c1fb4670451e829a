import { createSocket } from "node:dgram";
import { once } from "node:events";
import pg from "pg";
import type { Random } from "../../src/simulators/fusion/random.ts";
import { signInAndApprove } from "../../test/support/oauth-client.ts";
import { type Kind, onPostgres } from "../kind.ts";
import { DOORS, strangersAt } from "../strangers.ts";
import type { Tally } from "../tally.ts";
import { PASSWORD } from "../tenant.ts";
import { watch } from "../watch.ts";

const AT_ONCE = 8;
/** So many of a hundred come from the few loud addresses, which go beyond every limit; the others from many. */
const LOUD_PERCENT = 70;
const LOUD = 2;
const QUIET = 200;
const PRELOAD = new URL("../../test/support/silent-dns.ts", import.meta.url).href;
/** Rows that one request leaves at most where it is within its limit: its artifact and session, or counters of the guess. */
const ROWS_OF_REQUEST = 3;
/** Counters of an address, in each window. */
const COUNTERS = 8;
/** The fixed windows that a run can touch: the longest load is 15 minutes, the shortest window of these is 5. */
const WINDOWS = 5;
/** What the service lets one address do in a window (auth/authorization-server/router.ts, auth/sign-in.ts). */
const KEPT = { register: 60, authorize: 300, signIn: 200 } as const;
/** Tables that a caller whom nobody knows may write to. */
const TABLES = ["oidc_artifacts", "attempt_windows", "sign_in_failures", "web_sessions", "rate_windows"] as const;
/** Of a wrong password, at most 10 an hour for each account. */
const ENTRIES_OF_ACCOUNT = 20;
/** Connects of people in the storm; each leaves some rows of its own. */
const CONNECT_EVERY = 900;
const ROWS_OF_CONNECT = 20;

async function rowsOf(databaseUrl: string): Promise<Map<string, number>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const rows = new Map<string, number>();
  for (const table of TABLES)
    rows.set(table, Number((await client.query(`select count(*) as n from ${table}`)).rows[0].n));
  const wrong = await client.query(
    "select count(*) as n from audit_entries where outcome = 'refused' and operation like 'sign%'",
  );
  rows.set("audit_entries of wrong passwords", Number(wrong.rows[0].n));
  await client.end();
  return rows;
}

/** A few loud addresses, and many quiet ones of both families. */
const ADDRESSES = LOUD + 2 * QUIET;

function addressFrom(random: Random): string {
  if (random.chance(LOUD_PERCENT)) return `198.51.100.${random.between(1, LOUD)}`;
  if (random.chance(50)) return `192.0.2.${random.between(1, QUIET)}`;
  return `2001:db8:0:${random.between(1, QUIET).toString(16)}::1`;
}

/** How many rows strangers may leave, by how often each kind of request was sent from each address. */
function mostRows(
  sent: ReadonlyMap<string, number>,
  { accounts, connects }: { accounts: number; connects: number },
): number {
  let kept = 0;
  for (const [key, times] of sent) {
    const [kind = ""] = key.split(" ");
    const limit = kind === "register" || kind === "authorize" || kind === "signIn" ? KEPT[kind] : 0;
    kept += Math.min(times, limit * WINDOWS) * ROWS_OF_REQUEST;
  }
  return kept + ADDRESSES * COUNTERS * WINDOWS + accounts * ENTRIES_OF_ACCOUNT + connects * ROWS_OF_CONNECT;
}

interface Rows {
  before: ReadonlyMap<string, number>;
  after: ReadonlyMap<string, number>;
  /** At most of strangers, and of honest callers. */
  bound: number;
  honest: number;
}

function judgeRows(tally: Tally, { before, after, bound, honest }: Rows): void {
  const total = [...after].reduce((sum, [table, rows]) => sum + rows - (before.get(table) ?? 0), 0);
  tally.notes.push(
    `rows before and after: ${[...after].map(([table, rows]) => `${table} ${before.get(table)} → ${rows}`).join(", ")}`,
    `${total} rows more, at most ${bound + honest} (${bound} of strangers, ${honest} of honest callers)`,
  );
  if (total > bound + honest) tally.breach(`${total} rows were kept for strangers`);
}

/** Callers whom nobody knows, from many addresses, at every door that opens to them. */
export default {
  name: "strangers",
  does: "strangers register, authorize, ask for tokens, notify and sign in from many addresses; two processes",
  async run(options) {
    const dns = createSocket("udp4");
    dns.bind(0, "127.0.0.1");
    await once(dns, "listening");
    try {
      return await onPostgres(options, {
        size: 2,
        preload: PRELOAD,
        environment: { SILENT_DNS: `127.0.0.1:${dns.address().port}`, TRUSTED_PROXIES: "1" },
        async disturb({ fleet, world, load, random, tally, postgres }) {
          const database = `${postgres.url}torture`;
          const before = await rowsOf(database);
          const watching = watch(fleet, tally);
          const origin = fleet.url;
          const sent = new Map<string, number>();
          const statuses = new Map<string, number>();
          const note = (kind: string, address: string): void => {
            const key = `${kind} ${address}`;
            sent.set(key, (sent.get(key) ?? 0) + 1);
          };
          const answered = (kind: string, status: number): void => {
            statuses.set(`${kind} ${status}`, (statuses.get(`${kind} ${status}`) ?? 0) + 1);
            if (status >= 500) tally.breach(`${kind} of a stranger was answered ${status}`);
          };
          const visits = strangersAt({ origin, world, random });

          let asked = 0;
          let connects = 0;
          const act = async (): Promise<void> => {
            while (asked < options.requests) {
              const n = asked;
              asked += 1;
              if (!load.over) await load.further(AT_ONCE);
              const kind = random.pick(DOORS);
              const address = addressFrom(random);
              note(kind, address);
              const status = await visits[kind](address, { "X-Forwarded-For": address }, n);
              answered(kind, status);
              if (n % CONNECT_EVERY !== CONNECT_EVERY - 1) continue;
              connects += 1;
              const { email } = random.pick(world.tenants);
              const person = { email, password: PASSWORD, scope: "receivables:read" };
              await signInAndApprove(origin, person).catch((error: unknown) =>
                tally.breach(`a person could not connect: ${String(error)}`),
              );
            }
          };
          await Promise.all(Array.from({ length: AT_ONCE }, act));
          await watching.end();

          const bound = mostRows(sent, { accounts: world.tenants.length, connects });
          // What honest callers leave there: a minute's counters, and the tokens of each refresh.
          const honest = Math.ceil(options.requests * 0.05) + 200;
          const after = await rowsOf(database);
          tally.notes.push(
            `${asked} requests of strangers from ${ADDRESSES} addresses, ${connects} people connected meanwhile`,
            `answered: ${[...statuses]
              .toSorted()
              .map(([what, times]) => `${what} ${times}`)
              .join(", ")}`,
          );
          judgeRows(tally, { before, after, bound, honest });
        },
      });
    } finally {
      dns.close();
    }
  },
} satisfies Kind;
