import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { connectErp } from "../../src/core/erp-connections/operations/connect-erp.ts";
import type { ApiKeyActor } from "../../src/core/gate/actor.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { connectIntegration } from "../../src/core/payment-integrations/operations/connect-integration.ts";
import { disconnectIntegration } from "../../src/core/payment-integrations/operations/disconnect-integration.ts";
import { enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { MailError } from "../../src/gateways/mail/mailer.ts";
import type { PostOffice } from "../../src/jobs/send-mails.ts";
import { toItem } from "../../src/simulators/fusion/book-invoice.ts";
import { createFusionSimulator, type FusionItem, type FusionSimulator } from "../../src/simulators/fusion/index.ts";
import { createStripeSimulator, type StripeSimulator } from "../../src/simulators/stripe/index.ts";
import type { TestClock } from "../support/core.ts";
import { emailedLinks } from "../support/emailed-links.ts";
import { makeTenant, runPull } from "../support/pulls.ts";

const FIRST_ID = 300100190000000000n;
const TOLD = { secretKey: "sk_test_1", webhookSecret: "whsec_lanes" };

/** An invoice as the ERP's users have made it; what is left of it follows from the ERP's receipts. Minor units. */
export interface Bill {
  readonly id: bigint;
  readonly number: string;
  readonly currency: "USD" | "JPY";
  readonly customer: number;
  readonly amounts: bigint[];
  present: boolean;
  complete: boolean;
  readable: boolean;
  readonly disputed: boolean[];
  readonly excluded: boolean[];
}

/** A mail that was handed over. */
interface Captured {
  readonly messageId: string;
  readonly to: string;
  readonly text: string;
  readonly at: string;
}

/** A checkout that a customer opened. */
export interface OpenedCheckout {
  readonly linkId: string;
  readonly record: ReturnType<StripeSimulator["open"]>;
  dispute: "none" | "needs_response" | "won" | "lost";
}

/** A receipt that the ERP's users entered for a payment in the quiet between two rounds. */
export interface EnteredByHand {
  readonly paymentId: string;
  readonly bill: Bill;
  /** The ERP's time; from a retirement after it on, the guard asks for nothing. */
  readonly at: string;
  /** The guard cannot tell any more, or a person said to push it anyway. */
  isVoid: boolean;
}

/** A workspace that two lanes work in, all that is outside of it, and one beside it. */
export interface LanesWorld {
  readonly core: Core;
  readonly clock: TestClock;
  /** Nothing in it is older. */
  readonly openedAt: string;
  readonly erp: FusionSimulator;
  readonly stripe: StripeSimulator;
  readonly tenantId: string;
  readonly besideId: string;
  readonly connectionId: string;
  readonly admin: ApiKeyActor;
  readonly bills: readonly Bill[];
  readonly checkouts: OpenedCheckout[];
  /** Links that were paid in the sandbox. */
  readonly paidInSandbox: Set<string>;
  readonly entered: EnteredByHand[];
  readonly captured: Captured[];
  readonly office: PostOffice;
  /** Whether the ERP shows no invoice; `gone` is an address nobody has any more. */
  readonly weather: { mail: boolean; hidden: boolean; gone: string | null };
  /** Webhook secrets by integration. */
  readonly secrets: Map<string, string>;
  /** What an installment owes in the ERP. */
  balance(bill: Bill, index: number): bigint;
  /** Gives the ERP what its users made of an invoice. */
  tellErp(bill: Bill): void;
  /** Stripe is disconnected, and connected anew under another secret; that may fail, and leave it disconnected. */
  reconnect(): Promise<void>;
  /** Connects it where that failed. */
  mendConnection(): Promise<void>;
  close(): Promise<void>;
}

function bills(): Bill[] {
  return Array.from({ length: 17 }, (_, index) => {
    const amounts = Array.from({ length: 1 + (index % 3) }, (_none, part) => BigInt(30_000 + 1_000 * index + part));
    return {
      ...{
        id: FIRST_ID + BigInt(index) * 100n,
        number: `LANE-${index}`,
        amounts,
        present: true,
        complete: true,
        readable: true,
      },
      ...{ currency: index % 4 === 3 ? ("JPY" as const) : ("USD" as const), customer: index % 3 },
      ...{ disputed: amounts.map(() => false), excluded: amounts.map(() => false) },
    };
  });
}

const customerOf = (index: number) => ({
  partyId: 300100500000000100n + BigInt(index),
  number: `20${index}`,
  name: `Customer ${index}`,
});

/** In minor units. */
export function minorOf(text: string | null, currency: string): bigint {
  const digits = currency === "JPY" ? 0 : 2;
  const [whole = "0", fraction = ""] = (text ?? "0").split(".");
  return BigInt(whole + fraction.slice(0, digits).padEnd(digits, "0"));
}

export async function openLanesWorld(core: Core, clock: TestClock): Promise<LanesWorld> {
  const book = bills();
  const erp: FusionSimulator = createFusionSimulator({
    invoices: [],
    accounts: [0, 1, 2].map((index) => ({
      PartyId: customerOf(index).partyId,
      PrimaryContactName: "Jo",
      PrimaryContactEmail: `ap@customer-${index}.example`,
    })),
    receiptMethods: ["Payment Link"],
    now: () => clock.now(),
  });
  const balance: LanesWorld["balance"] = (bill, index) => {
    const id = String(bill.id + BigInt(index + 1));
    const applied = erp.receipts.flatMap(({ applications }) => applications.filter((one) => one.installmentId === id));
    return applied.reduce((left, { amount }) => left - minorOf(amount, bill.currency), bill.amounts[index] ?? 0n);
  };
  const itemOf = (bill: Bill): FusionItem => ({
    ...toItem(
      {
        ...{ id: bill.id, number: bill.number, customer: customerOf(bill.customer), currency: bill.currency },
        ...{ date: "2026-01-01", terms: null, status: bill.complete ? "Complete" : "Incomplete" },
        installments: bill.amounts.map((amountMinor, index) => {
          const balanceMinor = balance(bill, index);
          return {
            ...{ dueDate: "2026-02-10", amountMinor, balanceMinor, excluded: bill.excluded[index] ?? false },
            ...(bill.disputed[index] ? { disputedMinor: 10n } : {}),
            ...(balanceMinor === 0n ? { closedDate: "2026-03-01" } : {}),
          };
        }),
      },
      "Vision Operations",
    ),
    ...(bill.readable ? {} : { EnteredAmount: "1,000.50" }),
  });
  const stripe = createStripeSimulator({ secretKey: TOLD.secretKey, now: () => clock.now() });
  const url = await erp.listen();
  const apiBase = await stripe.listen();
  erp.putInvoices(...book.map(itemOf));
  const secrets = new Map<string, string>();
  async function workspace(): Promise<{ tenantId: string; connectionId: string }> {
    const tenantId = await makeTenant(core);
    const credential = { username: "integration", password: "a password" };
    const { id: connectionId } = await operate(core, tenantId, connectErp, {
      provider: "oracle_fusion",
      url,
      ...credential,
    });
    await operate(core, tenantId, connectIntegration, { provider: "sandbox", currencies: ["JPY"] });
    await connectStripe(tenantId);
    await runPull(core, tenantId, connectionId);
    return { tenantId, connectionId };
  }
  async function connectStripe(tenantId: string): Promise<void> {
    const keys = { ...TOLD, webhookSecret: `${TOLD.webhookSecret}_${secrets.size}` };
    const { id } = await operate(core, tenantId, connectIntegration, {
      provider: "stripe",
      currencies: ["USD"],
      keys,
      apiBase,
      // Links that the workflow makes once more, and may be many.
      confirmed: true,
    });
    secrets.set(id, keys.webhookSecret);
  }
  const { tenantId: besideId } = await workspace();
  const { tenantId, connectionId } = await workspace();
  const enabled = { type: "auto_generate", daysBeforeDue: 30, sendAt: "09:00" } as const;
  await operate(core, tenantId, enableWorkflow, { ...enabled, confirmed: true });
  const { id: keyId } = await operate(core, tenantId, createApiKey, { name: "admin", permission: "admin" });
  const captured: Captured[] = [];
  const weather: LanesWorld["weather"] = { mail: true, hidden: false, gone: null };
  return {
    openedAt: clock.now().toISOString(),
    ...{ core, clock, erp, stripe, tenantId, besideId, connectionId, bills: book, captured, weather, secrets, balance },
    ...{ checkouts: [], paidInSandbox: new Set(), entered: [] },
    admin: { kind: "api_key", tenantId, keyId, permission: "admin" },
    office: {
      fromAddress: "billing@receivables.example.test",
      publicOrigin: "https://receivables.example.test",
      mailer: {
        async send({ messageId, to, text }) {
          if (!weather.mail) throw new MailError("temporary", "The mail server did not answer.");
          if (to === weather.gone) throw new MailError("permanent", "No such mailbox.", { codes: "550 5.1.1" });
          captured.push({ messageId, to, text, at: clock.now().toISOString() });
          return { messageId: `<${messageId}@receivables.example.test>`, response: "250 OK" };
        },
      },
    },
    tellErp(bill) {
      if (bill.present && !weather.hidden) erp.putInvoices(itemOf(bill));
      else erp.removeInvoices(String(bill.id));
    },
    async reconnect() {
      await operate(core, tenantId, disconnectIntegration, { provider: "stripe" });
      await connectStripe(tenantId);
    },
    async mendConnection() {
      const { integrations } = await rowsOf({ core }, tenantId);
      const isConnected = integrations.some((row) => row.provider === "stripe" && row.status === "connected");
      if (!isConnected) await connectStripe(tenantId);
    },
    async close() {
      await Promise.all([erp.close(), stripe.close()]);
    },
  };
}

/** Rows of a workspace that collecting moves. */
export function rowsOf({ core }: Pick<LanesWorld, "core">, tenantId: string) {
  return core.store.read(tenantId, async (tx) => ({
    invoices: await tx.selectFrom("invoices").selectAll().where("tenant_id", "=", tenantId).execute(),
    installments: await tx.selectFrom("installments").selectAll().where("tenant_id", "=", tenantId).execute(),
    links: await emailedLinks(tx, tenantId),
    payments: await tx.selectFrom("payments").selectAll().where("tenant_id", "=", tenantId).execute(),
    integrations: await tx.selectFrom("payment_integrations").selectAll().where("tenant_id", "=", tenantId).execute(),
    runs: await tx.selectFrom("sync_runs").selectAll().where("tenant_id", "=", tenantId).execute(),
    setAside: await tx.selectFrom("set_aside_invoices").selectAll().where("tenant_id", "=", tenantId).execute(),
    concerns: await tx.selectFrom("attention_items").selectAll().where("tenant_id", "=", tenantId).execute(),
    audit: await tx.selectFrom("audit_entries").selectAll().where("tenant_id", "=", tenantId).execute(),
  }));
}

export type LanesRows = Awaited<ReturnType<typeof rowsOf>>;
