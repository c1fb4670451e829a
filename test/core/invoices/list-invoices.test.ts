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
    expect(data).toEqual([
      {
        id: id(2),
        invoice_number: "a-1",
        currency: "JPY",
        total_amount: "1250",
        erp_invoice_open_balance: null,
        invoice_date: "2026-02-01",
        due_date: null,
        collection_due_date: null,
        last_synced_at: null,
        collection_outstanding: "100",
        overdue_outstanding: "0",
        available_amount: "0",
        amount_collected: "0",
        erp_push_state: null,
        has_held_payment: false,
        collection_status: "open",
        customer: { id: null, number: null, name: null, contact_name: null, email: null },
        origin: "local",
        connection_id: null,
        created_at: "2026-03-02T09:00:00.000Z",
        updated_at: "2026-03-03T09:00:00.000Z",
        collection_updated_at: expect.any(String),
        has_active_payment_link: false,
      },
    ]);
  });

  it("is newest first by creation time, or oldest first when asked [service.4.1.order]", async () => {
    expect((await walk(core, listInvoices, book.reader)).ids).toEqual([6, 5, 4, 3, 2, 1].map(id));
    expect((await walk(core, listInvoices, book.reader, { order: "asc" }, [2, 1])).ids).toEqual(
      [1, 2, 3, 4, 5, 6].map(id),
    );
  });

  it.each<[filter: object, numbers: number[]]>([
    [{ collection_status: "open" }, [6, 5, 2, 1]],
    [{ collection_status: "paid" }, [3]],
    [{ collection_status: "inactive" }, [4]],
    [{ currency: "JPY" }, [2]],
    [{ currency: "XXX" }, []],
    [{ invoice_number: "A-1" }, [1]],
    [{ invoice_number: "A-" }, []],
    [{ invoice_number: "%" }, []],
    [{ connection_id: OTHER_CONNECTION }, [5]],
    [{ connection_id: OTHER_CONNECTION.toUpperCase() }, [5]],
    [{ updated_since: "2026-03-06T09:00:00Z" }, [6, 5]],
    [{ updated_since: "2026-03-06T11:30:00.000+02:30" }, [6, 5]],
    [{ updated_since: "2026-03-06T09:00:00.001Z" }, [6]],
    [{ customer_id: CUSTOMER }, [1]],
    [{ erp_push_state: "held" }, [1]],
    [{ erp_push_state: "pending" }, [1]],
    [{ erp_push_state: "applied" }, [3]],
    [{ erp_push_state: "failed" }, [5]],
    [{ erp_push_state: "reversed" }, []],
    [{ has_active_payment_link: true }, [1]],
    [{ has_active_payment_link: false }, [6, 5, 4, 3, 2]],
    [{ due_before: "2026-03-11" }, [5, 1]],
    [{ due_after: "2026-03-11" }, [6, 5]],
    [{ due_after: "2026-03-11", due_before: "2026-03-11" }, [5]],
    [{ due_after: "2026-03-12", due_before: "2026-03-10" }, []],
    [{ due_before: "2026-03-10", collection_status: "open", has_active_payment_link: false }, []],
  ])("filters by %j [service.4.4.filters] [service.4.4.dates]", async (filter, numbers) => {
    expect((await walk(core, listInvoices, book.reader, filter, [1, 3])).ids).toEqual(numbers.map(id));
  });

  it("counts all matching rows when asked, the same on every page [service.4.1.include-total]", async () => {
    const { pages } = await walk(
      core,
      listInvoices,
      book.reader,
      { include_total: true, due_after: "2026-03-01" },
      [1],
    );
    expect(pages.map((page) => page.total_count)).toEqual([3, 3, 3]);
    expect((await list({ limit: 1 })).pagination).not.toHaveProperty("total_count");
  });

  it.each<[field: string, input: object]>([
    ["limit", { limit: 0 }],
    ["limit", { limit: 101 }],
    ["limit", { limit: 2.5 }],
    ["limit", { limit: "10" }],
    ["cursor", { cursor: "" }],
    ["cursor", { cursor: "x".repeat(401) }],
    ["order", { order: "newest" }],
    ["include_total", { include_total: "true" }],
    ["currency", { currency: "US" }],
    ["currency", { currency: "USDX" }],
    ["currency", { currency: "usd" }],
    ["invoice_number", { invoice_number: "" }],
    ["invoice_number", { invoice_number: "9".repeat(101) }],
    ["invoice_number", { invoice_number: "A\0" }],
    ["connection_id", { connection_id: "1" }],
    ["customer_id", { customer_id: `unassigned:${CUSTOMER}` }],
    ["updated_since", { updated_since: "2026-02-29" }],
    ["updated_since", { updated_since: "0000-01-01" }],
    ["updated_since", { updated_since: "2026-03" }],
    ["updated_since", { updated_since: "2026-03-06T09:00:00" }],
    ["updated_since", { updated_since: "0000-01-01T00:00:00Z" }],
    ["updated_since", { updated_since: "9999-12-31T23:59:59-01:00" }],
    ["erp_push_state", { erp_push_state: "queued" }],
    ["has_active_payment_link", { has_active_payment_link: "yes" }],
    ["due_before", { due_before: "2026-02-29" }],
    ["due_after", { due_after: "0000-01-01" }],
    ["due_after", { due_after: "2026-03-10T00:00:00Z" }],
    ["status", { status: "open" }],
    ["tenant_id", { tenant_id: CUSTOMER }],
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
