import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WORKFLOW_WORK } from "../../src/core/collection/to-examine-queries.ts";
import { claimWork } from "../../src/core/gate/claims.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { MAILS } from "../../src/core/mail/outgoing-queries.ts";
import { claimLinkMessages } from "../../src/core/payment-links/emails/claim-link-messages.ts";
import { UNSETTLED_LINKS } from "../../src/core/payment-links/link-queries.ts";
import { claimPush } from "../../src/core/payments/receipts/claimed-push.ts";
import { dueReceipts } from "../../src/core/payments/receipts/receipt-follow.ts";
import { EVENT_READINGS } from "../../src/core/provider-access/integration-queries.ts";
import { interruptLostRuns } from "../../src/core/sync-runs/interrupt-runs.ts";
import type { Store } from "../../src/store/store.ts";
import { TestClock, testCore } from "../support/core.ts";
import { everyRow } from "../support/every-row.ts";
import { OLD_STORES, type OldStore } from "./old-store.ts";

const TENANT = "f0000000-0000-4000-8000-000000000001";
const CONNECTION = "f0000000-0000-4000-8000-000000000010";
const CLAIMED = { limit: 10, leaseMs: 60_000 };
const last = (id: string): string => id.slice(-2);

describe.each(OLD_STORES)("work that was under way as an earlier version ended, $name", ({ make }) => {
  const clock = new TestClock();
  let old: OldStore;
  let store: Store;
  let core: Core;

  beforeAll(async () => {
    old = await make({ migration: "029-claims-by-index", fixture: "book-029.sql" });
    store = await old.open();
    core = testCore(store, clock);
  });
  afterAll(async () => {
    await store?.close();
    await old?.remove();
  });

  const receipts = async (): Promise<string[]> => {
    const push = await claimPush(core, 60_000);
    if (push === undefined) return [];
    await everyRow(store, (tx) =>
      tx
        .updateTable("payments")
        .set({ erp_push_status: "failed", push_retryable: false, claim_id: null, lease_expires_at: null })
        .where("payment_id", "=", push.payment_id)
        .execute(),
    );
    return [last(push.payment_id), ...(await receipts())];
  };

  it("waits for its lease or its time, and is done then, each as often as it was tried [contract.operation.upgrade]", async () => {
    clock.set("2026-03-01T00:01:00.000Z");
    expect(await claimWork(core, UNSETTLED_LINKS, CLAIMED)).toEqual([]);
    expect(await claimWork(core, MAILS, CLAIMED)).toEqual([]);
    expect(await claimWork(core, WORKFLOW_WORK, CLAIMED)).toEqual([]);
    expect(await receipts()).toEqual(["81", "82"]);
    clock.set("2026-03-01T00:45:00.000Z");
    expect(await receipts()).toEqual(["84"]);
    const [link, ...noLink] = await claimWork(core, UNSETTLED_LINKS, CLAIMED);
    expect(noLink).toEqual([]);
    expect([last(link?.payment_link_id ?? ""), link?.attempts]).toEqual(["61", 3]);
    const [mail, ...noMail] = await claimWork(core, MAILS, CLAIMED);
    expect(noMail).toEqual([]);
    expect([last(mail?.mail_id ?? ""), mail?.attempts]).toEqual(["91", 2]);
    const [work, ...noWork] = await claimWork(core, WORKFLOW_WORK, CLAIMED);
    expect(noWork).toEqual([]);
    expect([last(work?.invoice_id ?? ""), work?.attempts]).toEqual(["31", 2]);
  });

  it("that the ERP has is looked at when it was to be, a withdrawal told then [contract.operation.upgrade]", async () => {
    const followed = () => dueReceipts(core, { tenantId: TENANT, connectionId: CONNECTION });
    clock.set("2026-03-03T00:00:00.000Z");
    expect(await followed()).toEqual([]);
    clock.set("2026-03-04T00:00:00.000Z");
    expect((await followed()).map((row) => last(row.payment_id))).toEqual(["83"]);
    clock.set("2026-03-01T01:30:00.000Z");
    const links = await claimWork(core, UNSETTLED_LINKS, CLAIMED);
    expect(links.map((row) => last(row.payment_link_id))).toContain("62");
    expect(links.map((row) => last(row.payment_link_id))).not.toContain("63");
    clock.set("2026-03-18T00:00:00.000Z");
    const work = await claimWork(core, WORKFLOW_WORK, CLAIMED);
    expect(work.map((row) => last(row.invoice_id))).toContain("32");
  });

  it("is each email of a link, as it was; those of ended links are cancelled [contract.operation.upgrade]", async () => {
    const emails = await everyRow(store, (tx) =>
      tx.selectFrom("link_emails").selectAll().orderBy("payment_link_id").execute(),
    );
    expect(emails.every((row) => row.recipient === "pay@hooli.example" && row.claim_id === null)).toBe(true);
    const at = (instant: string | null) => instant?.slice(5, 16) ?? null;
    expect(
      emails.map((row) => [
        ...[last(row.payment_link_id), row.status, at(row.send_at), at(row.sent_at), last(row.message_id ?? "--")],
        ...[row.moved_by_person, row.cancelled_with_workflow],
        ...[row.attempts, at(row.next_attempt_at), at(row.lease_expires_at)],
      ]),
    ).toEqual([
      ["a1", "scheduled", "03-01T03:00", null, "b1", true, false, 2, "03-01T03:15", null],
      ["a2", "scheduled", "03-01T03:00", null, "b2", false, false, 1, "03-01T03:00", "03-01T03:30"],
      ["a3", "sent", "03-01T00:00", "03-01T00:00", "b3", false, false, 1, "03-01T00:00", null],
      ["a4", "cancelled", "03-05T09:00", null, "--", false, true, 0, "03-05T09:00", null],
      ["a5", "cancelled", "03-06T09:00", null, "--", false, false, 0, "03-06T09:00", null],
      ["a6", "scheduled", "03-01T02:00", null, "--", false, false, 0, null, null],
      ["a7", "failed", "03-01T00:00", null, "b7", false, false, 27, "03-01T00:00", null],
    ]);
    const claimed = async () =>
      (await claimLinkMessages(core, CLAIMED)).map((row) => [last(row.message_id), row.attempts]);
    clock.set("2026-03-01T03:14:00.000Z");
    expect(await claimed()).toEqual([]);
    clock.set("2026-03-01T03:15:00.000Z");
    expect(await claimed()).toEqual([["b1", 3]]);
    clock.set("2026-03-01T03:30:00.000Z");
    expect(await claimed()).toContainEqual(["b2", 2]);
  });

  it("is the reading of a provider's events, from where it was read to [contract.operation.upgrade]", async () => {
    clock.set("2026-03-01T00:01:00.000Z");
    expect(await claimWork(core, EVENT_READINGS, CLAIMED)).toEqual([]);
    clock.set("2026-03-01T00:02:00.000Z");
    const [reading, ...none] = await claimWork(core, EVENT_READINGS, CLAIMED);
    expect(none).toEqual([]);
    expect([last(reading?.payment_integration_id ?? ""), reading?.events_read_to]).toEqual([
      "66",
      "2026-02-28T00:00:00.000Z",
    ]);
  });

  it("as a sync run ends as interrupted, and those that had ended stay so [contract.operation.upgrade]", async () => {
    await interruptLostRuns(core);
    const runs = await everyRow(store, (tx) => tx.selectFrom("sync_runs").selectAll().orderBy("sync_run_id").execute());
    expect(runs.map((row) => [row.status, row.error_code, row.claim_id])).toEqual([
      ["succeeded", null, null],
      ["failed", "interrupted", null],
    ]);
  });
});
