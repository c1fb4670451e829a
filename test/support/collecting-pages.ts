import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import type { Role } from "../../src/core/gate/actor.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { connectIntegration } from "../../src/core/payment-integrations/operations/connect-integration.ts";
import { paymentProviders } from "../../src/core/provider-access/payment-providers.ts";
import type { InstallmentRow } from "../../src/store/tables/invoices.ts";
import { type AuthApp, startAuthApp } from "./auth-app.ts";
import { type Book, openBook } from "./book.ts";
import type { Browser, BrowserPage } from "./browser.ts";
import { TestClock, testCore } from "./core.ts";
import { insertLinks } from "./emailed-links.ts";
import { linkRow, paymentRow } from "./furnish.ts";
import type { TestStore } from "./stores.ts";

/** A workspace with a sandbox, seen in a browser without JavaScript. */
export interface CollectingPages extends Book {
  readonly app: AuthApp;
  readonly clock: TestClock;
  signedIn(role?: Role): Promise<Browser>;
  /** An invoice of 100.00 USD that can be collected, with an installment for each amount. */
  owing(...amounts: string[]): Promise<{ invoiceId: string; installments: InstallmentRow[] }>;
  /** A payment of an invoice of the ERP, with its receipt in a state; its id. */
  paid(row: Parameters<typeof paymentRow>[1]): Promise<string>;
  /** What the audit trail has of an operation, as `person: type outcome`. */
  audited(operation: string): Promise<string[]>;
}

/** The pages on a store of their own; each call opens another workspace. */
export function useCollectingPages(open: () => Promise<TestStore>): () => Promise<CollectingPages> {
  const clock = new TestClock(new Date().toISOString());
  const held: { app?: AuthApp; opened?: TestStore } = {};
  beforeAll(async () => {
    held.opened = await open();
    const core = testCore(held.opened.store, clock);
    const payments = paymentProviders({ secrets: core.secrets, clock, sandboxAt: "http://pay.example.test" });
    held.app = await startAuthApp({ ...core, payments });
  });
  afterAll(async () => {
    await held.app?.close();
    await held.opened?.remove();
  });
  return () => {
    if (held.app === undefined) throw new Error("the app is not started yet");
    return workspaceOf(held.app, clock);
  };
}

async function workspaceOf(app: AuthApp, clock: TestClock): Promise<CollectingPages> {
  const { store } = app.core;
  const book = await openBook(store);
  const { tenantId } = book;
  const { id: integrationId } = await operate(app.core, tenantId, connectIntegration, {
    provider: "sandbox",
    currencies: ["USD", "EUR"],
  });
  return {
    ...book,
    app,
    clock,
    async signedIn(role = "admin") {
      const { email } = await app.addPerson(tenantId, { role });
      const browser = await app.signedIn(email);
      return browser;
    },
    async owing(...amounts) {
      const parts = amounts.map((original_amount) => ({ original_amount }));
      const { invoice, installments } = await book.invoice({ customer_email: "ap@globex.example.test" }, parts);
      return { invoiceId: invoice.invoice_id, installments };
    },
    async paid(row) {
      const customer = await book.customer({ name: "Globex <b>" });
      const { installments } = await book.invoice({ customer, invoice_number: "INV-9" }, [{}]);
      const [installment] = installments;
      const link = linkRow(installment, integrationId, { state: "paid", paid_at: "2026-03-01T09:00:00.000Z" });
      const payment = paymentRow(link, { payment_id: randomUUID(), connection_id: book.connectionId, ...row });
      await store.write(tenantId, async (tx) => {
        await insertLinks(tx, [link]);
        await tx.insertInto("payments").values(payment).execute();
        const isHeld = payment.erp_push_status === "held";
        await tx
          .updateTable("invoices")
          .set({ has_held_payment: isHeld })
          .where("tenant_id", "=", tenantId)
          .where("invoice_id", "=", payment.invoice_id)
          .execute();
      });
      return String(payment.payment_id);
    },
    audited: (operation) =>
      store.read(tenantId, async (tx) => {
        const rows = await tx
          .selectFrom("audit_entries")
          .select(["actor_kind", "object_type", "outcome"])
          .where("tenant_id", "=", tenantId)
          .where("operation", "=", operation)
          .execute();
        return rows.map((row) => `${row.actor_kind}: ${row.object_type} ${row.outcome}`);
      }),
  };
}

/** Sends a page's form with fields that may be given several times; what the form itself holds stays. */
export function sendForm(
  browser: Browser,
  page: BrowserPage,
  button: string,
  pairs: readonly (readonly [name: string, value: string])[] = [],
): Promise<BrowserPage> {
  const { action, fields, buttonField } = page.formWith(button);
  const typed = new Set(pairs.map(([name]) => name));
  const kept = Object.entries<string>({ ...fields, ...buttonField }).filter(([name]) => !typed.has(name));
  const given = pairs.map(([name, value]): [string, string] => [name, value]);
  const body = new URLSearchParams([...kept, ...given]);
  return browser.post(new URL(action, page.url).href, body);
}
