import { describe, expect, it } from "vitest";
import type { Actor } from "../../src/core/gate/actor.ts";
import { listInvoices } from "../../src/core/invoices/operations/list-invoices.ts";
import { startOfDay } from "../../src/core/kernel/local-time.ts";
import { listPaymentLinks } from "../../src/core/payment-links/operations/list-payment-links.ts";
import { listPayments } from "../../src/core/payments/operations/list-payments.ts";
import { setWorkspace } from "../../src/core/workspace/operations/set-workspace.ts";
import { openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { integrationRow, linkRow, paymentRow } from "../support/furnish.ts";
import { call, pageOf, refusal, walk } from "../support/lists.ts";
import { addRows } from "../support/stored.ts";
import { storesOf } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

/** Days that begin otherwise than at an only midnight of the offset that the day has: the zone, the day and its start. */
const STARTS: readonly [timezone: string, day: string, start: string][] = [
  ["UTC", "2026-10-01", "2026-10-01T00:00:00.000Z"],
  ["America/New_York", "2026-03-08", "2026-03-08T05:00:00.000Z"],
  ["America/New_York", "2026-03-09", "2026-03-09T04:00:00.000Z"],
  ["Asia/Kathmandu", "2026-10-01", "2026-09-30T18:15:00.000Z"],
  // Clocks went from 00:00 to 01:00.
  ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z"],
  ["Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00.000Z"],
  // Clocks go from 00:00 back to 23:00 of the day before, and at Havana from 01:00 to 00:00.
  ["America/Sao_Paulo", "2018-02-18", "2018-02-18T03:00:00.000Z"],
  ["Asia/Beirut", "2026-10-25", "2026-10-24T22:00:00.000Z"],
  ["America/Havana", "2026-11-01", "2026-11-01T04:00:00.000Z"],
  // A day that was left out.
  ["Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00.000Z"],
];

const before = (instant: string): string => new Date(Date.parse(instant) - 1).toISOString();

describe.each(storesOf(import.meta.url))("days in filters on $name", ({ open }) => {
  const { store } = useStore(open);
  const core = testCore(store);

  /** A workspace of a timezone with three invoices, the first updated just before an instant, and a payment and a mailed link of each. */
  async function workspaceWith(
    timezone: string,
    start: string,
  ): Promise<{ reader: Actor; tenantId: string; ids: string[] }> {
    const book = await openBook(store, { timezone });
    const integration = integrationRow(book.tenantId);
    await addRows(store, book.tenantId, { payment_integrations: integration });
    const ids: string[] = [];
    for (const instant of [before(start), start, new Date(Date.parse(start) + 1).toISOString()]) {
      const { invoice, installments } = await book.invoice({ updated_at: instant }, [{}]);
      const [installment] = installments;
      const link = linkRow(installment, integration.payment_integration_id, { state: "paid" });
      const mailed = { ...link, email_status: "sent", email_send_at: instant } as const;
      const payment = paymentRow(link, { confirmed_at: instant });
      await addRows(store, book.tenantId, { payment_links: [mailed], payments: payment });
      ids.push(invoice.invoice_id);
    }
    return { reader: book.reader, tenantId: book.tenantId, ids };
  }

  it.each(STARTS)("%s: %s starts at %s [completions.10.days]", async (timezone, day, start) => {
    expect(startOfDay(day, timezone)).toBe(start);
    const { reader, ids } = await workspaceWith(timezone, start);
    const invoices = await walk(core, listInvoices, reader, { updated_since: day }, [1]);
    expect(invoices.ids.sort()).toEqual(ids.slice(1).sort());
    const { data } = await call(core, listPayments, reader, { confirmed_since: day });
    expect(data.map((payment) => payment.invoice_id).sort()).toEqual(ids.slice(1).sort());
    const mailed = async (filter: object) =>
      (await call(core, listPaymentLinks, reader, filter)).data.map((link) => link.invoice_id).sort();
    expect(await mailed({ email_send_from: day })).toEqual(ids.slice(1).sort());
    expect(await mailed({ email_send_before: day })).toEqual(ids.slice(0, 1));
  });

  it("a cursor goes on with the day or its instant, not with another day or once the timezone is another [completions.10.days]", async () => {
    const { reader, tenantId } = await workspaceWith("Asia/Beirut", "2026-03-28T22:00:00.000Z");
    const asked = { limit: 1, updated_since: "2026-03-29" };
    const cursor = (await pageOf(core, listInvoices, reader, asked)).pagination.next_cursor;
    const next = (updated_since: string) => pageOf(core, listInvoices, reader, { limit: 1, updated_since, cursor });
    expect((await next("2026-03-29")).data).toHaveLength(1);
    expect((await next("2026-03-28T22:00:00Z")).data).toHaveLength(1);
    expect(await refusal(next("2026-03-30"))).toMatchObject({ error: { code: "invalid_cursor" } });
    await call(core, setWorkspace, { kind: "operator", tenantId }, { timezone: "UTC" });
    expect(await refusal(next("2026-03-29"))).toMatchObject({ error: { code: "invalid_cursor" } });
  });
});
