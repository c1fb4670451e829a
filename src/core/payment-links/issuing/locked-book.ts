import type { z } from "zod";
import type { Transaction } from "../../../store/store.ts";
import type { PaymentIntegrationRow } from "../../../store/tables/payments.ts";
import { lockInvoices } from "../../collection/collection-queries.ts";
import { invoicesOfMovedErp } from "../../erp-access/unseen-queries.ts";
import type { Core } from "../../gate/dependencies.ts";
import { type ErrorCode, notFound, ServiceError } from "../../kernel/error.ts";
import { fromMinor, type Money, money, toMinor, ZERO } from "../../kernel/money.ts";
import { readableMinor } from "../../mail/readable.ts";
import { gatewayOf } from "../../provider-access/gateway-access.ts";
import { integrationsOf } from "../../provider-access/integration-queries.ts";
import { type LinkedInstallment, type LinkedInvoice, linkedInstallments, liveLinksOf } from "../link-queries.ts";
import type { LINK_FIELDS } from "../schema.ts";

/** One link that is asked for, and the email that a workflow schedules with it. */
export type AskedLink = z.output<z.ZodObject<typeof LINK_FIELDS>> & {
  readonly email?: { readonly to: string; readonly sendAt: string };
};

/** Why no such link can be made, and which of its fields is at fault. */
export interface Ineligibility {
  readonly code: ErrorCode;
  readonly message: string;
  readonly onPage?: string;
  readonly field: "invoice_id" | "installment_id" | "amount_minor";
}

const COLLECTIBLE_BUT: Readonly<
  Record<Exclude<LinkedInstallment["not_collectible_reason"], null | "currency_not_supported">, string>
> = {
  retired: "The ERP no longer has the invoice.",
  removed: "The installment is no longer part of the invoice.",
  not_finalised: "The invoice is not finalised in the ERP.",
  closed: "The installment is closed in the ERP.",
  excluded: "The installment is excluded from collection.",
  disputed: "The installment is disputed.",
  nothing_outstanding: "The installment has nothing outstanding.",
  no_billing_email: "The customer has no billing email.",
};

/** The first of completions §9's reasons that is about the installment only; null where no reason holds. */
export function ineligibilityOf(
  { not_collectible_reason: reason }: Pick<LinkedInstallment, "not_collectible_reason">,
  connected: boolean,
): Ineligibility | null {
  if (reason !== null && reason !== "currency_not_supported")
    return { code: "installment_not_collectible", message: COLLECTIBLE_BUT[reason], field: "installment_id" };
  if (!connected)
    return {
      code: "integration_unavailable",
      message: "No payments integration is connected.",
      field: "installment_id",
    };
  return reason === null ? null : CURRENCY_NOT_SUPPORTED;
}

/** No connected integration charges the invoice's currency, or it has none (service.md §7). */
const CURRENCY_NOT_SUPPORTED: Ineligibility = {
  code: "currency_not_supported",
  message: "No connected payment provider charges the currency.",
  field: "invoice_id",
};

/** Another ERP may give the invoice's id to another one, which the link would be for then. */
const ERP_MOVED: Ineligibility = {
  code: "conflict",
  message:
    "The invoice's ERP was moved to another address and has yet to be synced there, so nobody knows whether it is the same invoice.",
  field: "invoice_id",
};

/** Live links that one installment may have: asking in small parts is no way to send a customer hundreds. */
const MAX_LIVE_LINKS = 12;

/** The live links of an installment, those of the same request too, of which there are no ids yet. */
interface Live {
  readonly amount: Money;
  readonly count: number;
  readonly ids: readonly string[];
}

/** What a link takes of an installment, in minor units, or why it takes nothing (completions §5 and §9). */
function allotment(
  { left, currency, live, step }: { left: bigint; currency: string; live: Live; step: bigint },
  asked: number | undefined,
): bigint | Ineligibility {
  const refused = (code: ErrorCode, field: Ineligibility["field"], message: string, onPage = message) => {
    // Names the live links (completions §10), which a page shows beside.
    const named = live.ids.length === 0 ? "" : ` Live now: ${live.ids.slice(0, MAX_LIVE_LINKS).join(", ")}.`;
    return { code, field, message: `${message}${named}`, onPage };
  };
  if (left <= 0n)
    return refused("conflict", "installment_id", "Live payment links cover the whole installment already.");
  if (live.count >= MAX_LIVE_LINKS) {
    const words = `An installment holds at most ${MAX_LIVE_LINKS} live payment links; withdraw one first.`;
    return refused("conflict", "installment_id", words);
  }
  if (asked === undefined) return greatestOf(left, step);
  const askedMinor = BigInt(asked);
  if (askedMinor > left) {
    const available = (words: string) => `More than is available, which is ${words}.`;
    const onPage = available(readableMinor(left, currency));
    return refused("amount_exceeds_available", "amount_minor", available(`${left} minor units`), onPage);
  }
  if (askedMinor % step === 0n) return askedMinor;
  const message = `The provider charges ${currency} in steps of ${step} minor units only.`;
  return { code: "validation_failed", message, field: "amount_minor" };
}

