import type { PaymentGateway } from "../../../gateways/payments/gateway.ts";
import type { Transaction } from "../../../store/store.ts";
import type { PaymentIntegrationRow } from "../../../store/tables/payments.ts";
import { assertNotMoved } from "../../erp-access/assert-seen.ts";
import type { Core } from "../../gate/dependencies.ts";
import { notFound, ServiceError } from "../../kernel/error.ts";
import { money } from "../../kernel/money.ts";
import { gatewayOf } from "../../provider-access/gateway-access.ts";
import { integrationsOf } from "../../provider-access/integration-queries.ts";
import { type LiveLinks, liveLinksOf } from "../link-queries.ts";
import {
  type LinkedInstallment,
  type LinkedInvoice,
  linkedInstallments,
  lockLinkedInvoices,
} from "../linked-debt-queries.ts";
import { allotment, CURRENCY_NOT_SUPPORTED, type Ineligibility, ineligibilityOf, type Live } from "./link-refusals.ts";

/** One link that is asked for. */
export interface AskedLink {
  readonly invoiceId: string;
  readonly installmentId: string;
  /** In minor units; null for all that is available. */
  readonly amountMinor: bigint | null;
  /** An email a workflow schedules with it. */
  readonly email?: { readonly to: string; readonly sendAt: string };
}

interface Allotted {
  amountMinor: bigint;
  currency: string;
  invoice: LinkedInvoice;
  integration: PaymentIntegrationRow;
}

/** What a request's links are measured against, locked; it keeps account of what it has allotted. */
class LockedBook {
  readonly #core: Core;
  readonly #invoices: ReadonlyMap<string, LinkedInvoice>;
  readonly #installments: ReadonlyMap<string, LinkedInstallment>;
  readonly #connected: readonly PaymentIntegrationRow[];
  readonly #live: Map<string, Live>;

  constructor(
    core: Core,
    rows: {
      invoices: readonly LinkedInvoice[];
      installments: readonly LinkedInstallment[];
      connected: readonly PaymentIntegrationRow[];
      live: ReadonlyMap<string, Live>;
    },
  ) {
    this.#core = core;
    this.#invoices = new Map(rows.invoices.map((row) => [row.invoice_id, row]));
    this.#installments = new Map(rows.installments.map((row) => [row.installment_id, row]));
    this.#connected = rows.connected;
    this.#live = new Map(rows.live);
  }

  /** In the order of completions §9; what is allotted is gone for the links after it. */
  allot({ invoiceId, installmentId, amountMinor: asked }: AskedLink): Allotted | Ineligibility {
    const invoice = this.#invoices.get(invoiceId);
    if (invoice === undefined) return missing("invoice", "invoice_id");
    const installment = this.#installments.get(installmentId);
    if (installment?.invoice_id !== invoiceId) return missing("installment", "installment_id");
    const refusal = ineligibilityOf(installment, this.#connected.length > 0);
    if (refusal !== null) return refusal;
    const charging = this.#chargingIntegration(invoice);
    if ("code" in charging) return charging;
    const { integration, currency, step } = charging;
    const outstanding = money(installment.collection_outstanding);
    const live = this.#live.get(installmentId) ?? { minor: 0n, count: 0, ids: [] };
    const amountMinor = allotment({ outstanding, currency, live, step }, asked);
    if (typeof amountMinor !== "bigint") return amountMinor;
    this.#live.set(installmentId, { ...live, minor: live.minor + amountMinor, count: live.count + 1 });
    return { amountMinor, currency, invoice, integration };
  }

  /** The oldest integration that charges the invoice's currency; it has to be ready. */
  #chargingIntegration({
    currency,
  }: LinkedInvoice): { integration: PaymentIntegrationRow; currency: string; step: bigint } | Ineligibility {
    if (currency === null) return CURRENCY_NOT_SUPPORTED;
    const integration = this.#connected.find((row) => row.currencies.split(" ").includes(currency));
    if (integration === undefined) return CURRENCY_NOT_SUPPORTED;
    const gateway = readyGatewayOf(this.#core, integration);
    const step = gateway.chargeStep(currency);
    return step === null ? CURRENCY_NOT_SUPPORTED : { integration, currency, step };
  }
}

function liveOf({ total_minor: total, ids }: LiveLinks): Live {
  const linkIds = ids.split(" ");
  return { minor: BigInt(total), count: linkIds.length, ids: linkIds };
}

function missing(what: string, field: Ineligibility["field"]): Ineligibility {
  const { code, message } = notFound(what);
  return { code, message, field };
}

/**
 * Locks the invoices of some links, then their installments, and reads what else they are measured against. Throws `conflict` where
 * the ERP of one of them was moved and not synced since.
 */
export async function lockBook(tx: Transaction, core: Core, tenantId: string, links: readonly AskedLink[]) {
  const installmentIds = [...new Set(links.map((link) => link.installmentId))];
  const invoiceIds = [...new Set(links.map((link) => link.invoiceId))];
  const invoices = await lockLinkedInvoices(tx, tenantId, invoiceIds);
  await assertNotMoved(tx, tenantId, invoiceIds);
  const installments = await linkedInstallments(tx, tenantId, { invoiceIds, installmentIds, lock: true });
  return bookOf(tx, core, tenantId, { invoices, installments });
}

/** The same with nothing locked, to tell what would be allotted. */
export async function readBook(
  tx: Transaction,
  core: Core,
  tenantId: string,
  { invoices, installmentIds }: { invoices: readonly LinkedInvoice[]; installmentIds: readonly string[] },
): Promise<LockedBook> {
  const invoiceIds = invoices.map((invoice) => invoice.invoice_id);
  const installments = await linkedInstallments(tx, tenantId, { invoiceIds, installmentIds, lock: false });
  return bookOf(tx, core, tenantId, { invoices, installments });
}

async function bookOf(
  tx: Transaction,
  core: Core,
  tenantId: string,
  { invoices, installments }: { invoices: readonly LinkedInvoice[]; installments: readonly LinkedInstallment[] },
): Promise<LockedBook> {
  const installmentIds = installments.map((row) => row.installment_id);
  const live = await liveLinksOf(tx, tenantId, installmentIds);
  const connected = (await integrationsOf(tx, tenantId)).filter(({ status }) => status === "connected");
  return new LockedBook(core, {
    invoices,
    installments,
    connected,
    live: new Map(live.map((row) => [row.installment_id, liveOf(row)])),
  });
}

/** The gateway of an integration that new links are made with. Throws `integration_unavailable` (service.md §7). */
function readyGatewayOf(core: Core, row: PaymentIntegrationRow): PaymentGateway {
  const gateway = row.status === "connected" ? gatewayOf(core, row) : null;
  if (gateway !== null) return gateway;
  throw new ServiceError(
    "integration_unavailable",
    "The payments integration is not ready. A workspace admin can reconnect it.",
  );
}
