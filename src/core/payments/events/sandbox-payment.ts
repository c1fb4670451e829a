import {
  type PayPage,
  readPayToken,
  sandboxEvent,
  sandboxPaymentId,
} from "../../../gateways/payments/sandbox/index.ts";
import { type Core, nowOf } from "../../gate/dependencies.ts";
import { workStep } from "../../gate/work-step.ts";
import { installmentsOfInvoices } from "../../invoices/list-queries.ts";
import { notFound, orNotFound, ServiceError } from "../../kernel/error.ts";
import { formatStored } from "../../kernel/money.ts";
import { selectMailSettings } from "../../mail/settings-queries.ts";
import { linksById } from "../../payment-links/list-queries.ts";
import { gatewayOf } from "../../provider-access/gateway-access.ts";
import { integrationsOf } from "../../provider-access/integration-queries.ts";
import { recordProviderEvent } from "./record-provider-event.ts";
import { voucherOf } from "./vouching.ts";

const PAGE = ["payment page", "at this address: ask who sent it for another"] as const;

/** What a customer sees of a link of the sandbox; the amount is in major units. */
export type SandboxPage = Awaited<ReturnType<typeof sandboxPage>>;

/** The page behind a token of the sandbox. Throws `not_found` for any other token. */
export async function sandboxPage(core: Core, token: string) {
  const { page, sender, link, due } = await linkBehind(core, token);
  const { workspace_name: workspace, timezone, contact, reply_to: replyTo } = sender;
  return {
    ...{ workspace, timezone, due },
    /** Whom customers ask. */
    contact: [contact ?? workspace, ...(replyTo === null ? [] : [replyTo])].join(", "),
    invoiceNumber: link.invoice_number,
    amount: formatStored(link.amount, link.currency),
    currency: link.currency,
    status: link.state,
    paidAt: link.paid_at,
    /** What the payment is found by. */
    reference: sandboxPaymentId(page.linkId),
  };
}

/**
 * A customer pays or declines on that page, which the sandbox tells the service. Paid once, it stays paid. Throws `not_found`, and
 * `conflict` for a link that was withdrawn.
 */
export async function decideInSandbox(core: Core, token: string, type: "payment_confirmed" | "payment_failed") {
  const { page, link, integration } = await linkBehind(core, token);
  if (link.state === "deactivated") throw new ServiceError("conflict", "This payment link is no longer active.");
  if (link.state === "paid" || gatewayOf(core, integration) === null) return;
  const event = sandboxEvent(type, {
    linkId: page.linkId,
    providerEventId: core.newId(),
    occurredAt: nowOf(core),
    amountMinor: BigInt(link.amount_minor),
    currency: link.currency,
  });
  await recordProviderEvent(core, page.tenantId, { event, vouchers: [voucherOf(integration)] });
}

function linkBehind(core: Core, token: string) {
  const page = orNotFound(readPayToken(core.secrets, token), ...PAGE);
  return lookAtLink(core, page.tenantId, page);
}

const lookAtLink = workStep({
  in: "workspace",
  async run({ tx, tenantId }, page: PayPage) {
    const sender = await selectMailSettings(tx, tenantId);
    const [link] = await linksById(tx, tenantId, [page.linkId]);
    const integration = (await integrationsOf(tx, tenantId, [link?.payment_integration_id])).find(
      (row) => row.payment_integration_id === link?.payment_integration_id,
    );
    if (sender === undefined || link === undefined || integration?.provider !== "sandbox") throw notFound(...PAGE);
    const parts = await installmentsOfInvoices(tx, tenantId, [link.invoice_id]);
    const due = parts.find(({ installment_id: id }) => id === link.installment_id)?.due_date ?? null;
    return { page, sender, link, integration, due };
  },
});
