import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { connectErp } from "../../src/core/erp-connections/operations/connect-erp.ts";
import type { ApiKeyActor } from "../../src/core/gate/actor.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { connectIntegration } from "../../src/core/payment-integrations/operations/connect-integration.ts";
import { disconnectIntegration } from "../../src/core/payment-integrations/operations/disconnect-integration.ts";
import { rotateWebhookSecret } from "../../src/core/payment-integrations/operations/rotate-webhook-secret.ts";
import { receiveNotification } from "../../src/core/payments/events/receive-notification.ts";
import { enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { receiptNumberOf } from "../../src/gateways/erp/receipt-number.ts";
import { toItem } from "../../src/simulators/fusion/book-invoice.ts";
import { createFusionSimulator, type FusionItem, type FusionSimulator } from "../../src/simulators/fusion/index.ts";
import { createStripeSimulator, type StripeEvent, type StripeSimulator } from "../../src/simulators/stripe/index.ts";
import { sign } from "../../src/simulators/stripe/webhooks.ts";
import type { TestClock } from "../support/core.ts";
import { bookOf, makeTenant, runPull } from "../support/pulls.ts";
import { rowOf, setRows } from "../support/stored.ts";
import { MAILED, ModelBook } from "./collecting-model-book.ts";
import type { Invoice, Part, Payment } from "./collecting-model-facts.ts";

const CUSTOMER = { partyId: 300100500000000001n, number: "1006", name: "Globex" };
/** The customer's account record in the ERP. */
export const accountWith = (email: string) => ({
  ...{ PartyId: CUSTOMER.partyId, PrimaryContactName: "Jo", PrimaryContactEmail: email },
});
const FIRST_ID = 300100180000000000n;
const DAY_MS = 24 * 60 * 60_000;
const SECRETS = { secretKey: "sk_test_1", webhookSecret: "whsec_test" };

/** What a customer has begun or done at Stripe. */
export interface Checkout {
  readonly linkId: string;
  readonly session: string;
  readonly key: string;
  paid: boolean;
  /** How its bank stands to it. */
  dispute: "none" | "needs_response" | "won" | "lost";
}

/**
 * How a notification is: `foreign` is signed with another integration's secret, `live` tells of real money, `earlier` is
 * signed with the secret before the last rotation.
 */
export type Honesty = "true" | "foreign" | "live" | "earlier";

/** A workspace of its own with simulators of its own, and the model beside it. */
export interface ModelWorld {
  readonly core: Core;
  readonly clock: TestClock;
  readonly erp: FusionSimulator;
  readonly stripe: StripeSimulator;
  readonly tenantId: string;
  readonly connectionId: string;
  readonly admin: ApiKeyActor;
  readonly book: ModelBook;
  readonly checkouts: Checkout[];
  readonly ids: { readonly invoices: Map<Invoice, string>; readonly parts: Map<Part, string> };
  /** A notification of Stripe arrives about a link, at the workspace's own address. */
  notify(event: StripeEvent, linkId: string, honesty: Honesty): Promise<void>;
  /** Whether a notification about a link is to be believed. */
  isGood(linkId: string, honesty: Honesty): Promise<boolean>;
  /** The integration of a link made at Stripe, a disconnected one too, gets another webhook secret. */
  rotate(linkId: string): Promise<void>;
  /** Stripe is disconnected, and connected anew: from then on, links are of another integration with another secret. */
  reconnect(): Promise<void>;
  readonly customerId: string;
  readonly workflowId: string;
  /** Mails that were delivered. */
  readonly delivered: string[];
  /** Gives the ERP's user's changes of an invoice to the ERP. */
  tellErp(invoice: Invoice): void;
  /** The ERP's id of a payment's receipt. */
  receiptId(payment: Payment): string;
  close(): Promise<void>;
}

/** Makes it, and pulls for the first time. */
export async function openModelWorld(core: Core, clock: TestClock): Promise<ModelWorld> {
  const book = new ModelBook(clock.now().getTime());
  const erp = createFusionSimulator({
    invoices: book.billed.map((invoice, index) => itemOf(invoice, index)),
    accounts: [accountWith(MAILED)],
    receiptMethods: ["Payment Link"],
  });
  const stripe = createStripeSimulator({ secretKey: SECRETS.secretKey, now: () => clock.now() });
  const url = await erp.listen();
  const apiBase = await stripe.listen();
  const tenantId = await makeTenant(core);
  const { id: connectionId } = await operate(core, tenantId, connectErp, {
    ...{ provider: "oracle_fusion", url, username: "integration", password: "a password" },
  });
  const secrets = new Map<string, string>();
  const earlier = new Map<string, { readonly secret: string; readonly until: number }>();
  let told = 0;
  const nextSecret = (): string => `${SECRETS.webhookSecret}_${told++}`;
  async function connectStripe(): Promise<void> {
    const keys = { ...SECRETS, webhookSecret: nextSecret() };
    const { id } = await operate(core, tenantId, connectIntegration, {
      ...{ provider: "stripe", currencies: ["USD"], keys, apiBase },
    });
    secrets.set(id, keys.webhookSecret);
  }
  async function integrationOf(linkId: string): Promise<string> {
    const { payment_integration_id: id } = await rowOf(core.store, tenantId, "payment_links", {
      payment_link_id: linkId,
    });
    return id;
  }
  await connectStripe();
  await operate(core, tenantId, connectIntegration, { provider: "sandbox", currencies: ["JPY"] });
  const { id: keyId } = await operate(core, tenantId, createApiKey, { name: "admin", permission: "admin" });
  await runPull(core, tenantId, connectionId);
  const stored = [...(await bookOf(core, tenantId)).values()];
  const ids = { invoices: new Map<Invoice, string>(), parts: new Map<Part, string>() };
  for (const invoice of book.billed) {
    const row = stored.find((one) => one.invoice_number === invoice.name);
    if (row === undefined) throw new Error(`${invoice.name} was not pulled`);
    ids.invoices.set(invoice, row.invoice_id);
    for (const part of invoice.parts) {
      const installment = row.installments.find((one) => one.sequence_number === part.sequence);
      if (installment === undefined) throw new Error(`${invoice.name} has no installment ${part.sequence}`);
      ids.parts.set(part, installment.installment_id);
    }
  }
  const { id: workflowId } = await operate(core, tenantId, enableWorkflow, {
    ...{ type: "auto_generate", daysBeforeDue: 30, sendAt: "09:00", confirmed: true },
  });
  return {
    ...{ core, clock, erp, stripe, tenantId, connectionId, book, ids },
    admin: { kind: "api_key", tenantId, keyId, permission: "admin" },
    ...{ customerId: stored.find((row) => row.customer_id !== null)?.customer_id ?? "", workflowId, delivered: [] },
    checkouts: [],
    async notify({ payload }, linkId, honesty) {
      const own = await integrationOf(linkId);
      const others = [...secrets].flatMap(([id, secret]) => (id === own ? [] : [secret]));
      const before = earlier.get(own)?.secret ?? "whsec_nobody";
      const secret =
        honesty === "foreign"
          ? (others.at(-1) ?? "whsec_nobody")
          : honesty === "earlier"
            ? before
            : (secrets.get(own) ?? "");
      const text = honesty === "live" ? payload.replaceAll('"livemode": false', '"livemode": true') : payload;
      const signature = sign(text, secret, Math.floor(clock.now().getTime() / 1_000));
      const readBody = async () => Buffer.from(text);
      await receiveNotification(core, {
        provider: "stripe",
        id: tenantId,
        signature,
        readBody,
        inLook: (look) => look(),
        inPlace: (_, work) => work(),
        inTurn: (_, prove) => prove(),
      });
    },
    async isGood(linkId, honesty) {
      if (honesty !== "earlier") return honesty === "true";
      const until = earlier.get(await integrationOf(linkId))?.until;
      return until !== undefined && until > clock.now().getTime();
    },
    async rotate(linkId) {
      const integration = await integrationOf(linkId);
      const secret = secrets.get(integration);
      if (secret === undefined) return;
      const webhookSecret = nextSecret();
      await operate(core, tenantId, rotateWebhookSecret, { provider: "stripe", integration, webhookSecret });
      secrets.set(integration, webhookSecret);
      earlier.set(integration, { secret, until: clock.now().getTime() + DAY_MS });
    },
    async reconnect() {
      await operate(core, tenantId, disconnectIntegration, { provider: "stripe" });
      await connectStripe();
    },
    tellErp(invoice) {
      const index = book.billed.indexOf(invoice);
      if (invoice.erp.present) erp.putInvoices(itemOf(invoice, index));
      else erp.removeInvoices(String(erpIdOf(index)));
    },
    receiptId(payment) {
      const number = receiptNumberOf(payment.id, payment.round);
      const receipt = erp.receipts.find((one) => one.receiptNumber === number);
      if (receipt === undefined) throw new Error("the ERP has no such receipt");
      return receipt.receiptId;
    },
    async close() {
      await Promise.all([erp.close(), stripe.close(), neutralize(core, tenantId)]);
    },
  };
}

const erpIdOf = (index: number): bigint => FIRST_ID + BigInt(index) * 100n;

/** The ERP's id of an installment. */
export function erpPartId({ book }: ModelWorld, part: Part): string {
  return String(erpIdOf(book.billed.indexOf(part.invoice)) + BigInt(part.sequence));
}

function itemOf({ name, erp, parts }: Invoice, index: number): FusionItem {
  const item = toItem(
    {
      ...{
        id: erpIdOf(index),
        number: name,
        customer: CUSTOMER,
        currency: erp.currency,
        date: "2026-02-01",
        terms: null,
      },
      status: erp.complete ? "Complete" : "Incomplete",
      installments: parts
        .filter((part) => part.erp.present)
        .map(({ dueDate, original, erp: { balance, disputed, excluded, closed } }) => ({
          ...{ dueDate, amountMinor: original, balanceMinor: balance, excluded },
          ...(disputed ? { disputedMinor: 10n } : {}),
          ...(closed ? { closedDate: "2026-03-01" } : {}),
        })),
    },
    "Vision Operations",
  );
  return erp.readable ? item : { ...item, EnteredAmount: "1,000.50" };
}

/** Nothing of it is due any more when the next run's jobs look. */
async function neutralize(core: Core, tenantId: string): Promise<void> {
  await setRows(core.store, tenantId, "payment_links", { withdrawal_due: false, next_attempt_at: null });
  await setRows(core.store, tenantId, "link_emails", { status: "cancelled" });
  await setRows(core.store, tenantId, "payments", { erp_push_status: "held", push_retryable: false });
}
