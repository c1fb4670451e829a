import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { getPaymentLink } from "../../../src/core/payment-links/operations/get-payment-link.ts";
import { listPaymentLinks } from "../../../src/core/payment-links/operations/list-payment-links.ts";
import { listPayments } from "../../../src/core/payments/operations/list-payments.ts";
import type { CustomerRow, InstallmentRow, InvoiceRow } from "../../../src/store/tables/invoices.ts";
import { openBook } from "../../support/book.ts";
import { integrationRow, linkRow, paymentRow } from "../../support/furnish.ts";
import { call, pageOf, refusal, walk } from "../../support/lists.ts";
import { connectAssistant } from "../../support/rows.ts";
import { storesOf } from "../../support/stores.ts";
import { useBook } from "../../support/use-store.ts";

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 1, 9, minute)).toISOString();
const STATES = ["active", "paid", "deactivated", "reserved", "withdrawn"] as const;
const PUSHES = ["held", "pending", "processing", "posted", "applied", "failed", "reversed", null] as const;

interface Amount {
  id: string;
  currency: string;
  cents: number;
}

/** What they come to, by currency. */
function totalsOf(some: readonly Amount[]) {
  return [...Map.groupBy(some, ({ currency }) => currency)].sort().map(([currency, of]) => {
    const cents = of.reduce((sum, one) => sum + one.cents, 0);
    return { currency, count: of.length, amount: (cents / 100).toFixed(2) };
  });
}

