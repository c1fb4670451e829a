import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, inject, it } from "vitest";
import { lockCustomers } from "../../../src/core/invoices/delivery/deliver-queries.ts";
import { getInvoice } from "../../../src/core/invoices/operations/get-invoice.ts";
import { openBook } from "../../support/book.ts";
import { call, refusal } from "../../support/lists.ts";
import { onOwnDatabase, storesOf } from "../../support/stores.ts";
import { useBook } from "../../support/use-store.ts";

const id = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`;
const REMOVED = "2026-03-05T09:00:00.000Z";

describe.each(storesOf(import.meta.url))("getInvoice on $name", ({ open }) => {
  const { book, core } = useBook(open);
  const get = (invoiceId: string) => call(core, getInvoice, book.reader, { invoice_id: invoiceId });

  it("shows an invoice with its installments in order, removed ones too [completions.4.installment] [service.4.11.detail]", async () => {
    const [first, second, third, fourth] = [id(1), id(2), id(3), id(4)];
    const { invoice } = await book.invoice({ invoice_number: "S-1", currency: "KWD", invoice_id: randomUUID() }, [
      { installment_id: fourth, sequence_number: null, due_date: null, original_amount: null },
      { installment_id: third, sequence_number: null, not_collectible_reason: "disputed", disputed: true },
      {
        installment_id: second,
        sequence_number: 2,
        removed_at: REMOVED,
        collection_outstanding: "0",
        not_collectible_reason: "removed",
      },
      { installment_id: first, sequence_number: 1, collection_outstanding: "40.5", due_date: "2026-04-30" },
    ]);
    const { installments, ...shown } = await get(invoice.invoice_id);
    expect(shown).toMatchObject({ id: invoice.invoice_id, invoice_number: "S-1", total_amount: "100.000" });
    const whole = { original_amount: "100.000", erp_installment_outstanding_amount: "100.000" };
    expect(installments).toMatchObject([
      {
        ...{ id: first, sequence_number: 1, due_date: "2026-04-30", ...whole },
        ...{ collection_outstanding: "40.500", available_amount: "40.500" },
        ...{ collectible: true, not_collectible_reason: null },
      },
      {
        ...{ id: second, available_amount: "0.000", collectible: false, not_collectible_reason: "removed" },
      },
      { id: third, sequence_number: null, ...whole, available_amount: "100.000", not_collectible_reason: "disputed" },
      { id: fourth, due_date: null, original_amount: null, erp_installment_outstanding_amount: null },
    ]);
  });

  it("keeps amounts exact that no float could hold [service.1.money]", async () => {
    const amount = "12345678901234567890.123456789";
    const { invoice } = await book.invoice({ total_amount: amount }, [
      { original_amount: amount, collection_outstanding: amount },
    ]);
    const shown = await get(invoice.invoice_id);
    expect(shown.total_amount).toBe(amount);
    expect(shown.installments[0]).toMatchObject({ original_amount: amount, available_amount: amount });
  });

  it("shows an invoice without installments, and one the ERP no longer has [service.2.3.invoice]", async () => {
    const retired = { retired_at: REMOVED, collection_status: "inactive", not_collectible_reason: "retired" } as const;
    const { invoice } = await book.invoice(retired);
    const shown = { collection_status: "inactive", not_collectible_reason: "retired", installments: [] };
    expect(await get(invoice.invoice_id)).toMatchObject(shown);
    const { invoice: whole } = await book.invoice({}, [{}]);
    expect(await get(whole.invoice_id)).not.toHaveProperty("not_collectible_reason");
  });

  it("answers an unknown id with not_found, a malformed one with validation_failed [service.7.codes]", async () => {
    expect(await refusal(get(randomUUID()))).toEqual({
      error: { code: "not_found", message: "No such invoice.", request_id: "req_test" },
    });
    expect(await refusal(get("INV-1"))).toMatchObject({
      error: { code: "validation_failed", details: [{ field: "invoice_id" }] },
    });
  });
});

describe.skipIf(inject("postgresUrl") === null)("a pull that has locked a customer", () => {
  it("holds up nobody whose invoice refers to them, which would be a deadlock [contract.customer-locks]", () =>
    onOwnDatabase(
      async (store) => {
        const book = await openBook(store);
        const { tenantId, connectionId } = book;
        const customer = await book.customer();
        const late = new AbortController();
        const first = await store.write(tenantId, async (tx) => {
          await lockCustomers(tx, tenantId, connectionId, [customer.erp_customer_id]);
          const billed = book.invoice({ customer }).then(() => "billed");
          return Promise.race([billed, sleep(10_000, "held up", { signal: late.signal })]);
        });
        late.abort();
        expect(first).toBe("billed");
      },
      { poolSize: 4 },
    ));
});
