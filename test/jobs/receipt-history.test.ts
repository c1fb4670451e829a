import { describe, expect, it } from "vitest";
import { setErp } from "../../src/core/erp-connections/operations/set-erp.ts";
import { pushHeldOfConnection } from "../../src/core/payments/operations/push-held-payments.ts";
import { freshRequest } from "../support/acting.ts";
import { peopleOf } from "../support/people.ts";
import { usePushWorld } from "../support/pushes.ts";
import { rowsOf } from "../support/stored.ts";
import { storesOf } from "../support/stores.ts";

const MINUTE = 60_000;

describe.each(storesOf(import.meta.url))("a receipt's history, on $name", ({ open }) => {
  const world = usePushWorld(open);
  const { core, clock, erp, pull, pay, push, payment, act } = world;

  const history = async (paymentId: string) => {
    const { tenantId } = world;
    const rows = await rowsOf(core.store, tenantId, "audit_entries", { object_id: paymentId }, "at", "entry_id");
    return rows.map((row) => [
      row.actor_name ?? row.actor_kind,
      row.operation,
      row.details?.receipt,
      row.details?.note,
    ]);
  };

  it("has what it came to in the ERP, and the ERP's reason for a reversal [completions.12.receipt-history]", async () => {
    const id = await pay("one", "400");
    await push();
    clock.advance(MINUTE);
    const { erp_receipt_id: receiptId, erp_receipt_number: number } = await payment(id);
    erp.reverseReceipt(receiptId ?? "", "NSF");
    await pull();
    const reason = "The ERP has reversed this receipt. The ERP says: “NSF”";
    expect(await payment(id)).toMatchObject({
      erp_push_status: "reversed",
      erp_push_error: { code: "reversed", erp: "NSF" },
    });
    expect(await history(id)).toEqual([
      ["push", "recordAppliedReceipt", `pending → applied, ${number}`, undefined],
      ["sync", "recordReversedReceipt", "applied → reversed", reason],
    ]);
  });

  it("has no reason where the ERP gives none [completions.12.receipt-history]", async () => {
    const id = await pay("one", "400");
    await push();
    clock.advance(MINUTE);
    erp.reverseReceipt((await payment(id)).erp_receipt_id ?? "");
    await pull();
    expect(await payment(id)).toMatchObject({ erp_push_status: "reversed", erp_push_error: null });
  });

  it("has an outage once, however often it is tried in it, and a refusal with its reason [completions.12.receipt-history]", async () => {
    const id = await pay("one", "400");
    erp.control({ mode: "drop" });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await push();
      clock.advance(16 * MINUTE);
    }
    erp.control({ mode: "refuse", resource: "standardReceipts", method: "POST" });
    await push();
    expect(await history(id)).toEqual([
      ["push", "recordFailedReceipt", "pending → failed", expect.stringContaining("The ERP")],
      ["push", "recordFailedReceipt", "failed → failed", expect.stringContaining("accounting period")],
    ]);
  });

  it("says who queued each of those that were held [completions.12.receipt-history]", async () => {
    const { tenantId, connectionId } = world;
    await act(setErp, { connectionId, paymentPushMode: "held" });
    const ids = [await pay("one", "4"), await pay("one", "5")];
    const { memberId } = await peopleOf(core).addPerson(tenantId);
    const admin = { kind: "person", tenantId, memberId } as const;
    const shown = [{ currency: "USD", count: 2, amount: "9.00" }];
    await pushHeldOfConnection.call(admin, { connectionId, shown }, freshRequest(core));
    for (const id of ids) expect(await history(id)).toEqual([["person", "queueReceipt", "held → pending", undefined]]);
  });
});
