import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listAttention } from "../../../src/core/attention/list-attention.ts";
import { operate } from "../../../src/core/gate/operator.ts";
import { createLocalInvoice } from "../../../src/core/invoices/operations/create-local-invoice.ts";
import { getInvoice } from "../../../src/core/invoices/operations/get-invoice.ts";
import { settleLocalInvoice } from "../../../src/core/invoices/operations/settle-local-invoice.ts";
import { createPaymentLink } from "../../../src/core/payment-links/operations/create-payment-link.ts";
import {
  type CollectingApp,
  type CollectingBook,
  callOnce,
  openCollectingApp,
  openCollectingBook,
} from "../../support/collecting.ts";
import { call } from "../../support/lists.ts";
import { STORES, type TestStore } from "../../support/stores.ts";

describe.each(STORES)("an invoice made in the service that is paid by link on $name", ({ open }) => {
  let opened: TestStore;
  let app: CollectingApp;
  let book: CollectingBook;

  beforeAll(async () => {
    opened = await open();
    app = await openCollectingApp(opened);
  });
  afterAll(async () => {
    await app.close();
    await opened.remove();
  });
  beforeEach(async () => {
    app.clock.set(new Date().toISOString());
    book = await openCollectingBook(app, "stripe");
  });

  it.each([
    ["100.00", []],
    [
      "140.00",
      [
        {
          ...{ kind: "payment_over_owed", amount: "40.00" },
          advice: { say: "Refund what is too much at the payment provider." },
        },
      ],
    ],
  ])(
    "is paid too much only by what none of its installments owes after %s came another way, and no ERP is named [completions.12.overpaid]",
    async (amount, concerns) => {
      const { id, installment_ids: parts } = await operate(app.core, book.tenantId, createLocalInvoice, {
        ...{ number: "L-1", currency: "USD", amount: "300.00", invoiceDate: null, dueDate: null },
        ...{ customerName: "Riverside", customerEmail: "ap@river.example", confirmed: true },
        installments: ["200.00", "100.00"].map((part, index) => ({ dueDate: `2026-12-0${index + 1}`, amount: part })),
      });
      const asked = { invoice_id: id, installment_id: parts[0] };
      const link = await callOnce(app.core, createPaymentLink, book.admin, asked);
      const checkout = app.stripe.open(link.id);
      const transfer = { invoiceId: id, amount, date: "2026-01-05", reference: "Transfer" };
      await operate(app.core, book.tenantId, settleLocalInvoice, transfer);
      await app.stripe.complete(checkout.id);
      const paid = { collection_status: "paid", collection_outstanding: "0.00", amount_collected: "200.00" };
      expect(await call(app.core, getInvoice, book.reader, { invoice_id: id })).toMatchObject(paid);
      expect(await listAttention(app.core, book.tenantId)).toMatchObject(concerns);
    },
  );
});