describe.each(storesOf(import.meta.url))("lists of links and payments on $name", ({ open }) => {
  const { book, core, store } = useBook(open);
  let customer: CustomerRow;
  let maker: Awaited<ReturnType<typeof connectAssistant>>;
  const invoices: { invoice: InvoiceRow; installments: InstallmentRow[] }[] = [];
  /** Ids of links by their state, and of payments by their push status, oldest first. */
  const links: (Amount & { state: string; invoice: string; installment: string })[] = [];
  const payments: (Amount & {
    link: string;
    receipt: string;
    push: string | null;
    invoice: string;
    confirmed: string;
  })[] = [];

  beforeAll(async () => {
    customer = await book.customer();
    invoices.push(
      await book.invoice({ customer }, [{}, {}]),
      await book.invoice({ origin: "local", invoice_number: "L-1" }, [{}]),
    );
    maker = await connectAssistant(store, book.tenantId);
    const integration = integrationRow(book.tenantId);
    const installments = invoices.flatMap((one) => one.installments);
    await store.write(book.tenantId, async (tx) => {
      await tx.insertInto("payment_integrations").values(integration).execute();
      for (let index = 0; index < 30; index += 1) {
        const installment = installments[index % 3];
        if (installment === undefined) throw new Error("there are installments");
        const state = STATES[index % 5] ?? "active";
        const isMade = state !== "reserved" && state !== "withdrawn";
        const row = linkRow(installment, integration.payment_integration_id, {
          state,
          currency: index % 4 === 3 ? "EUR" : "USD",
          amount: `${index}.05`,
          amount_minor: String(index * 100 + 5),
          ...(index === 0 ? { created_by_kind: "member", created_by_id: maker.member.member_id } : {}),
          created_at: at(Math.floor(index / 2)),
          ...(isMade ? {} : { url: null, provider_link_id: null }),
        });
        await tx.insertInto("payment_links").values(row).execute();
        const { payment_link_id: id, invoice_id: invoice, installment_id, currency } = row;
        links.push({ id, state, invoice, installment: installment_id, currency, cents: index * 100 + 5 });
        const push = PUSHES[index % 8] ?? null;
        const paid = paymentRow(row, {
          created_at: at(index),
          confirmed_at: at(30 - index),
          erp_push_status: push,
          erp_receipt_number: `R-${index}`,
          ...{ disputed: index % 7 === 0, refunded_minor: index % 5 === 0 ? "5" : "0" },
        });
        await tx.insertInto("payments").values(paid).execute();
        payments.push({
          ...{ id: paid.payment_id, link: id, receipt: `R-${index}`, push, invoice },
          confirmed: at(30 - index),
          currency,
          cents: index * 100 + 5,
        });
      }
      // What was not taken through a link is no payment of a link's.
      const [first] = installments;
      if (first === undefined) throw new Error("there are installments");
      const bare = paymentRow(linkRow(first, integration.payment_integration_id));
      await tx
        .insertInto("payments")
        .values({ ...bare, payment_link_id: null, provider_payment_id: null })
        .execute();
    });
  });

  const shown = () => links.filter((link) => ["active", "paid", "deactivated"].includes(link.state));
  const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id).sort();
  const listed = async (filters: object) =>
    (await walk(core, listPaymentLinks, book.reader, filters, [1, 7])).ids.sort();
  const paid = async (filters: object) => (await walk(core, listPayments, book.reader, filters, [1, 7])).ids.sort();
  const expectLinks = async (filters: object, are: (link: (typeof links)[number]) => boolean) =>
    expect(await listed(filters), JSON.stringify(filters)).toEqual(idsOf(shown().filter(are)));
  const expectPayments = async (filters: object, are: (one: (typeof payments)[number]) => boolean) =>
    expect(await paid(filters), JSON.stringify(filters)).toEqual(idsOf(payments.filter(are)));

  it("show links, not what has not become one, newest first [completions.5.list-links]", async () => {
    await expectLinks({}, () => true);
    const { data } = await call(core, listPaymentLinks, book.reader, { limit: 100 });
    const times = data.map((link) => link.created_at);
    expect(times).toEqual([...times].sort().reverse());
    for (const hidden of links.filter((link) => !shown().includes(link)))
      await expect(call(core, getPaymentLink, book.reader, { payment_link_id: hidden.id })).rejects.toMatchObject({
        code: "not_found",
      });
  });

  it("filter links by invoice, installment and status, freely [completions.5.list-links]", async () => {
    const [first] = invoices;
    const invoice_id = first?.invoice.invoice_id;
    const installment_id = first?.installments[1]?.installment_id;
    await expectLinks({ invoice_id }, (link) => link.invoice === invoice_id);
    await expectLinks(
      { installment_id, status: "paid" },
      (link) => link.installment === installment_id && link.state === "paid",
    );
    for (const status of ["active", "paid", "deactivated"])
      await expectLinks({ status }, (link) => link.state === status);
  });

  it("filter payments by confirmation, inclusively, and all else, freely [completions.5.list-payments]", async () => {
    await expectPayments({}, () => true);
    const confirmed_since = at(12);
    const { connectionId: connection_id } = book;
    const invoice_id = invoices[0]?.invoice.invoice_id;
    await expectPayments({ confirmed_since }, (one) => one.confirmed >= confirmed_since);
    for (const push of PUSHES.filter((status) => status !== null))
      await expectPayments({ erp_push_status: push }, (one) => one.push === push);
    for (const filters of [{ invoice_id }, { customer_id: customer.customer_id }, { connection_id }])
      await expectPayments(filters, (one) => one.invoice === invoice_id);
    await expectPayments(
      { connection_id, erp_push_status: "held", confirmed_since },
      (one) => one.invoice === invoice_id && one.push === "held" && one.confirmed >= confirmed_since,
    );
  });

  it("add up what all their pages hold, each currency by itself [completions.10.totals]", async () => {
    const totals = async (operation: typeof listPayments | typeof listPaymentLinks, filters: object) => {
      const page = await call<typeof listPayments.output | typeof listPaymentLinks.output>(
        core,
        operation,
        book.reader,
        { ...filters, limit: 1, include_total: true },
      );
      return { totals: page.totals, count: page.pagination.total_count };
    };
    expect((await call(core, listPayments, book.reader, {})).totals).toBeUndefined();
    const failed = payments.filter((one) => one.push === "failed");
    for (const [filters, some] of [
      [{}, payments],
      [{ erp_push_status: "failed" }, failed],
      [{ refunded: true }, payments.filter((_, index) => index % 5 === 0)],
      [{ refunded: false }, payments.filter((_, index) => index % 5 !== 0)],
      [{ disputed: true }, payments.filter((_, index) => index % 7 === 0)],
      [{ currency: "EUR" }, payments.filter(({ currency }) => currency === "EUR")],
      [{ erp_receipt_number: "none" }, []],
    ] as const)
      expect(await totals(listPayments, filters)).toEqual({ totals: totalsOf(some), count: some.length });
    const active = links.filter((link) => link.state === "active");
    for (const [filters, some] of [
      [{}, shown()],
      [{ status: "active" }, active],
    ] as const)
      expect(await totals(listPaymentLinks, filters)).toEqual({ totals: totalsOf(some), count: some.length });
  });

  it("find payments by period, link, invoice and receipt, and say whose they are [completions.10.payments-filters]", async () => {
    const [since, before] = [at(10), at(15)];
    await expectPayments(
      { confirmed_since: since, confirmed_before: before },
      (one) => one.confirmed >= since && one.confirmed < before,
    );
    const crossed = [
      { field: "confirmed_since", message: `must be before \`confirmed_before\`, which is ${since}` },
      {
        field: "confirmed_before",
        message: `must be after \`confirmed_since\`, which is ${before}; it is exclusive: end a day with the next`,
      },
    ];
    expect(await refusal(paid({ confirmed_since: before, confirmed_before: since }))).toMatchObject({
      error: { code: "validation_failed", details: crossed },
    });
    await expectPayments({ payment_link_id: payments[0]?.link }, (one) => one === payments[0]);
    await expectPayments({ erp_receipt_number: "R-7" }, ({ receipt }) => receipt === "R-7");
    const { invoice_number: number, invoice_id: id } = invoices[0]?.invoice ?? {};
    await expectPayments({ invoice_number: number }, ({ invoice }) => invoice === id);
    const { data } = await call(core, listPayments, book.reader, { erp_receipt_number: "R-0" });
    const whose = { id: customer.customer_id, number: customer.numbers, name: customer.name };
    expect(data).toMatchObject([{ invoice_number: number, customer: whose }]);
  });

  it("find links by customer, email and time, and say whose and by whom they are [completions.10.links-filters]", async () => {
    const { customer_id } = customer;
    await expectLinks({ customer_id }, (link) => link.invoice === invoices[0]?.invoice.invoice_id);
    await expectLinks({ created_since: at(14) }, (link) => links.indexOf(link) >= 28);
    await expectLinks({ email_status: "scheduled" }, () => false);
    await store.write(book.tenantId, (tx) =>
      sql`insert into link_emails (tenant_id, payment_link_id, status, recipient, send_at)
        values (${book.tenantId}, ${links[0]?.id}, 'scheduled', 'a@example.test', ${at(40)})`.execute(tx),
    );
    await expectLinks({ email_status: "scheduled" }, (link) => link === links[0]);
    await expectLinks({ email_status: "failed" }, () => false);
    const mailed = (from: string, before: string) => listed({ email_send_from: from, email_send_before: before });
    expect([await mailed(at(40), at(41)), await mailed(at(39), at(40))]).toEqual([[links[0]?.id], []]);
    const crossed = [{ field: "email_send_from" }, { field: "email_send_before" }];
    expect(await refusal(mailed(at(40), at(40)))).toMatchObject({ error: { details: crossed } });
    const link = await call(core, getPaymentLink, book.reader, { payment_link_id: links[0]?.id });
    const { member, person } = maker;
    expect(link).toMatchObject({
      customer_name: customer.name,
      created_by: { kind: "member", id: member.member_id, name: person.name ?? person.email },
    });
  });

  it("show nobody else's [completions.5.list-payments]", async () => {
    const { reader } = await openBook(store);
    expect((await pageOf(core, listPaymentLinks, reader)).data).toEqual([]);
    expect((await pageOf(core, listPayments, reader)).data).toEqual([]);
  });
});
