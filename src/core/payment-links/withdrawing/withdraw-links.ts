import { type PaymentGateway, PaymentProviderError } from "../../../gateways/payments/gateway.ts";
import type { PaymentIntegrationRow } from "../../../store/tables/payments.ts";
import { UNCLAIMED } from "../../../store/work-queue.ts";
import type { Core } from "../../gate/dependencies.ts";
import { RETRY, type RetryPolicy, retryAt } from "../../gate/retry.ts";
import { workStep } from "../../gate/work-step.ts";
import { wayOf } from "../../provider-access/gateway-access.ts";
import { integrationsOf } from "../../provider-access/integration-queries.ts";
import { linkById, type StoredLink, updateLink } from "../link-queries.ts";

/**
 * Tells the provider that links are withdrawn, with no transaction open; what cannot be told now stays due. Told again,
 * nothing changes.
 */
export async function withdrawAtProvider(core: Core, tenantId: string, linkIds: readonly string[]) {
  await Promise.all(linkIds.map((linkId) => withdrawOne(core, tenantId, linkId)));
}

async function withdrawOne(core: Core, tenantId: string, linkId: string) {
  const { link, integrations } = await lookAtLink(core, tenantId, linkId);
  if (link === undefined || !link.withdrawal_due) return;
  const retry = await deactivate(core, integrations, link);
  await noteWithdrawal(core, tenantId, { linkId, retry });
}

const lookAtLink = workStep({
  in: "workspace",
  async run({ tx, tenantId }, linkId: string) {
    const link = await linkById(tx, tenantId, linkId);
    return { link, integrations: await integrationsOf(tx, tenantId, [link?.payment_integration_id]) };
  },
});

const noteWithdrawal = workStep({
  name: "noteWithdrawal",
  run: ({ tx, core, actor }, { linkId, retry }: { linkId: string; retry: RetryPolicy | null }) =>
    updateLink(tx, actor.tenantId, linkId, {
      ...UNCLAIMED,
      withdrawal_due: retry !== null,
      next_attempt_at: retry === null ? null : retryAt(core, retry),
    }),
});

/** Null when it is done, or cannot be done any more; else how it is tried again. */
async function deactivate(core: Core, integrations: readonly PaymentIntegrationRow[], link: StoredLink) {
  const fields = { tenantId: link.tenant_id, paymentLinkId: link.payment_link_id };
  const { gateway, isForgotten } = wayOf(core, link, integrations);
  if (gateway === null) {
    core.log.warn({ ...fields, isForgotten }, "payment_link.withdrawal.no_access");
    return isForgotten ? null : RETRY.refused;
  }
  try {
    const { ids, complete } = await providerIdsOf(gateway, link);
    for (const providerLinkId of ids) await gateway.deactivateLink(providerLinkId);
    if (complete) return null;
    core.log.error(fields, "payment_link.withdrawal.not_found");
    return RETRY.refused;
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    if (error.kind === "not_found") return null;
    core.log.warn({ ...fields, err: error }, "payment_link.withdrawal.failed");
    return error.kind === "unreachable" ? RETRY.unreachable : RETRY.refused;
  }
}

/**
 * Where the provider has it, as far as that can be told: one whose making was never answered is looked for, and there may
 * be none, or several.
 */
async function providerIdsOf(gateway: PaymentGateway, link: StoredLink) {
  if (link.provider_link_id !== null) return { ids: [link.provider_link_id], complete: true };
  const { links, complete } = await gateway.findLinks(link.payment_link_id);
  const ids = links.filter(({ active }) => active).map(({ providerLinkId }) => providerLinkId);
  return { ids, complete: complete || links.length > 0 };
}
