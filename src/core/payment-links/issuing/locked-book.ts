import type { PaymentGateway } from "../../../gateways/payments/gateway.ts";
import type { Transaction } from "../../../store/store.ts";
import type { PaymentIntegrationRow } from "../../../store/tables/payments.ts";
import { lockInvoices } from "../../collection/collection-queries.ts";
import { invoicesOfMovedErp } from "../../erp-access/unseen-queries.ts";
import type { Core } from "../../gate/dependencies.ts";
import { notFound, ServiceError } from "../../kernel/error.ts";
import { money } from "../../kernel/money.ts";
import { gatewayOf } from "../../provider-access/gateway-access.ts";
import { integrationsOf } from "../../provider-access/integration-queries.ts";
import {
  type LinkedInstallment,
  type LinkedInvoice,
  type LiveLinks,
  linkedInstallments,
  liveLinksOf,
} from "../link-queries.ts";
import {
  allotment,
  CURRENCY_NOT_SUPPORTED,
  ERP_MOVED,
  type Ineligibility,
  ineligibilityOf,
  type Live,
} from "./link-refusals.ts";

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

function liveOf({ total_minor: total, ids: joined }: LiveLinks): Live {
  const ids = joined.split(" ");
  return { minor: BigInt(total), count: ids.length, ids };
}

function missing(what: string, field: Ineligibility["field"]): Ineligibility {
  const { code, message } = notFound(what);
  return { code, message, field };
}

/** Locks the invoices of some links, then their installments, and reads what else they are measured against. */
export async function lockBook(tx: Transaction, core: Core, tenantId: string, links: readonly AskedLink[]) {
  const installmentIds = [...new Set(links.map((link) => link.installmentId))];
  const invoiceIds = [...new Set(links.map((link) => link.invoiceId))];
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

/** What links are measured against; it keeps account of what it has allotted. */
async function bookOf(
  tx: Transaction,
  core: Core,
  tenantId: string,
  {
    invoices,
    installments,
    moved,
  }: {
    invoices: readonly LinkedInvoice[];
    installments: readonly LinkedInstallment[];
    /** Invoices of an ERP that was moved, and not synced since. */
    moved?: ReadonlySet<string>;
  },
) {
  const installmentIds = installments.map((row) => row.installment_id);
  const live = new Map(
    (await liveLinksOf(tx, tenantId, installmentIds)).map((row) => [row.installment_id, liveOf(row)]),
  );
  const connected = (await integrationsOf(tx, tenantId)).filter(({ status }) => status === "connected");
  const invoicesById = new Map(invoices.map((row) => [row.invoice_id, row]));
  const installmentsById = new Map(installments.map((row) => [row.installment_id, row]));
  return {
    /** In the order of completions §9; what is allotted is gone for the links after it. */
    allot({ invoiceId, installmentId, amountMinor: asked }: AskedLink): Allotted | Ineligibility {
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
      if (step === null) return CURRENCY_NOT_SUPPORTED;
      const outstanding = money(installment.collection_outstanding);
      const held = live.get(installmentId) ?? { minor: 0n, count: 0, ids: [] };
      const amountMinor = allotment({ outstanding, currency, live: held, step }, asked);
      if (typeof amountMinor !== "bigint") return amountMinor;
      live.set(installmentId, { ...held, minor: held.minor + amountMinor, count: held.count + 1 });
      return { amountMinor, currency, invoice, integration };
    },
  };
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
