import { sql } from "kysely";
import pg from "pg";
import { describe, expect, inject, it } from "vitest";
import { claimWork } from "../../src/core/gate/claims.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { MAILS } from "../../src/core/mail/outgoing-queries.ts";
import { enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { connectMailer } from "../../src/gateways/mail/index.ts";
import { rounds } from "../../src/jobs/rounds.ts";
import { sendLinkEmails } from "../../src/jobs/send-mails.ts";
import { openPostgres } from "../../src/store/database.ts";
import { insertLink, openOffice, partOf } from "../core/workflows/support.ts";
import { secondsWanted } from "../support/backlog.ts";
import { testCore } from "../support/core.ts";
import { multiply } from "../support/multiply.ts";
import { usePushWorld } from "../support/pushes.ts";
import { createDatabase, everyRow, storesOf } from "../support/stores.ts";

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