/** All that is left, as far as the provider can charge it and JSON can say it exactly. */
function greatestOf(left: bigint, step: bigint): bigint | Ineligibility {
  const chargeable = left - (left % step);
  if (chargeable > BigInt(Number.MAX_SAFE_INTEGER))
    return { code: "validation_failed", message: "Too much for one link: say how much.", field: "amount_minor" };
  if (chargeable > 0n) return chargeable;
  const message = "What is available is less than the provider can charge.";
  return { code: "amount_exceeds_available", message, field: "amount_minor" };
}

/** Locks the invoices of some links, then their installments, and reads what else they are measured against. */
export async function lockBook(tx: Transaction, core: Core, tenantId: string, links: readonly AskedLink[]) {
  const installmentIds = links.map((link) => link.installment_id);
  const invoiceIds = links.map((link) => link.invoice_id);
  const invoices = await lockInvoices(tx, tenantId, invoiceIds);
  const moved = await invoicesOfMovedErp(tx, tenantId, invoiceIds);
  const installments = await linkedInstallments(tx, tenantId, { invoiceIds, installmentIds, lock: true });
  return bookOf(tx, core, tenantId, { invoices, installments, moved });
}

/** The same with nothing locked, to tell what would be allotted. */
export async function readBook(
  tx: Transaction,
  core: Core,
  tenantId: string,
  { invoices, installmentIds }: { invoices: readonly LinkedInvoice[]; installmentIds: readonly string[] },
) {
  const invoiceIds = invoices.map((invoice) => invoice.invoice_id);
  const installments = await linkedInstallments(tx, tenantId, { invoiceIds, installmentIds, lock: false });
  return bookOf(tx, core, tenantId, { invoices, installments });
}

interface Debts {
  readonly invoices: readonly LinkedInvoice[];
  readonly installments: readonly LinkedInstallment[];
  /** Invoices of an ERP that was moved, and not synced since. */
  readonly moved?: ReadonlySet<string>;
}

const missing = (what: string, field: Ineligibility["field"]): Ineligibility => {
  const { code, message } = notFound(what);
  return { code, message, field };
};

/** What links are measured against; it keeps account of what it has allotted. */
async function bookOf(tx: Transaction, core: Core, tenantId: string, { invoices, installments, moved }: Debts) {
  const installmentIds = installments.map((row) => row.installment_id);
  const live = new Map<string, Live>();
  for (const { installment_id, amount, ids } of await liveLinksOf(tx, tenantId, installmentIds))
    live.set(installment_id, { amount: money(amount), count: ids.length, ids });
  const connected = (await integrationsOf(tx, tenantId)).filter(({ status }) => status === "connected");
  const invoicesById = new Map(invoices.map((row) => [row.invoice_id, row]));
  const installmentsById = new Map(installments.map((row) => [row.installment_id, row]));
  return {
    /** In the order of completions §9; what is allotted is gone for the links after it. */
    allot({ invoice_id: invoiceId, installment_id: installmentId, amount_minor: asked }: AskedLink) {
      const invoice = invoicesById.get(invoiceId);
      if (invoice === undefined) return missing("invoice", "invoice_id");
      if (moved?.has(invoiceId)) return ERP_MOVED;
      const installment = installmentsById.get(installmentId);
      if (installment?.invoice_id !== invoiceId) return missing("installment", "installment_id");
      const refusal = ineligibilityOf(installment, connected.length > 0);
      if (refusal !== null) return refusal;
      const { currency } = invoice;
      // The oldest integration that charges the currency; it has to be ready.
      const integration = connected.find((row) => currency !== null && row.currencies.includes(currency));
      if (currency === null || integration === undefined) return CURRENCY_NOT_SUPPORTED;
      const step = readyGatewayOf(core, integration).chargeStep(currency);
      const held = live.get(installmentId) ?? { amount: ZERO, count: 0, ids: [] };
      const left = toMinor(money(installment.collection_outstanding).minus(held.amount), currency);
      if (step === null || left === undefined) return CURRENCY_NOT_SUPPORTED;
      const amountMinor = allotment({ left, currency, live: held, step }, asked);
      if (typeof amountMinor !== "bigint") return amountMinor;
      const amount = fromMinor(amountMinor, currency) ?? ZERO;
      live.set(installmentId, { ...held, amount: held.amount.plus(amount), count: held.count + 1 });
      return { amountMinor, amount, currency, invoice, integration };
    },
  };
}

/** The gateway of an integration that new links are made with. Throws `integration_unavailable` (service.md §7). */
function readyGatewayOf(core: Core, row: PaymentIntegrationRow) {
  const gateway = gatewayOf(core, row);
  if (gateway !== null) return gateway;
  throw new ServiceError(
    "integration_unavailable",
    "The payments integration is not ready. A workspace admin can reconnect it.",
  );
}
