import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type AssistantActor, SCOPES } from "../../src/core/gate/actor.ts";
import listCustomerAging from "../../tools/list-customer-aging.ts";
import { customerRow, installmentRow, invoiceRow, openBook, shownOn } from "../support/book.ts";
import { TestClock, testCore } from "../support/core.ts";
import { refusal } from "../support/lists.ts";
import { connectAssistant } from "../support/rows.ts";
import { STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

const CUSTOMERS = 45;
const CURRENCIES = ["EUR", "JPY", "USD"];
const LATEST = { include: "payment_history", sort: "days_late_desc" };
const Page = z.looseObject({
  totals: z.array(z.unknown()).optional(),
  data: z.array(z.looseObject({ customer_key: z.string() })),
  pagination: z.looseObject({ next_cursor: z.string().nullable() }),
});

/** Each customer owes in three currencies, so that the hundredth row is the first of a customer; the last two were never paid. */
describe.each(STORES)("who pays latest on $name", ({ open }) => {
  const opened = useStore(open);
  let actor: AssistantActor;
  const core = () => testCore(opened.store, new TestClock("2026-03-10T12:00:00.000Z"));
  const ask = async (args: object) =>
    Page.parse(await listCustomerAging.call(actor, { ...LATEST, ...args }, { core: core(), requestId: "req_test" }));

  beforeAll(async () => {
    const book = await openBook(opened.store);
    const customers = Array.from({ length: CUSTOMERS }, (_, at) =>
      customerRow(book.tenantId, book.connectionId, { name: `Customer ${at}` }),
    );
    const invoices = customers.flatMap((customer) =>
      CURRENCIES.map((currency) =>
        invoiceRow(book.tenantId, {
          connection_id: book.connectionId,
          ...shownOn(customer),
          currency,
          has_installments: true,
        }),
      ),
    );
    const installments = invoices.flatMap(({ invoice_id: id }, at) => {
      const day = String(1 + (Math.floor(at / CURRENCIES.length) % 27)).padStart(2, "0");
      const paid = { due_date: "2026-01-01", closed_on: `2026-02-${day}`, closed: true, erp_outstanding: "0" };
      const isKnown = at < (CUSTOMERS - 2) * CURRENCIES.length;
      return [{ due_date: "2026-03-01" }, ...(isKnown ? [paid] : [])].map((part, sequence_number) =>
        installmentRow(book.tenantId, id, { sequence_number, ...part }),
      );
    });
    await book.insert({ customers, invoices, installments });
    actor = (await connectAssistant(opened.store, book.tenantId, { role: "admin", scopes: SCOPES })).actor;
  });

  /** The rows of the list from its first page to its last. */
  async function walked(args: object) {
    const pages: Record<string, unknown>[][] = [];
    let cursor: string | null = null;
    do {
      const { data, pagination }: z.infer<typeof Page> = await ask({ ...args, ...(cursor === null ? {} : { cursor }) });
      pages.push(data);
      cursor = pagination.next_cursor;
    } while (cursor !== null);
    return pages;
  }

  it("is each customer once where only the customer's own is asked for, and limit counts them [completions.3.fields-once]", async () => {
    const rows = (await walked({ limit: 100 })).flat();
    expect(rows).toHaveLength(CUSTOMERS * CURRENCIES.length);
    const fields = ["customer_name", "average_days_late"];
    const own = rows.map((row) => ({
      customer_key: row.customer_key,
      customer_name: row.customer_name,
      average_days_late: row.average_days_late,
    }));
    const customers = own.filter((row, at) => row.customer_key !== own[at - 1]?.customer_key);
    expect(customers).toHaveLength(CUSTOMERS);
    for (const limit of [4, 10, 34, 100]) {
      const pages = await walked({ limit, fields });
      expect(pages.flat(), `${limit} at a time`).toEqual(customers);
      // Of a hundred rows the last is of a customer with more: 33 are the most that a page is sure of.
      expect(pages[0]).toHaveLength(Math.min(limit, 33));
    }
    const { totals, pagination } = await ask({ limit: 10, fields });
    expect(totals).toBeUndefined();
    expect(pagination).toEqual({ limit: 10, next_cursor: expect.any(String) });
  });

  it("has a row for each currency where more than that is asked for, or in another order [completions.3.fields-once]", async () => {
    const first = async (args: object) => (await ask({ limit: 3, ...args })).data;
    const currencies = CURRENCIES.map((currency) => expect.objectContaining({ currency }));
    expect(await first({ fields: ["customer_name", "max_days_overdue"] })).toEqual(currencies);
    expect(await first({ fields: ["average_days_late", "currency"] })).toEqual(currencies);
    expect(await first({ fields: ["average_days_late"], sort: "customer_asc" })).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ currency: "EUR" })),
    );
    const { pagination } = await ask({ limit: 3, fields: ["outstanding"] });
    expect(pagination).toMatchObject({ total_count: CUSTOMERS * CURRENCIES.length });
  });

  it("refuses what it always refuses [completions.3.fields-once]", async () => {
    const refused = (args: object) => refusal(ask({ fields: ["customer_name"], ...args }));
    expect(await refused({ limit: 101 })).toMatchObject({ error: { details: [{ field: "limit" }] } });
    expect(await refused({ include: undefined })).toMatchObject({ error: { details: [{ field: "sort" }] } });
    const { pagination } = await ask({ limit: 10, fields: ["customer_name"] });
    const other = { cursor: pagination.next_cursor, currency: "EUR" };
    expect(await refused(other)).toMatchObject({ error: { code: "invalid_cursor" } });
  });
});
