import { describe, expect, it } from "vitest";
import { listAttention } from "../../src/core/attention/list-attention.ts";
import { connectErp } from "../../src/core/erp-connections/operations/connect-erp.ts";
import { pushPayment } from "../../src/core/payments/operations/push-payment.ts";
import { settleReceiptByHand } from "../../src/core/payments/operations/settle-receipt-by-hand.ts";
import { usePushWorld } from "../support/pushes.ts";
import { rowsOf, setRows, trailOf } from "../support/stored.ts";
import { storesOf } from "../support/stores.ts";

const MINUTE = 60_000;

describe.each(storesOf(import.meta.url))("a receipt that was settled by hand, on $name", ({ open }) => {
  const world = usePushWorld(open);
  const { erp, pay, push, payment, invoice, act } = world;
  const pull = () => {
    world.clock.advance(MINUTE);
    return world.pull();
  };
  const settle = (paymentId: string, receiptNumber = "CHK-1") => act(settleReceiptByHand, { paymentId, receiptNumber });
  const attention = async () => (await act(listAttention, {})).map(({ kind, amount }) => `${kind} ${amount}`);
  const unapply = async (receiptId: string) => {
    const [part] = (await invoice("one")).installments;
    erp.unapplyReceipt(receiptId, part?.erp_installment_id ?? "");
  };

  /** Paid in whole, and entered in the ERP by its own users before the push; the payment, and the receipt's id in the ERP. */
  async function entered({ amount = "1000", of = "1000" } = {}) {
    await pull();
    const id = await pay("one", amount);
    const receiptId = erp.enterReceipt({ invoice: "one", amount: of, number: "CHK-1" });
    await push();
    expect(await payment(id)).toMatchObject({ erp_push_status: "failed" });
    return { id, receiptId };
  }

  async function settled(options = {}) {
    const { id, receiptId } = await entered(options);
    await settle(id);
    await pull();
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied", erp_receipt_id: receiptId });
    expect((await invoice("one")).collection_outstanding).toBe("0");
    expect(await attention()).toEqual([]);
    return { id, receiptId };
  }

  const asPaid = { erp_invoice_open_balance: "1000", collection_outstanding: "0", collection_status: "paid" };

  it("is refused at once for a number of a hundred thousand marks [facts.inputs.bounded]", async () => {
    const began = performance.now();
    await expect(settle(crypto.randomUUID(), "\u0301\u0316".repeat(50_000))).rejects.toThrow(
      "Not valid: receiptNumber.",
    );
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  it("and reversed in the ERP later needs a person, and its customer owes no more till then [completions.12.by-hand-reversed]", async () => {
    const { id, receiptId } = await settled();
    erp.reverseReceipt(receiptId, "NSF");
    await pull();
    expect(await invoice("one")).toMatchObject(asPaid);
    expect(await payment(id)).toMatchObject({
      erp_push_status: "reversed",
      erp_receipt_number: "CHK-1",
      settled_by_hand_at: null,
    });
    expect(await attention()).toEqual(["receipt_reversed 1000.00"]);
    erp.enterReceipt({ invoice: "one", amount: "1000", number: "CHK-2" });
    await settle(id, "CHK-2");
    await pull();
    expect(await attention()).toEqual([]);
    expect(await invoice("one")).toMatchObject({ collection_outstanding: "0", erp_push_state: "applied" });
    expect(await push()).toBe(0);
  });

  it.each(["503", "page", "403", "hidden"] as const)(
    "and reversed while the ERP does not show it (%s) is not asked for again, and is noticed once it does [completions.12.by-hand-reversed] [completions.6.in-doubt]",
    async (mode) => {
      const { id, receiptId } = await settled();
      erp.reverseReceipt(receiptId);
      if (mode === "hidden") erp.removeReceipts(receiptId);
      else erp.control({ mode, resource: "standardReceipts" });
      for (let read = 0; read < 2; read += 1) {
        expect(await pull()).toMatchObject({ status: "succeeded" });
        expect(await invoice("one")).toMatchObject(asPaid);
      }
      if (mode === "hidden") return;
      erp.control({ mode: "ok" });
      await pull();
      expect(await payment(id)).toMatchObject({ erp_push_status: "reversed" });
      expect(await invoice("one")).toMatchObject(asPaid);
      expect(await attention()).toEqual(["receipt_reversed 1000.00"]);
    },
  );

  it("and unapplied there, before or after, is told of, and its customer owes no more [completions.12.by-hand-reversed]", async () => {
    const { id, receiptId } = await entered();
    await unapply(receiptId);
    await settle(id);
    await pull();
    expect(await payment(id)).toMatchObject({ erp_push_status: "posted", erp_receipt_number: "CHK-1" });
    expect(await invoice("one")).toMatchObject(asPaid);
    expect(await attention()).toEqual(["receipt_not_applied 1000.00"]);
    expect(await push()).toBe(0);
    await act(pushPayment, { paymentId: id, anyway: false });
    await push();
    await pull();
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied", erp_receipt_number: "CHK-1" });
    expect(await invoice("one")).toMatchObject({ ...asPaid, erp_invoice_open_balance: "0" });
    await unapply(receiptId);
    await pull();
    expect(await invoice("one")).toMatchObject(asPaid);
    expect(await attention()).toEqual(["receipt_not_applied 1000.00"]);
    expect(erp.receipts).toHaveLength(1);
  });

  it("and looked up is in the ERP and not applied where the ERP shows it so, at once and after a sync [completions.12.by-hand]", async () => {
    const { id, receiptId } = await entered();
    await unapply(receiptId);
    const settling = { paymentId: id, receiptNumber: "CHK-1", check: true };
    expect(await act(settleReceiptByHand, settling)).toMatchObject({ erp_push_status: "posted" });
    const unapplied = { erp_push_status: "posted", erp_push_error: { code: "taken_back" }, erp_receipt_id: receiptId };
    expect(await payment(id)).toMatchObject(unapplied);
    expect(await attention()).toEqual(["receipt_not_applied 1000.00"]);
    await pull();
    expect(await payment(id)).toMatchObject(unapplied);
    expect(await invoice("one")).toMatchObject(asPaid);
    expect(await trailOf(world.core.store, world.tenantId, "recordUnappliedReceipt")).toEqual([]);
    const undo = { paymentId: id, settledByMistake: true };
    expect(await act(pushPayment, undo)).toMatchObject({ erp_push_status: "pending", was: "posted" });
    await push();
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied", settled_by_hand_at: null });
    expect(erp.receipts).toHaveLength(2);
  });

  it("settles no second payment with money that is the first one's, applied or not [completions.12.by-hand]", async () => {
    await pull();
    const [first, second] = [await pay("one", "600"), await pay("one", "400")];
    const receiptId = erp.enterReceipt({ invoice: "one", amount: "600", number: "CHK-1" });
    await unapply(receiptId);
    erp.control({ mode: "503", resource: "standardReceipts" });
    await push();
    erp.control({ mode: "ok" });
    const looked = (paymentId: string) => act(settleReceiptByHand, { paymentId, receiptNumber: "CHK-1", check: true });
    const both = await Promise.allSettled([looked(first), looked(second)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const left = both[0].status === "rejected" ? first : second;
    await expect(looked(left)).rejects.toThrow("Not valid: receiptNumber.");
    // Nor by another connection to the same ERP, however its address is written.
    const [row] = await rowsOf(world.core.store, world.tenantId, "erp_connections");
    const given = { provider: "oracle_fusion", url: `${row?.base_url}/`, username: "AR_2", password: "p" } as const;
    const { id: twin } = await act(connectErp, { ...given, sameErp: true });
    const by = (connection_id: string) =>
      setRows(world.core.store, world.tenantId, "payments", { connection_id }, { payment_id: left });
    await by(twin);
    await expect(looked(left)).rejects.toMatchObject({
      details: [{ message: expect.stringContaining("another payment's") }],
    });
    await by(row?.connection_id ?? "");
    // Another receipt may have the same number.
    erp.removeReceipts(receiptId);
    erp.enterReceipt({ invoice: "one", amount: "600", number: "CHK-1" });
    expect(await looked(left)).toMatchObject({ erp_receipt_number: "CHK-1" });
  });

  it("is applied as far as its payment is, though more of it is not allocated [completions.12.by-hand]", async () => {
    const { id, receiptId } = await settled();
    erp.putReceipts({
      StandardReceiptId: receiptId,
      ReceiptNumber: "CHK-1",
      Amount: "1500",
      UnappliedAmount: "500",
      Currency: "USD",
      State: "CLEARED",
    });
    await pull();
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied" });
    expect(await invoice("one")).toMatchObject({ collection_outstanding: "0", erp_push_state: "applied" });
  });
});
