import { type PayPage, readPayToken, sandboxEvent } from "../../../gateways/payments/sandbox/index.ts";
import { type Core, nowOf } from "../../gate/dependencies.ts";
import { workStep } from "../../gate/work-step.ts";
import { notFound, orNotFound, ServiceError } from "../../kernel/error.ts";
import { formatStored } from "../../kernel/money.ts";
import { linksById } from "../../payment-links/list-queries.ts";
import { gatewayOf } from "../../provider-access/gateway-access.ts";
import { integrationsOf } from "../../provider-access/integration-queries.ts";
import { workspaceNameOf } from "../../workspace/workspace-queries.ts";
import { recordProviderEvent } from "./record-provider-event.ts";
import { voucherOf } from "./vouching.ts";

/** What a customer sees of a link of the sandbox; the amount is in major units. */
export type SandboxPage = Awaited<ReturnType<typeof sandboxPage>>;

/** The page behind a token of the sandbox. Throws `not_found` for any other token. */
export async function sandboxPage(core: Core, token: string) {
  const { workspace, link } = await linkBehind(core, token);
  return {
    workspace,
    invoiceNumber: link.invoice_number,
    amount: formatStored(link.amount, link.currency),
    currency: link.currency,
    status: link.state,
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
  const page = orNotFound(readPayToken(core.secrets, token), "payment page");
  return lookAtLink(core, page.tenantId, page);
}

const lookAtLink = workStep({
  in: "workspace",
  async run({ tx, tenantId }, page: PayPage) {
    const workspace = await workspaceNameOf(tx, tenantId);
    const [link] = await linksById(tx, tenantId, [page.linkId]);
    const integration = (await integrationsOf(tx, tenantId)).find(
      (row) => row.payment_integration_id === link?.payment_integration_id,
    );
    if (workspace === null || link === undefined || integration?.provider !== "sandbox") throw notFound("payment page");
    return { page, workspace, link, integration };
  },
});
