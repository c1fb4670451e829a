import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { getInvoice } from "../../../src/core/invoices/operations/get-invoice.ts";
import { createPaymentLink } from "../../../src/core/payment-links/operations/create-links.ts";
import { getPaymentLink } from "../../../src/core/payment-links/operations/get-payment-link.ts";
import { listPayments } from "../../../src/core/payments/operations/list-payments.ts";
import {
  type CollectingApp,
  type CollectingBook,
  callOnce,
  openCollectingApp,
  openCollectingBook,
} from "../../support/collecting.ts";
import { call } from "../../support/lists.ts";
import { storesOf } from "../../support/stores.ts";
import { useStore } from "../../support/use-store.ts";

describe.each(storesOf(import.meta.url))("from a link to its payment on $name", ({ open }) => {
  const opened = useStore(open);
  let app: CollectingApp;

  beforeAll(async () => {
    app = await openCollectingApp(opened);
  });
  afterAll(async () => {
    await app.close();
  });

  describe.each(["sandbox", "stripe"] as const)("through %s", (provider) => {
    let book: CollectingBook;
    beforeEach(async () => {
      book = await openCollectingBook(app, provider);
    });

    const pay = async (link: { id: string; url: string }) => {
      if (provider === "stripe") await app.stripe.pay(link.id);
      else expect((await fetch(`${link.url}/pay`, { method: "POST", redirect: "manual" })).status).toBe(303);
    };

    it("asks for what is available, is paid, and moves the figures [completions.6.confirmed]", async () => {
      const { invoice, installments } = await book.owing("100.00", "50.00");
      const [part] = installments;
      const link = await callOnce(app.core, createPaymentLink, book.admin, {
        invoice_id: invoice.invoice_id,
        installment_id: part?.installment_id,
      });
      expect(link).toMatchObject({
        invoice_id: invoice.invoice_id,
        invoice_number: "INV-7",
        amount_minor: 10_000,
        currency: "USD",
        status: "active",
        email: null,
        created_by: { kind: "api_key", id: book.admin.keyId },
        paid_at: null,
      });
      const before = await call(app.core, getInvoice, book.reader, { invoice_id: invoice.invoice_id });
      expect(before).toMatchObject({
        has_active_payment_link: true,
        installments: [{ available_amount: "0.00", collection_outstanding: "100.00" }, { available_amount: "50.00" }],
      });
      await pay(link);
      expect(await call(app.core, getPaymentLink, book.reader, { payment_link_id: link.id })).toMatchObject({
        status: "paid",
        paid_at: (await call(app.core, listPayments, book.reader, {})).data[0]?.paid_at,
      });
      expect(await call(app.core, getInvoice, book.reader, { invoice_id: invoice.invoice_id })).toMatchObject({
        has_active_payment_link: false,
        collection_outstanding: "50.00",
        amount_collected: "100.00",
        erp_push_state: "pending",
        installments: [{ collection_outstanding: "0.00", collectible: false }, { collectible: true }],
      });
      const { data } = await call(app.core, listPayments, book.reader, {});
      expect(data).toMatchObject([
        {
          invoice_id: invoice.invoice_id,
          installment_id: part?.installment_id,
          payment_link_id: link.id,
          amount_minor: 10_000,
          amount: "100.00",
          currency: "USD",
          erp_push_status: "pending",
        },
      ]);
      expect(app.errors).toEqual([]);
    });
  });
});
