import type { z } from "zod";
import type { Core } from "../../src/core/gate/dependencies.ts";
import type { Operation } from "../../src/core/gate/operation.ts";
import { listInvoices } from "../../src/core/invoices/operations/list-invoices.ts";
import { money } from "../../src/core/kernel/money.ts";
import { listPaymentLinks } from "../../src/core/payment-links/operations/list-payment-links.ts";
import { listPayments } from "../../src/core/payments/operations/list-payments.ts";
import type { Store, Transaction } from "../../src/store/store.ts";
import { openBook } from "./book.ts";
import { recordConfirmedPayment } from "./confirmed-payment.ts";
import { testCore } from "./core.ts";
import { integrationRow, linkRow } from "./furnish.ts";
import { call } from "./lists.ts";
import { addRows } from "./stored.ts";

/** Before everything in a book. */
export const LONG_AGO = "2020-01-01T00:00:00.000Z";

/** A workspace with a sandbox, and what its callers see. */
export async function openDesk(store: Store) {
  const book = await openBook(store);
  const { tenantId, reader } = book;
  const integration = integrationRow(tenantId);
  await addRows(store, tenantId, { payment_integrations: integration });
  const core = testCore(store);
  return {
    book,
    /** An invoice with a link, and how its payment is recorded. */
    async payable() {
      const { invoice, installments } = await book.invoice({ customer: await book.customer() }, [{}]);
      const [part] = installments;
      const link = linkRow(part, integration.payment_integration_id);
      await store.write(tenantId, (tx) => tx.insertInto("payment_links").values(link).execute());
      const through = {
        payment_link_id: link.payment_link_id,
        payment_integration_id: integration.payment_integration_id,
        provider_payment_id: link.payment_link_id,
        amount_minor: "1000",
      };
      const payment = { tenantId, invoiceId: part.invoice_id, installmentId: part.installment_id };
      const pay = (tx: Transaction, by: Core) =>
        recordConfirmedPayment(tx, by, { ...payment, amount: money("10"), through });
      return { invoice, pay };
    },
    list: <O extends z.ZodType>(operation: Operation<z.ZodType, O>, filters: object) =>
      call(core, operation, reader, { limit: 100, ...filters }),
    invoices: async (since: string) =>
      (await call(core, listInvoices, reader, { updated_since: since, limit: 100 })).data,
    payments: async (since: string) =>
      (await call(core, listPayments, reader, { confirmed_since: since, limit: 100 })).data,
  };
}

export type Desk = Awaited<ReturnType<typeof openDesk>>;

/** Polls by `as_of`, as callers are told to, and keeps what it has seen: of each row its last state, by id. */
function poller<T extends { id: string }>(list: (since: string) => Promise<Listed<T>>) {
  const seen = new Map<string, T>();
  let since = LONG_AGO;
  return {
    seen,
    async poll(): Promise<T[]> {
      const { data, pagination } = await list(since);
      for (const row of data) seen.set(row.id, row);
      since = pagination.as_of;
      return data;
    },
  };
}

interface Listed<T> {
  readonly data: T[];
  readonly pagination: { readonly as_of: string };
}

/** A poller for each filter that says "since". */
export function pollersOf({ list }: Desk) {
  const by = {
    updated: poller((since) => list(listInvoices, { updated_since: since })),
    collected: poller((since) => list(listInvoices, { collection_updated_since: since })),
    confirmed: poller((since) => list(listPayments, { confirmed_since: since })),
    payments: poller((since) => list(listPayments, { updated_since: since })),
    links: poller((since) => list(listPaymentLinks, { updated_since: since })),
  };
  /** What each of them got. */
  const poll = async () => {
    const got: Record<string, string[]> = {};
    for (const [name, one] of Object.entries(by)) got[name] = (await one.poll()).map((row) => row.id);
    return got;
  };
  return { ...by, poll };
}
