import { createSocket } from "node:dgram";
import { once } from "node:events";
import pg from "pg";
import type { Random } from "../../src/simulators/fusion/random.ts";
import { signInAndApprove } from "../../test/support/oauth-client.ts";
import { type Kind, onPostgres, type Scene } from "../kind.ts";
import { DOORS, strangersAt, UNREADABLE } from "../strangers.ts";
import type { Tally } from "../tally.ts";
import { PASSWORD } from "../tenant.ts";
import { watch } from "../watch.ts";

const AT_ONCE = 8;
/** The share of requests from a few loud addresses, which go beyond every limit; the others come from many. */
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

/** What was sent and answered. */
class Traffic {
  readonly #tally: Tally;
  /** Requests by kind and address. */
  readonly sent = new Map<string, number>();
  readonly #statuses = new Map<string, number>();
  connects = 0;

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  noteSent(kind: string, address: string): void {
    count(this.sent, `${kind} ${address}`);
  }

  noteAnswer(kind: string, status: string): void {
    count(this.#statuses, `${kind} ${status}`);
    if (status.startsWith("5") && status !== UNREADABLE)
      this.#tally.breach(`${kind} of a stranger was answered ${status}`);
  }

  report(): void {
    const requests = [...this.sent.values()].reduce((sum, times) => sum + times, 0);
    const answers = [...this.#statuses].toSorted().map(([what, times]) => `${what} ${times}`);
    this.#tally.notes.push(
      `${requests} requests of strangers from ${ADDRESSES} addresses, ${this.connects} people connected meanwhile`,
      `answered: ${answers.join(", ")}`,
    );
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** How many rows strangers may leave, by how often each kind of request was sent from each address. */
function mostRows({ sent, connects }: Traffic, accounts: number): number {
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

/** Sends the requests of strangers, a few at once; now and then a member of a workspace connects an assistant. */
async function storm({ fleet, world, load, random, tally }: Scene, requests: number): Promise<Traffic> {
  const traffic = new Traffic(tally);
  const visits = strangersAt({ origin: fleet.url, world, random });
  let asked = 0;
  const send = async (): Promise<void> => {
    while (asked < requests) {
      const n = asked;
      asked += 1;
      if (!load.over) await load.further(AT_ONCE);
      const kind = random.pick(DOORS);
      const address = addressFrom(random);
      traffic.noteSent(kind, address);
      traffic.noteAnswer(kind, await visits[kind](address, { "X-Forwarded-For": address }, n));
      if (n % CONNECT_EVERY !== CONNECT_EVERY - 1) continue;
      traffic.connects += 1;
      const { email } = random.pick(world.tenants);
      const person = { email, password: PASSWORD, scope: "receivables:read" };
      await signInAndApprove(fleet.url, person).catch((error: unknown) =>
        tally.breach(`a person could not connect: ${String(error)}`),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  return traffic;
}

/** Unknown callers, from many addresses, at every endpoint that is open to them. */
export default {
  name: "strangers",
  does: "strangers register, authorize, ask for tokens, notify, sign in, open pages with made-up cookies and upload forms of 33,000 parts, from many addresses; two processes",
  async run(options) {
    const dns = createSocket("udp4");
    dns.bind(0, "127.0.0.1");
    await once(dns, "listening");
    try {
      return await onPostgres(options, {
        size: 2,
        preload: PRELOAD,
        environment: { SILENT_DNS: `127.0.0.1:${dns.address().port}`, TRUSTED_PROXIES: "1" },
        async disturb(disturbed) {
          const { fleet, world, tally, postgres } = disturbed;
          const database = `${postgres.url}torture`;
          const before = await rowsOf(database);
          const watching = watch(fleet, tally);
          const traffic = await storm(disturbed, options.requests);
          await watching.end();

          const bound = mostRows(traffic, world.tenants.length);
          // What honest callers leave there: a minute's counters, and the tokens of each refresh.
          const honest = Math.ceil(options.requests * 0.05) + 200;
          const after = await rowsOf(database);
          traffic.report();
          judgeRows(tally, { before, after, bound, honest });
        },
      });
    } finally {
      dns.close();
    }
  },
} satisfies Kind;
