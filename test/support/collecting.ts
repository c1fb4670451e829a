import { randomUUID } from "node:crypto";
import express from "express";
import type { Selectable } from "kysely";
import type { z } from "zod";
import { apiKeyAuthentication } from "../../auth/api-key-authentication.ts";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { webhookRefusals } from "../../auth/webhook-refusals.ts";
import { listAttention } from "../../src/core/attention/list-attention.ts";
import type { ApiKeyActor, Core, Operation } from "../../src/core/gate/operation.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { getInvoice } from "../../src/core/invoices/operations/get-invoice.ts";
import { connectIntegration } from "../../src/core/payment-integrations/operations/connect-integration.ts";
import { createPaymentLink } from "../../src/core/payment-links/operations/create-links.ts";
import { getPaymentLink } from "../../src/core/payment-links/operations/get-payment-link.ts";
import { PaymentLink } from "../../src/core/payment-links/schema.ts";
import { listPayments } from "../../src/core/payments/operations/list-payments.ts";
import { paymentProviders } from "../../src/core/provider-access/payment-providers.ts";
import { lastResort, unknownPath } from "../../src/http/errors.ts";
import { requestIds } from "../../src/http/request-id.ts";
import { restApi } from "../../src/rest/api.ts";
import { webhooks } from "../../src/rest/webhooks.ts";
import { createStripeSimulator, type StripeSimulator } from "../../src/simulators/stripe/index.ts";
import type { InstallmentRow, InvoiceRow } from "../../src/store/tables/invoices.ts";
import type { PaymentLinkRow } from "../../src/store/tables/payment-links.ts";
import { payPages } from "../../src/web/pay/pay-page.ts";
import { type Book, openBook } from "./book.ts";
import { TestClock, testCore } from "./core.ts";
import { listen } from "./http.ts";
import { call } from "./lists.ts";
import { errorOf, send } from "./rest-app.ts";
import { rowsOf } from "./stored.ts";
import type { TestStore } from "./stores.ts";

export const WEBHOOK_SECRET = "whsec_test";

/** The service as far as it collects, over real HTTP, beside a simulated Stripe. Providers are waited for briefly. */
export interface CollectingApp {
  readonly url: string;
  readonly core: Core;
  readonly clock: TestClock;
  readonly stripe: StripeSimulator;
  /** What was logged as an error. */
  readonly errors: string[];
  close(): Promise<void>;
}

/** Starts it on a store; the clock stands still at the time of the start, for Stripe signs by the real one. */
export async function openCollectingApp({ store }: TestStore): Promise<CollectingApp> {
  const clock = new TestClock(new Date().toISOString());
  const app = express();
  const { url, close } = await listen(app);
  const plain = testCore(store, clock);
  const errors: string[] = [];
  const core: Core = {
    ...plain,
    log: { ...plain.log, error: (_fields, message) => void errors.push(message) },
    payments: paymentProviders({
      secrets: plain.secrets,
      clock,
      sandboxAt: url,
      patience: { timeoutMs: 2_500, maxNetworkRetries: 0 },
    }),
  };
  const stripe = createStripeSimulator({ secretKey: "sk_test_1" });
  await stripe.listen();
  app.use(
    requestIds(core.newId),
    webhooks({ core, onRefused: webhookRefusals(core) }),
    payPages({ core, publicOrigin: url }),
  );
  app.use(
    restApi({
      core,
      publicOrigin: "https://receivables.example.test",
      authenticate: apiKeyAuthentication(core, { limited: false }),
    }),
  );
  app.use(unknownPath, lastResort(core.log));
  return {
    url,
    core,
    clock,
    stripe,
    errors,
    async close() {
      await stripe.close();
      await close();
    },
  };
}

/** An invoice that is owed. */
export type Owing = Awaited<ReturnType<Book["invoice"]>>;

/** What asks for a link on a part of it. */
export const ask = ({ invoice, installments }: Owing, part = 0, amountMinor?: number) => ({
  invoice_id: invoice.invoice_id,
  installment_id: installments[part]?.installment_id ?? "",
  ...(amountMinor === undefined ? {} : { amount_minor: amountMinor }),
});

/** A workspace that collects through one provider, its admin key, and what it owes. */
export interface CollectingBook extends Book {
  readonly admin: ApiKeyActor;
  readonly key: string;
  readonly integrationId: string;
  /** An invoice that can be collected, with installments of these amounts. */
  owing(...amounts: string[]): Promise<Owing>;
  owingIn(row: Partial<InvoiceRow>, ...parts: Partial<InstallmentRow>[]): Promise<Owing>;
  /** A link on the first installment of an invoice, or of a new one of 100.00, for all that can be asked. */
  issue(of?: Owing, amountMinor?: number): Promise<z.output<typeof PaymentLink>>;
  /** What callers are told of a link, an invoice, payments, and people of what needs them. */
  link(id: string): Promise<z.output<typeof getPaymentLink.output>>;
  read(invoiceId: string): Promise<z.output<typeof getInvoice.output>>;
  attention(): Promise<z.output<typeof listAttention.output>>;
  payments(): Promise<z.output<typeof listPayments.output>["data"]>;
  /** The links of the workspace as they are stored, oldest first. */
  links(): Promise<Selectable<PaymentLinkRow>[]>;
}

