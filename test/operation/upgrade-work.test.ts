import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Core } from "../../src/core/gate/core.ts";
import { MAILS } from "../../src/core/mail/outgoing-queries.ts";
import { UNSETTLED_LINKS } from "../../src/core/payment-links/withdrawing/unsettled-queries.ts";
import { claimPush } from "../../src/core/payments/receipts/push-receipt.ts";
import { dueReceipts } from "../../src/core/payments/receipts/receipt-follow.ts";
import { claimWork } from "../../src/core/shared/work.ts";
import { interruptLostRuns } from "../../src/core/sync-runs/interrupt-runs.ts";
import { WORKFLOW_WORK } from "../../src/core/workflows/work-queries.ts";
import type { Store } from "../../src/store/store.ts";
import { TestClock, testCore } from "../support/core.ts";
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
    await store.system((tx) =>
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

  it("as a sync run ends as interrupted, and those that had ended stay so [contract.operation.upgrade]", async () => {
    await interruptLostRuns(core);
    const runs = await store.system((tx) => tx.selectFrom("sync_runs").selectAll().orderBy("sync_run_id").execute());
    expect(runs.map((row) => [row.status, row.error_code, row.claim_id])).toEqual([
      ["succeeded", null, null],
      ["failed", "interrupted", null],
    ]);
  });
});
