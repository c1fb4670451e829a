import { describe, expect, it } from "vitest";
import { listAttention } from "../../src/core/attention/list-attention.ts";
import { pushPayment } from "../../src/core/payments/operations/push-payment.ts";
import { settleReceiptByHand } from "../../src/core/payments/operations/settle-receipt-by-hand.ts";
import { erpInvoice, usePushWorld } from "../support/pushes.ts";
import { A_STORE } from "../support/thorough.ts";

const MINUTE = 60_000;

describe.each(A_STORE)("a receipt that waited, on $name", ({ open: openStore }) => {
  const world = usePushWorld(openStore);
  const { clock, erp, pull, pay, push, payment, invoice, act } = world;

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
