import { describe, expect, it } from "vitest";
import { storesOf } from "../../support/stores.ts";
import { useCollecting } from "../../support/use-collecting.ts";

describe.each(storesOf(import.meta.url))("from a link to its payment on $name", ({ open }) => {
  describe.each(["sandbox", "stripe"] as const)("through %s", (provider) => {
    const { app, book } = useCollecting(open, provider);

    const pay = async (link: { id: string; url: string }) => {
      if (provider === "stripe") await app.stripe.pay(link.id);
      else expect((await fetch(`${link.url}/pay`, { method: "POST", redirect: "manual" })).status).toBe(303);
    };

    it("asks for what is available, is paid, and moves the figures [completions.6.confirmed]", async () => {
      const owing = await book.owing("100.00", "50.00");
      const { invoice, installments } = owing;
      const [part] = installments;
      const link = await book.issue(owing);
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
      const before = await book.read(invoice.invoice_id);
      expect(before).toMatchObject({
        has_active_payment_link: true,
        installments: [{ available_amount: "0.00", collection_outstanding: "100.00" }, { available_amount: "50.00" }],
      });
      await pay(link);
      expect(await book.link(link.id)).toMatchObject({
        status: "paid",
        paid_at: (await book.payments())[0]?.paid_at,
      });
      expect(await book.read(invoice.invoice_id)).toMatchObject({
        has_active_payment_link: false,
        collection_outstanding: "50.00",
        amount_collected: "100.00",
        erp_push_state: "pending",
        installments: [{ collection_outstanding: "0.00", collectible: false }, { collectible: true }],
      });
      expect(await book.payments()).toMatchObject([
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
