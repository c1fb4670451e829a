import { type RawBuilder, sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { BUCKETS } from "../../src/core/aging/buckets.ts";
import { readInstallments } from "../../src/core/aging/installment-queries.ts";
import { claimWork } from "../../src/core/gate/claims.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { MAILS } from "../../src/core/mail/outgoing-queries.ts";
import { enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { erpGateway } from "../../src/gateways/erp/index.ts";
import { connectMailer } from "../../src/gateways/mail/index.ts";
import { rounds } from "../../src/jobs/rounds.ts";
import { sendLinkEmails } from "../../src/jobs/send-mails.ts";
import { generateBook } from "../../src/simulators/fusion/book.ts";
import { createFusionSimulator, type FusionSimulator } from "../../src/simulators/fusion/index.ts";
import { openPostgres } from "../../src/store/database.ts";
import { insertLink, openOffice, partOf } from "../core/workflows/support.ts";
import { secondsWanted } from "../support/backlog.ts";
import { testCore } from "../support/core.ts";
import { multiply } from "../support/multiply.ts";
import { connectWorkspace, makeTenant, runPull } from "../support/pulls.ts";
import { usePushWorld } from "../support/pushes.ts";
import { blocksOf } from "../support/reads.ts";
import { createDatabase, everyRow, storesOf } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

/** Rounds of which each waits until it is let go, or fails. */
function held() {
  const waiting: { end(): void; fail(): void }[] = [];
  const failures: unknown[] = [];
  let begun = 0;
  const made = rounds(
    () => {
      begun += 1;
      return new Promise<void>((resolve, reject) => {
        waiting.push({ end: resolve, fail: () => reject(new Error("away")) });
      });
    },
    (error) => void failures.push(error),
  );
  return { made, waiting, failures, begun: () => begun };
}

describe("rounds of work", () => {
  it("are followed by another that was asked for meanwhile", async () => {
    const { made, waiting, begun } = held();
    made.wake();
    made.wake();
    waiting[0]?.end();
    await expect.poll(begun).toBe(2);
    waiting[1]?.end();
    await made.idle();
    expect(begun()).toBe(2);
  });

  it("are not followed at once by another where one failed, and go on when asked again [contract.outage.log]", async () => {
    const { made, waiting, failures, begun } = held();
    made.wake();
    made.wake();
    waiting[0]?.fail();
    await made.idle();
    expect([begun(), failures.length]).toEqual([1, 1]);
    made.wake();
    waiting[1]?.end();
    await made.idle();
    expect([begun(), failures.length]).toEqual([2, 1]);
  });
});

const MINUTE = 60_000;

describe.each(storesOf(import.meta.url))("work that waits between two attempts on $name", ({ open }) => {
  const world = usePushWorld(open);
  const { core, clock, erp, pay, push } = world;

  it("has been wanted since its first: receipts while an ERP is away [contract.operation.queue-age]", async () => {
    await pay("one", "10");
    const wanted = () => secondsWanted(core, world.tenantId, "receipts");
    clock.advance(MINUTE);
    erp.control({ mode: "500" });
    for (let attempt = 0; attempt < 4; attempt += 1) {
      expect(await push()).toBe(1);
      clock.advance(15 * MINUTE);
      expect(await wanted()).toBe((attempt + 1) * 15 * 60);
    }
    erp.control({ mode: "ok" });
    expect(await push()).toBe(1);
    expect(await wanted()).toBe(0);
  });

  it("has been wanted since its sending time: emails of links while the mail server is away [contract.operation.queue-age]", async () => {
    const { tenantId, book } = await openOffice(core);
    const ids = partOf(await book.invoice({ customer_email: "pay@globex.example.test" }, [{}]));
    const sendAt = new Date(clock.now().getTime() + 2 * MINUTE).toISOString();
    const email = { email_to: "pay@globex.example.test", email_send_at: sendAt, email_next_attempt_at: sendAt };
    await insertLink(core, tenantId, ids, { email_status: "scheduled", ...email });
    const wanted = () => secondsWanted(core, tenantId, "link_emails");
    clock.advance(MINUTE);
    expect(await wanted()).toBe(0);
    clock.advance(MINUTE);
    const mailer = connectMailer({ smtpUrl: "smtp://127.0.0.1:1", outboxFolder: "/nowhere" });
    const publicOrigin = "https://receivables.example.test";
    await sendLinkEmails(core, { mailer, fromAddress: "no-reply@receivables.example.test", publicOrigin });
    clock.advance(MINUTE / 2);
    expect(await wanted()).toBe(30);
  });
});

const WAITING = 8;

/** Ways in which a server may be brought to plan the statement: as it comes, and joining row by row in either order. */
const PLANS = [
  "",
  "-c enable_hashjoin=off -c enable_mergejoin=off -c enable_material=off",
  "-c enable_hashjoin=off -c enable_mergejoin=off -c enable_material=off -c enable_indexscan=off -c enable_bitmapscan=off",
];

it.skipIf(inject("postgresUrl") === null).each(PLANS)(
  "a claim holds no row besides those its worker is told of, planned with %j [completions.7.lease-given-back]",
  async (options) => {
    const { databaseUrl, drop } = await createDatabase();
    const url = new URL(databaseUrl);
    if (options !== "") url.searchParams.set("options", options);
    const store = await openPostgres(url.href);
    const server = new pg.Client({ connectionString: databaseUrl });
    await server.connect();
    try {
      const core = testCore(store);
      const office = await openOffice(core);
      const { tenantId, book, assignee } = office;
      await book.invoice({ total_amount: "100" }, [{}]);
      const settings = { type: "payment_arrangement", minimumAmount: "1", assignee: assignee.email } as const;
      await operate(core, tenantId, enableWorkflow, settings);
      await office.run();
      // The server plans for the one row that it has counted.
      await server.query("vacuum analyze outgoing_mails");
      await everyRow(store, (tx) =>
        multiply(tx, "outgoing_mails", {
          which: sql`tenant_id = ${tenantId}`,
          count: WAITING,
          changes: sql`jsonb_build_object('mail_id', gen_random_uuid())`,
        }),
      );
      const claimed = await claimWork(core, MAILS, { limit: 1, leaseMs: 20_000 });
      const { rows } = await server.query("select mail_id from outgoing_mails where lease_expires_at is not null");
      expect(rows.map((row: { mail_id: string }) => row.mail_id)).toEqual(claimed.map(({ mail_id: id }) => id));
      expect(claimed).toHaveLength(1);
    } finally {
      await server.end();
      await store.close();
      await drop();
    }
  },
);

/** Whether statistics tell of rows in a table, on workers in the part of it that a tenant has there. */
const hasRows = ({ store }: Core): RawBuilder<boolean> =>
  store.isDistributed
    ? sql`(select count(*) filter (where result::float8 > 0) = 1 from run_command_on_shards(
        pg_class.oid::regclass, 'select reltuples from pg_class where oid = ''%s''::regclass'))`
    : sql`reltuples > 0`;

describe.each(storesOf(import.meta.url))("a first pull on $name", ({ open }) => {
  const opened = useStore(open, { isNew: true });
  let erp: FusionSimulator;
  beforeAll(async () => {
    erp = createFusionSimulator(generateBook({ seed: 9, today: "2026-03-10", invoices: 1_500 }));
  });
  afterAll(async () => {
    await erp.close();
  });

  it("leaves aging built and statistics taken, so that the first page costs what later ones do [facts.scale.ready]", async () => {
    const core = testCore(opened.store);
    const tenantId = await makeTenant(core);
    const connectionId = await connectWorkspace(core, tenantId, await erp.listen());
    expect(await runPull(core, tenantId, connectionId, erpGateway)).toMatchObject({ status: "succeeded" });

    const state = await core.store.read(tenantId, (tx) =>
      tx.selectFrom("aging_state").select("as_of").where("tenant_id", "=", tenantId).executeTakeFirst(),
    );
    expect(state).toEqual({ as_of: "2026-03-10" });
    const tables = ["aging_customers", "aging_debts", "customers", "installments", "invoices"];
    const { rows } = await everyRow(core.store, (tx) =>
      sql<{ name: string; hasRows: boolean }>`select relname as name, ${hasRows(core)} as "hasRows" from pg_class
        where relname = any(${tables}::text[]) order by 1`.execute(tx),
    );
    expect(rows).toEqual(tables.map((table) => ({ name: table, hasRows: true })));
    // What workers read is not counted.
    if (core.store.isDistributed) return;

    const query = { tenantId, reportDate: "2026-03-10", buckets: BUCKETS };
    const page = () =>
      blocksOf(core, (on) => on.store.read(tenantId, (tx) => readInstallments(tx, query, { limit: 50, after: null })));
    await page();
    const atOnce = await page();
    await everyRow(core.store, async (tx) => {
      await sql`set local role none`.execute(tx);
      await sql`analyze`.execute(tx);
    });
    expect(atOnce).toBeLessThanOrEqual(2 * (await page()));
  });
});
