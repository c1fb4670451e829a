import { describe, expect, it, vi } from "vitest";
import { listAttention } from "../../src/core/attention/list-attention.ts";
import { reconnectErp } from "../../src/core/erp-connections/operations/reconnect-erp.ts";
import { pushPayment } from "../../src/core/payments/operations/push-payment.ts";
import { settleReceiptByHand } from "../../src/core/payments/operations/settle-receipt-by-hand.ts";
import { pushReceipts } from "../../src/jobs/push-receipts.ts";
import { quickConnect } from "../support/pulls.ts";
import { erpInvoice, usePushWorld } from "../support/pushes.ts";
import { served } from "../support/served.ts";
import { setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

const CREATION = { mode: "refuse", resource: "standardReceipts", method: "POST" } as const;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const RECEIPTS = "/fscmRestApi/resources/11.13.18.05/standardReceipts";

describe.each(A_STORE)("why the ERP does not take a receipt, on $name", ({ open }) => {
  const world = usePushWorld(open);
  const { core, clock, erp, pull, pay, push, payment, invoice, act } = world;
  /** Pushes, and answers what was logged of it. */
  async function pushLogged(): Promise<{ fields: object; message: string | undefined }[]> {
    const lines: { fields: object; message: string | undefined }[] = [];
    const warn = (fields: object, message?: string) => void lines.push({ fields, message });
    await pushReceipts({ ...core, log: { ...core.log, warn } }, quickConnect);
    return lines;
  }

  it.each([
    ["closed_period", 4, "closed_period"],
    ["missing_attribute", 1, "missing_field"],
    ["business_unit", 1, "business_unit"],
    ["receipt_method", 1, "receipt_method"],
    ["bill_of_exchange", 1, "bill_of_exchange"],
    ["currency", 1, "currency"],
    ["customer", 2, "customer"],
  ] as const)(
    "is told: %s [completions.12.erp-reasons] [completions.12.erp-words]",
    async (refusal, wordings, code) => {
      erp.control({ ...CREATION, refusal });
      for (let wording = 0; wording < wordings; wording += 1) {
        const id = await pay("one", "10");
        const lines = await pushLogged();
        const { erp_push_status, erp_push_error } = await payment(id);
        expect(erp_push_status).toBe("failed");
        expect(erp_push_error).toEqual({ code, erp: expect.stringMatching(/^[^“”]{10,300}$/) });
        expect(lines).toMatchObject([
          { message: "receipt.push.failed", fields: { paymentId: id, erpMessage: expect.any(String) } },
        ]);
      }
    },
  );

  it("keeps no other from being followed where a receipt cannot be read, which stays as it was [completions.7.receipt-unreadable]", async () => {
    const id = await pay("one", "400");
    const others = [await pay("two", "100"), await pay("two", "200", 1)];
    await push();
    clock.advance(DAY);
    await pull();
    const receiptId = (await payment(id)).erp_receipt_id ?? "";
    const unread = { StandardReceiptId: BigInt(receiptId), Amount: 400, UnappliedAmount: 0, State: "Applied" };
    erp.putReceipts({ ...unread, Currency: "USD", ReceiptNumber: "PAY-1", ReceiptDate: "2026-02-30" });
    for (const other of others) erp.reverseReceipt((await payment(other)).erp_receipt_id ?? "");
    clock.advance(DAY);
    const told = vi.spyOn(core.log, "warn");
    await pull();
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied", applied_at: expect.any(String) });
    for (const other of others) expect(await payment(other)).toMatchObject({ erp_push_status: "reversed" });
    expect(told.mock.calls).toMatchObject([
      [{ receiptId, err: { fault: { field: "ReceiptDate", value: "2026-02-30" } } }, "receipts.poll.set_aside"],
    ]);
  });

  it("is told of a refused application, too [completions.12.erp-reasons]", async () => {
    for (const [refusal, code] of [
      ["closed_period", "closed_period_to_apply"],
      ["over_application", "less_owed"],
    ] as const) {
      erp.control({ mode: "refuse", refusal, action: "applyReceipt" });
      const id = await pay("one", "10");
      await push();
      const { erp_push_status, erp_push_error } = await payment(id);
      expect([erp_push_status, erp_push_error]).toEqual(["posted", { code, erp: expect.stringMatching(/^[^“”]+$/) }]);
    }
  });

  it("is told of a period that is closed there, and the receipt goes well once it is open [completions.12.erp-reasons] [completions.12.receipt-date] [facts.fusion.office]", async () => {
    const { tenantId } = world;
    const id = await pay("one", "10");
    const paid = "2026-03-04T23:30:00.000Z";
    await core.store.write(tenantId, async (tx) => {
      await tx.updateTable("payments").set({ paid_at: paid }).where("tenant_id", "=", tenantId).execute();
      await tx.updateTable("tenants").set({ timezone: "Asia/Tokyo" }).where("tenant_id", "=", tenantId).execute();
    });
    erp.closePeriods("2026-03-05");
    await push();
    expect(await payment(id)).toMatchObject({ erp_push_status: "failed", push_retryable: false });
    erp.closePeriods(null);
    clock.advance(3 * DAY);
    await setRows(core.store, tenantId, "payments", { erp_push_status: "pending", next_attempt_at: null });
    await push();
    expect((await payment(id)).erp_push_status).toBe("applied");
    const dates = erp.requests
      .filter(({ method, path }) => method === "POST" && path === RECEIPTS)
      .map(({ body }) => JSON.parse(body).ReceiptDate);
    expect(dates).toEqual(["2026-03-05", "2026-03-05"]);
  });

  it("is told short, and logged whole, without the password that a server repeats [completions.12.erp-words]", async () => {
    const password = 'pa"ss-wörd';
    const { erp_invoice_id: CustomerTransactionId } = await invoice("one");
    const url = await served((request, response) => {
      const items = request.url?.includes("/receivablesInvoices?") ? [{ CustomerTransactionId }] : [];
      if (request.method === "POST") {
        const said = `” Nothing was sent. ${request.headers.authorization} ${password} ${JSON.stringify(password)} ${"x".repeat(2_000)} the end`;
        response.writeHead(400).end(JSON.stringify({ "o:errorDetails": [{ detail: said, "o:errorCode": "AR_X" }] }));
      } else response.writeHead(200).end(JSON.stringify({ items }));
    });
    await act(reconnectErp, { connectionId: world.connectionId, password, url, sameInvoices: true });
    const id = await pay("one", "10");
    const lines = await pushLogged();
    const { erp_push_error: error } = await payment(id);
    const erp = expect.stringMatching(/^AR_X: ' Nothing was sent\. Basic … … '…' x+…$/);
    expect(error).toEqual({ code: "receipt_refused", status: 400, erp });
    expect(error?.erp).toHaveLength(300);
    const logged = JSON.stringify(lines);
    expect(logged).toContain("x the end");
    for (const secret of [
      password,
      JSON.stringify(password).slice(1, -1),
      Buffer.from(`integration:${password}`).toString("base64"),
    ])
      expect(logged + JSON.stringify(error)).not.toContain(secret);
  });

  it("waits for a person when the ERP has come to bill the invoice in another currency [service.3.3.waits]", async () => {
    const id = await pay("two", "10");
    await setRows(core.store, world.tenantId, "invoices", { currency: "EUR" });
    await push();
    expect(await payment(id)).toMatchObject({
      erp_push_status: "failed",
      erp_push_error: { code: "billed_otherwise" },
      push_retryable: false,
    });
    expect(erp.receipts).toEqual([]);
  });

  it("is a person's once a sync retired the invoice that the ERP had hidden [completions.12.not-on-top]", async () => {
    const [entered, open] = [await pay("one", "1000"), await pay("two", "600")];
    erp.enterReceipt({ invoice: "one", installment: 1, amount: "1000", number: "CHK-1" });
    erp.removeInvoices(...["one", "two"].map((name) => String(erpInvoice(name, [1n]).CustomerTransactionId)));
    await push();
    expect(await payment(entered)).toMatchObject({ erp_push_status: "failed", push_retryable: true });
    clock.advance(16 * MINUTE);
    expect(await pull()).toMatchObject({ invoices_retired: 2 });
    await push();
    const waits = {
      ...{ erp_push_status: "failed", push_retryable: false, erp_receipt_number: null },
      erp_push_error: { code: "invoice_retired" },
    };
    expect([await payment(entered), await payment(open)]).toMatchObject([waits, waits]);
    expect(erp.receipts).toHaveLength(1);
    const advised = (await act(listAttention, {})).find(({ payment_id }) => payment_id === entered);
    expect(advised?.advice.steps.map(({ act }) => act)).toEqual([
      { kind: "settle_by_hand", paymentId: entered },
      { kind: "push_receipt", paymentId: entered, anyway: true },
    ]);
    await act(pushPayment, { paymentId: open, anyway: true });
    await push();
    expect(await payment(open)).toMatchObject({ erp_receipt_number: expect.stringMatching(/^PAY-/) });
    erp.putInvoices(erpInvoice("one", [100_000n], { paid: 100_000n }));
    await act(settleReceiptByHand, { paymentId: entered, receiptNumber: "CHK-1" });
    await pull();
    expect(await invoice("one")).toMatchObject({ retired_at: null, collection_outstanding: "0" });
  });
});
