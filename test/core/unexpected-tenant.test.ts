import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { addMember } from "../../auth/members/add-member.ts";
import { advanceRollup } from "../../src/core/aging/advance-rollups.ts";
import { listBridgeInvoices } from "../../src/core/aging/operations/bridge.ts";
import { listAgingInstallments } from "../../src/core/aging/operations/list-aging-installments.ts";
import { listCustomerAging } from "../../src/core/aging/operations/list-customer-aging.ts";
import { summarizeAging } from "../../src/core/aging/operations/summarize-aging.ts";
import type { ApiKeyActor, PersonActor } from "../../src/core/gate/actor.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { listInvoices } from "../../src/core/invoices/operations/list-invoices.ts";
import { listPaymentLinks } from "../../src/core/payment-links/operations/list-payment-links.ts";
import { readyFigures } from "../../src/jobs/ready-figures.ts";
import { freshRequest } from "../support/acting.ts";
import { customerRow, insertRows, installmentRow, invoiceRow, openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { insertLinks } from "../support/emailed-links.ts";
import { integrationRow, linkRow } from "../support/furnish.ts";
import { readsOf } from "../support/reads.ts";
import { addRows } from "../support/stored.ts";
import { STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

interface Caller {
  readonly core: Core;
  readonly key: ApiKeyActor;
  readonly member: PersonActor;
}

const invoices =
  (input: z.input<typeof listInvoices.input>) =>
  ({ core, key }: Caller) =>
    listInvoices.call(key, { include_total: true, ...input }, freshRequest(core));
const debts =
  (input: z.input<typeof listAgingInstallments.input>) =>
  ({ core, key }: Caller) =>
    listAgingInstallments.call(key, input, freshRequest(core));
const customers =
  (input: z.input<typeof listCustomerAging.input>) =>
  ({ core, key }: Caller) =>
    listCustomerAging.call(key, input, freshRequest(core));
const summary =
  (input: z.input<typeof summarizeAging.input>) =>
  ({ core, key }: Caller) =>
    summarizeAging.call(key, input, freshRequest(core));

/** What reads the most, with as many tables in it as filters bring. */
const READS: Readonly<Record<string, (caller: Caller) => Promise<unknown>>> = {
  "totals of overdue invoices": invoices({ overdue: true }),
  "totals of an amount overdue": invoices({ min_overdue: "1.00", ever_had_payment_link: true }),
  "invoices with something available": invoices({ overdue: false, has_available: true }),
  "a ranking of invoices": invoices({
    sort: "overdue_desc",
    overdue: true,
    ever_had_payment_link: true,
    search: "glob",
  }),
  "the first of each currency": invoices({
    ...{ sort: "outstanding_desc", limit_per_currency: 5, overdue: true, ever_had_payment_link: true },
  }),
  "invoices changed since": invoices({ overdue: true, collection_updated_since: "2026-01-01T00:00:00Z" }),
  "debts that a search finds": debts({ search: "glob", collectible: true, overdue_only: true }),
  "debts with histories": debts({ include: "payment_history", expected_from: "2026-01-01", search: "glob" }),
  "customers that a search finds": customers({ search: "glob", collectible: true, include: "payment_history" }),
  "customers by histories": customers({ include: "payment_history", sort: "days_late_desc", due_to: "2026-12-01" }),
  "groups by month": summary({ search: "glob", collectible: true, group_by: "month" }),
  "groups by week of payment": summary({
    ...{ group_by: "week", include: "payment_history", expected_from: "2026-01-01" },
  }),
  "invoices of the bridge": ({ core, member }) =>
    listBridgeInvoices.call(member, { include_total: true }, freshRequest(core)),
  "payment links": ({ core, key }) => listPaymentLinks.call(key, { include_total: true }, freshRequest(core)),
};

const FEWER = 60;
const SIGNAL = new AbortController().signal;

describe.each(STORES)("a workspace of which plans expect one row, on $name", ({ open }) => {
  const opened = useStore(open, { isNew: true });

  /** Customers, each with an invoice that is overdue, and some with payment links. */
  async function workspaceOf(core: Core, count: number, links = count) {
    const { tenantId, connectionId, reader: key } = await openBook(core.store);
    const owners = Array.from({ length: count }, (_, at) =>
      customerRow(tenantId, connectionId, { number: String(at), name: `Globex ${at}` }),
    );
    const made = owners.map(({ customer_id, name, numbers }) =>
      invoiceRow(tenantId, { connection_id: connectionId, customer_id, customer_name: name, customer_number: numbers }),
    );
    const installments = made.map(({ invoice_id: id }) => installmentRow(tenantId, id, { due_date: "2026-03-01" }));
    await core.store.write(tenantId, (tx) => insertRows(tx, { customers: owners, invoices: made, installments }));
    const integration = integrationRow(tenantId);
    await addRows(core.store, tenantId, { payment_integrations: [integration] });
    const of = installments.slice(0, links).map((one) => linkRow(one, integration.payment_integration_id));
    await core.store.write(tenantId, (tx) => insertLinks(tx, of));
    if (count > 2 * FEWER)
      await readyFigures(core, { tenant_id: tenantId, sync_run_id: core.newId(), moved: count }, SIGNAL);
    else await advanceRollup(core, tenantId, null, SIGNAL);
    const { id: memberId } = await operate(core, tenantId, addMember, {
      email: `${tenantId}@a.example`,
      role: "member",
    });
    return { core, key, member: { kind: "person", tenantId, memberId } } satisfies Caller;
  }

  it("is read by the square of its rows at most [facts.store.unexpected]", async () => {
    const core = testCore(opened.store);
    // What workers read is not counted.
    if (core.store.isDistributed) return;
    await workspaceOf(core, 4_000, 500);
    const [some, twice] = [await workspaceOf(core, FEWER), await workspaceOf(core, 2 * FEWER)];
    for (const [name, read] of Object.entries(READS)) {
      const rowsOf = async (caller: Caller) =>
        (await readsOf(core, (counted) => read({ ...caller, core: counted }))).rows;
      const [fewer, more] = [await rowsOf(some), await rowsOf(twice)];
      expect(more / fewer, `${name}: ${fewer} rows of ${FEWER}, ${more} of twice as many`).toBeLessThan(5);
    }
  });
});