/** Connects a workspace to a provider; Stripe tells the app of it from then on. The integration's id. */
export async function connectProvider(
  { core, stripe, url }: CollectingApp,
  tenantId: string,
  provider: "stripe" | "sandbox",
  currencies: readonly string[] = ["USD", "EUR", "JPY", "KWD"],
): Promise<string> {
  const keys = { secretKey: "sk_test_1", webhookSecret: WEBHOOK_SECRET };
  const { id } = await operate(core, tenantId, connectIntegration, {
    provider,
    currencies: [...currencies],
    ...(provider === "sandbox" ? {} : { keys, apiBase: stripe.url }),
  });
  if (provider === "stripe") stripe.setWebhook({ url: `${url}/webhooks/stripe/${id}`, secret: WEBHOOK_SECRET });
  return id;
}

/** Makes a workspace connected to a provider. */
export async function openCollectingBook(
  app: CollectingApp,
  provider: "stripe" | "sandbox",
  currencies?: readonly string[],
): Promise<CollectingBook> {
  const { core } = app;
  const book = await openBook(core.store);
  const { tenantId } = book;
  const integrationId = await connectProvider(app, tenantId, provider, currencies);
  const { id: keyId, key } = await operate(core, tenantId, createApiKey, { name: "admin", permission: "admin" });
  const owingIn: CollectingBook["owingIn"] = (row, ...parts) =>
    book.invoice({ customer_email: "billing@globex.example.test", invoice_number: "INV-7", ...row }, parts);
  const admin = { kind: "api_key", tenantId, keyId, permission: "admin" } as const;
  const owing: CollectingBook["owing"] = (...amounts) =>
    owingIn({}, ...amounts.map((amount) => ({ original_amount: amount })));
  return {
    ...book,
    admin,
    key,
    integrationId,
    owingIn,
    owing,
    issue: async (of, amountMinor) =>
      callOnce(core, createPaymentLink, admin, ask(of ?? (await owing("100.00")), 0, amountMinor)),
    link: (id) => call(core, getPaymentLink, book.reader, { payment_link_id: id }),
    read: (invoiceId) => call(core, getInvoice, book.reader, { invoice_id: invoiceId }),
    attention: () => operate(core, tenantId, listAttention, {}),
    payments: async () => (await call(core, listPayments, book.reader, {})).data,
    links: () => rowsOf(core.store, tenantId, "payment_links", {}, "created_at", "payment_link_id"),
  };
}

/** A link as the simulated Stripe has it. */
export const atStripe = ({ stripe }: CollectingApp, linkId: string) =>
  stripe.links.find((made) => Object.values(made.metadata).includes(linkId));

/** Calls an operation with a key of its own, unless one is given. */
export function callOnce<O extends z.ZodType>(
  core: Core,
  operation: Operation<z.ZodType, O>,
  actor: ApiKeyActor,
  input: object,
  idempotencyKey: string = randomUUID(),
): Promise<z.output<O>> {
  return operation.call(actor, input, { core, requestId: "req_test", idempotencyKey });
}

/** A link in an answer. */
export const linkIn = (body: unknown): z.output<typeof PaymentLink> => PaymentLink.parse(body);

/** Every row of a workspace that collecting could move. */
export async function everythingOf(core: Core, tenantId: string): Promise<Record<string, unknown>> {
  const tables = [
    ...(["payment_links", "payments", "invoices", "installments", "tasks"] as const),
    ...(["payment_integrations", "audit_entries", "idempotency_records"] as const),
  ];
  return core.store.read(tenantId, async (tx) => {
    const rows: Record<string, unknown> = {};
    for (const table of tables) {
      const found = await tx.selectFrom(table).selectAll().where("tenant_id", "=", tenantId).execute();
      rows[table] = found.map((row) => JSON.stringify(row)).sort();
    }
    return rows;
  });
}

/** The refusal of both routes: the code, and the fields at fault, which batch and tool name by the link. */
export interface Refused {
  readonly status: number;
  readonly code: string;
  readonly fields: readonly string[];
}

/** Asks for links by REST, one or several. */
export async function askOverRest(
  app: CollectingApp,
  book: Pick<CollectingBook, "key">,
  body: object,
  idempotencyKey: string = randomUUID(),
): Promise<{ status: number; body: unknown; headers: Headers; text: string }> {
  const path = "links" in body ? "/v1/payment-links/batch" : "/v1/payment-links";
  const headers = { "Idempotency-Key": idempotencyKey };
  return send(`${app.url}${path}`, { method: "POST", key: book.key, json: body, headers });
}

/** The code of an answer that must be an error, with its status and the fields it names. */
export function refusedBy({ status, body }: { status: number; body: unknown }): Refused {
  const { code, details = [] } = errorOf(body);
  return { status, code, fields: details.map(({ field }) => field) };
}
