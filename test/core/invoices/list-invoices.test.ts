import { beforeAll, describe, expect, it } from "vitest";
import { listInvoices } from "../../../src/core/invoices/operations/list-invoices.ts";
import { connectionRow } from "../../support/book.ts";
import { call, refusal, walk } from "../../support/lists.ts";
import { storesOf } from "../../support/stores.ts";
import { useBook } from "../../support/use-store.ts";

const CUSTOMER = "6e3a0c1e-0d7c-4f53-9d0b-111111111111";
const OTHER_CONNECTION = "6e3a0c1e-0d7c-4f53-9d0b-222222222222";
const id = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`;
const day = (digit: number): string => `2026-03-0${digit}T09:00:00.000Z`;

describe.each(storesOf(import.meta.url))("listInvoices on $name", ({ open }) => {
  const { book, core } = useBook(open);
  const list = (input: object) => call(core, listInvoices, book.reader, input);

  /** Six invoices; number n was made on day n and last changed on day n + 1. */
  beforeAll(async () => {
    await book.insert({ erp_connections: [connectionRow(book.tenantId, { connection_id: OTHER_CONNECTION })] });
    const customer = await book.customer({ customer_id: CUSTOMER, contact_name: "Ada", name: "Globex", number: "C-7" });
    const base = (n: number) => ({ invoice_id: id(n), created_at: day(n), updated_at: day(n + 1) });
    await book.invoice({
      ...base(1),
      customer,
      invoice_number: "A-1",
      total_amount: "1250.5",
      erp_invoice_open_balance: "1250.5000",
      collection_outstanding: "1000.125",
      amount_collected: "250.5",
      collection_due_date: "2026-03-10",
      due_date: "2026-03-09",
      payment_terms: "NET 30",
      erp_push_state: "pending",
      has_held_payment: true,
      has_active_payment_link: true,
      last_synced_at: "2026-03-01T08:00:00.000Z",
    });
    await book.invoice({ ...base(2), origin: "local", currency: "JPY", total_amount: "1250", invoice_number: "a-1" });
    await book.invoice({ ...base(3), collection_status: "paid", erp_push_state: "applied", invoice_number: "B-1" });
    await book.invoice({ ...base(4), collection_status: "inactive", currency: null, total_amount: null });
    await book.invoice({
      ...base(5),
      connection_id: OTHER_CONNECTION,
      erp_push_state: "failed",
      collection_due_date: "2026-03-11",
    });
    await book.invoice({ ...base(6), collection_due_date: "2026-03-12", retired_at: day(8), invoice_number: null });
  });

  it("answers the fields of an invoice and no others [service.2.3.invoice] [service.2.4.customer] [completions.3.held-beside]", async () => {
    const { data, pagination } = await list({ customer_id: CUSTOMER });
    expect(data).toEqual([
      {
        id: id(1),
        invoice_number: "A-1",
        currency: "USD",
        total_amount: "1250.50",
        erp_invoice_open_balance: "1250.50",
        invoice_date: "2026-02-01",
        due_date: "2026-03-09",
        collection_due_date: "2026-03-10",
        last_synced_at: "2026-03-01T08:00:00.000Z",
        collection_outstanding: "1000.125",
        overdue_outstanding: "1000.125",
        available_amount: "0.00",
        amount_collected: "250.50",
        erp_push_state: "pending",
        has_held_payment: true,
        collection_status: "open",
        customer: {
          id: CUSTOMER,
          number: "C-7",
          name: "Globex",
          contact_name: "Ada",
          email: "billing@globex.example.test",
        },
        origin: "erp",
        connection_id: book.connectionId,
        created_at: "2026-03-01T09:00:00.000Z",
        updated_at: "2026-03-02T09:00:00.000Z",
        collection_updated_at: expect.any(String),
        has_active_payment_link: true,
        payment_terms: "NET 30",
      },
    ]);
    expect(pagination).toEqual({ next_cursor: null, has_more: false, limit: 25, as_of: expect.any(String) });
  });

  it("keeps nullable fields present, and shows what was made in the service [service.2.nullable]", async () => {
    const { data } = await list({ currency: "JPY" });
    const none = { due_date: null, collection_due_date: null, last_synced_at: null, erp_push_state: null };
    expect(data).toMatchObject([
      {
        ...{ id: id(2), origin: "local", connection_id: null, total_amount: "1250", collection_outstanding: "100" },
        ...{ ...none, erp_invoice_open_balance: null, overdue_outstanding: "0", available_amount: "0" },
        customer: { id: null, number: null, name: null, contact_name: null, email: null },
      },
    ]);
  });

  it.each<[filter: object, numbers: number[]]>([
    [{ invoice_number: "A-" }, []],
    [{ invoice_number: "%" }, []],
    [{ connection_id: OTHER_CONNECTION.toUpperCase() }, [5]],
    [{ updated_since: "2026-03-06T11:30:00.000+02:30" }, [6, 5]],
    [{ updated_since: "2026-03-06T09:00:00.001Z" }, [6]],
    [{ due_after: "2026-03-11", due_before: "2026-03-11" }, [5]],
  ])("filters by %j [service.4.4.filters] [service.4.4.dates]", async (filter, numbers) => {
    expect((await walk(core, listInvoices, book.reader, filter, [1, 3])).ids).toEqual(numbers.map(id));
  });

  it.each<[field: string, input: object]>([
    ["limit", { limit: 0 }],
    ["limit", { limit: 101 }],
    ["cursor", { cursor: "" }],
    ["cursor", { cursor: "x".repeat(401) }],
    ["order", { order: "newest" }],
    ["currency", { currency: "usd" }],
    ["invoice_number", { invoice_number: "9".repeat(101) }],
    ["invoice_number", { invoice_number: "A\0" }],
    ["connection_id", { connection_id: "1" }],
    ["customer_id", { customer_id: `unassigned:${CUSTOMER}` }],
    ["updated_since", { updated_since: "0000-01-01" }],
    ["updated_since", { updated_since: "2026-03-06T09:00:00" }],
    ["updated_since", { updated_since: "0000-01-01T00:00:00Z" }],
    ["updated_since", { updated_since: "9999-12-31T23:59:59-01:00" }],
    ["erp_push_state", { erp_push_state: "queued" }],
    ["due_before", { due_before: "2026-02-29" }],
    ["due_after", { due_after: "0000-01-01" }],
    ["status", { status: "open" }],
  ])("refuses a bad %s: %j [service.8.bounds] [service.4.unknown-parameters]", async (field, input) => {
    const error = await refusal(list(input));
    expect(error).toMatchObject({
      error: { code: "validation_failed", request_id: "req_test", details: [{ field }] },
    });
  });

  it("takes the bounds themselves [service.8.bounds]", async () => {
    const input = { limit: 100, invoice_number: "9".repeat(100), due_before: "9999-12-31", due_after: "0001-01-01" };
    expect((await list(input)).data).toEqual([]);
    expect((await list({ limit: 1, updated_since: "9999-12-31T23:59:59+23:59" })).data).toEqual([]);
    expect((await list({ limit: 1, updated_since: "9999-12-31" })).data).toEqual([]);
    expect((await list({ limit: 1, updated_since: "0001-01-01" })).data).toHaveLength(1);
  });
});
