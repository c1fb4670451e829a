import { describe, expect, it } from "vitest";
import { setErp } from "../../src/core/erp-connections/operations/set-erp.ts";
import { erpInvoice, usePushWorld } from "../support/pushes.ts";
import { A_STORE } from "../support/thorough.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe.each(A_STORE)("receipts in the ERP on $name", ({ open }) => {
  const world = usePushWorld(open);
  const { core, clock, erp, pull, pay, push, payment, invoice, act } = world;

  /** Pays 400 of 1000 and pushes; the payment, and its receipt's id in the ERP. */
  async function pushed(): Promise<{ id: string; receiptId: string }> {
    const id = await pay("one", "400");
    await push();
    clock.advance(MINUTE);
    return { id, receiptId: (await payment(id)).erp_receipt_id ?? "" };
  }

  it("are left to the ERP where it applies them itself; the look that notices comes before the reads, so its run reflects [completions.7.automatch] [service.3.3.posted]", async () => {
    await act(setErp, { connectionId: world.connectionId, applyMode: "automatch" });
    const { id } = await pushed();
    expect(await payment(id)).toMatchObject({ erp_push_status: "posted", erp_push_error: null, push_retryable: false });
    const sent = erp.requests.find(({ method }) => method === "POST")?.body ?? "";
    expect(JSON.parse(sent)).toMatchObject({
      remittanceReferences: [{ ReceiptMatchBy: "Transaction Number", ReferenceNumber: "one", ReferenceAmount: 400 }],
    });
    await pull();
    expect((await payment(id)).erp_push_status).toBe("posted");
    expect(await invoice("one")).toMatchObject({ collection_outstanding: "600", collection_status: "open" });
    expect(await push()).toBe(0);
    clock.advance(MINUTE);
    erp.runAutoMatch();
    await pull();
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied", reflected_at: clock.now().toISOString() });
    const applied = {
      erp_push_state: "applied",
      erp_invoice_open_balance: "600",
      collection_outstanding: "600",
      collection_status: "open",
      amount_collected: "400",
    };
    expect(await invoice("one")).toMatchObject(applied);
    clock.advance(MINUTE);
    await pull();
    expect(await invoice("one")).toMatchObject(applied);
  });

  it("do not make an invoice read paid that the ERP has matched one of, though it paid the greater part [completions.7.automatch] [service.3.2.paid]", async () => {
    await act(setErp, { connectionId: world.connectionId, applyMode: "automatch" });
    await pull();
    await pay("one", "600");
    await push();
    clock.advance(MINUTE);
    expect(await invoice("one")).toMatchObject({ collection_outstanding: "400", collection_status: "open" });
    erp.runAutoMatch();
    await pull();
    expect(await invoice("one")).toMatchObject({ collection_outstanding: "400", collection_status: "open" });
  });

  it("that were reversed are noticed before their debt is taken for money still to be collected [service.3.3.reversed] [completions.6.reversed]", async () => {
    const { id, receiptId } = await pushed();
    await pull();
    expect(await invoice("one")).toMatchObject({ collection_outstanding: "600", erp_invoice_open_balance: "600" });
    const { updated_at } = await invoice("one");
    clock.advance(MINUTE);
    erp.reverseReceipt(receiptId, "NSF");
    await pull();
    expect(await payment(id)).toMatchObject({ erp_push_status: "reversed", applied_at: null, reflected_at: null });
    expect(await invoice("one")).toMatchObject({
      erp_push_state: "reversed",
      erp_invoice_open_balance: "1000",
      collection_outstanding: "600",
      amount_collected: "400",
    });
    expect((await invoice("one")).updated_at).not.toBe(updated_at);
    clock.advance(DAY);
    await pull();
    expect(await push()).toBe(0);
    expect(await payment(id)).toMatchObject({ erp_push_status: "reversed", reflected_at: null });
    expect(erp.receipts).toHaveLength(1);
  });

  it("that the ERP does not apply are posted, with the reason, and are followed all the same [completions.9.refused-application]", async () => {
    const id = await pay("one", "600");
    // Meanwhile the customer paid a part of it directly.
    erp.putInvoices(erpInvoice("one", [100_000n], { paid: 50_000n }));
    await push();
    const refused = {
      erp_push_status: "posted",
      erp_push_error: { code: "less_owed", erp: expect.any(String) },
      push_retryable: false,
    };
    expect(await payment(id)).toMatchObject(refused);
    expect((await invoice("one")).erp_push_state).toBe("posted");
    clock.advance(15 * MINUTE);
    expect(await push()).toBe(0);
    await pull();
    expect(await payment(id)).toMatchObject(refused);
    erp.reverseReceipt((await payment(id)).erp_receipt_id ?? "", "STOP");
    await pull();
    expect((await payment(id)).erp_push_status).toBe("reversed");
  });

  it("that somebody took off their invoice are posted again, and not reflected [completions.6.reflected-once]", async () => {
    const { id, receiptId } = await pushed();
    await pull();
    clock.advance(MINUTE);
    const [part] = (await invoice("one")).installments;
    erp.unapplyReceipt(receiptId, part?.erp_installment_id ?? "");
    await pull();
    expect(await payment(id)).toMatchObject({
      erp_push_status: "posted",
      erp_push_error: { code: "taken_back" },
      reflected_at: null,
    });
    expect(await invoice("one")).toMatchObject({ collection_outstanding: "600", erp_invoice_open_balance: "1000" });
    expect(await push()).toBe(0);
  });

  it("are followed when their invoice is retired [completions.9.retired-followed]", async () => {
    const { id, receiptId } = await pushed();
    const { erp_invoice_id } = await invoice("one");
    erp.removeInvoices(erp_invoice_id ?? "");
    await pull();
    expect((await invoice("one")).retired_at).not.toBeNull();
    clock.advance(MINUTE);
    erp.putReceipts({
      StandardReceiptId: receiptId,
      ReceiptNumber: (await payment(id)).erp_receipt_number,
      Amount: "400",
      Currency: "USD",
      State: "REV",
    });
    await pull();
    expect(await payment(id)).toMatchObject({ erp_push_status: "reversed" });
    expect(await invoice("one")).toMatchObject({ erp_push_state: "reversed", collection_status: "inactive" });
  });

  it("stay as they are when the ERP does not show them, and keep no pull from going well", async () => {
    const { id, receiptId } = await pushed();
    erp.control({ mode: "403", resource: "standardReceipts" });
    expect(await pull()).toMatchObject({ status: "succeeded" });
    clock.advance(MINUTE);
    erp.control({ mode: "ok" });
    erp.removeReceipts(receiptId);
    expect(await pull()).toMatchObject({ status: "succeeded" });
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied" });
  });

  it("are looked at the less often the older they are, and at once when their installment owes more again [completions.6.reversed]", async () => {
    const { id, receiptId } = await pushed();
    const looks = () => erp.requests.filter(({ path }) => path.endsWith("standardReceipts")).length;
    await pull();
    erp.forgetRequests();
    for (let day = 1; day <= 60; day *= 2) {
      clock.advance(day * DAY);
      await pull();
    }
    expect(looks()).toBe(6);
    erp.forgetRequests();
    for (let day = 0; day < 6; day += 1) {
      clock.advance(DAY);
      await pull();
    }
    expect(looks()).toBe(0);
    erp.reverseReceipt(receiptId);
    clock.advance(1);
    await pull();
    expect((await payment(id)).erp_push_status).toBe("reversed");
    expect(await invoice("one")).toMatchObject({ collection_outstanding: "600", erp_invoice_open_balance: "1000" });
  });

  it("that were deleted are not asked for again, however often their installment is read [completions.6.in-doubt]", async () => {
    const { id, receiptId } = await pushed();
    await pull();
    const [part] = (await invoice("one")).installments;
    erp.unapplyReceipt(receiptId, part?.erp_installment_id ?? "");
    erp.removeReceipts(receiptId);
    for (let read = 0; read < 3; read += 1) {
      clock.advance(DAY);
      await pull();
      expect(await invoice("one")).toMatchObject({
        erp_invoice_open_balance: "1000",
        collection_outstanding: "600",
        erp_push_state: "applied",
      });
    }
    // That the balance falls again says nothing of the receipt.
    erp.putInvoices(erpInvoice("one", [100_000n], { paid: 50_000n }));
    clock.advance(DAY);
    await pull();
    expect(await invoice("one")).toMatchObject({ erp_invoice_open_balance: "500", collection_outstanding: "100" });
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied", applied_at: null, reflected_at: null });
  });

  it("that were reversed while none could be read are not asked for again, and are noticed later [completions.6.in-doubt]", async () => {
    const { id, receiptId } = await pushed();
    await pull();
    clock.advance(100 * DAY);
    await pull();
    erp.reverseReceipt(receiptId, "NSF");
    for (const mode of ["503", "403"] as const) {
      erp.control({ mode, resource: "standardReceipts" });
      clock.advance(MINUTE);
      expect(await pull()).toMatchObject({ status: "succeeded" });
      expect(await invoice("one")).toMatchObject({
        erp_invoice_open_balance: "1000",
        collection_outstanding: "600",
      });
      expect(await payment(id)).toMatchObject({ erp_push_status: "applied", reflected_at: null });
    }
    erp.control({ mode: "ok" });
    clock.advance(MINUTE);
    await pull();
    expect(await payment(id)).toMatchObject({ erp_push_status: "reversed" });
    expect(await invoice("one")).toMatchObject({ collection_outstanding: "600" });
  });

  it("that are shown as applied after all are reflected by the run that begins with it, however old they are [completions.6.in-doubt]", async () => {
    const { id } = await pushed();
    await pull();
    clock.advance(100 * DAY);
    await pull();
    // The ERP billed more on the installment, which is nothing of the receipt's.
    erp.putInvoices(erpInvoice("one", [100_000n], { paid: 20_000n }));
    erp.control({ mode: "503", resource: "standardReceipts" });
    clock.advance(MINUTE);
    await pull();
    expect(await invoice("one")).toMatchObject({ erp_invoice_open_balance: "800", collection_outstanding: "400" });
    erp.control({ mode: "ok" });
    clock.advance(MINUTE);
    await pull();
    expect(await invoice("one")).toMatchObject({ collection_outstanding: "800" });
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied", applied_at: expect.any(String) });
    expect(await push()).toBe(0);
  });

  it("are never taken for money still to be collected, not even in between [completions.6.reversed]", async () => {
    const { receiptId } = await pushed();
    await pull();
    clock.advance(40 * DAY);
    await pull();
    clock.advance(DAY);
    erp.reverseReceipt(receiptId, "STOP");
    const seen = new Set<string>();
    let over = false;
    const watching = (async () => {
      while (!over) {
        seen.add((await invoice("one")).collection_outstanding);
        await core.store.read(world.tenantId, async () => undefined);
      }
    })();
    await pull();
    over = true;
    await watching;
    // 200: reversed, and the balance not read yet. Never 1000.
    expect([...seen].every((outstanding) => ["600", "200"].includes(outstanding))).toBe(true);
    expect(await invoice("one")).toMatchObject({ collection_outstanding: "600" });
  });
});
