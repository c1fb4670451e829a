import { z } from "zod";
import type { PaymentIntegrationRow } from "../../../store/tables/payments.ts";
import { lockTenantFigures } from "../../collection/collection-queries.ts";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { ServiceError } from "../../kernel/error.ts";
import { lockActiveLinksBy } from "../../payment-links/link-queries.ts";
import { withdrawLink } from "../../payment-links/withdrawing/deactivate-link.ts";
import { integrationsOf, unpaidLinksOf } from "../../provider-access/integration-queries.ts";
import { Which } from "../integration-input.ts";
import { changeIntegration, OperatorIntegration, theOne } from "../operator-integration.ts";

/**
 * Forgets a disconnected integration: its notifications count no more, payments through its links are not recorded, and its active
 * links are withdrawn. Throws `not_found`, and `conflict` unless it is disconnected, is the only one meant and, while customers have
 * links of it that can be paid, the caller has confirmed.
 */
export const forgetIntegration = operation({
  id: "forgetIntegration",
  summary: "Forget a disconnected payment provider: no payment through its links is recorded any more",
  errors: ["conflict"],
  ...SETTINGS_CHANGE,
  sideEffects: "Its active links are withdrawn, and no payment through them is recorded any more.",
  input: z.strictObject({
    ...Which,
    confirmed: z
      .boolean()
      .default(false)
      .describe("even while customers have links that can be paid, which it withdraws"),
  }),
  output: OperatorIntegration.extend({ links_withdrawn: z.int() }),
  async run(context, { confirmed, ...which }) {
    const { tx, actor, now } = context;
    const { tenantId } = actor;
    await lockTenantFigures(tx, tenantId);
    const row = forgettable(await integrationsOf(tx, tenantId, [which.integration]), which);
    const unpaid = await unpaidLinksOf(tx, row);
    if (unpaid.count > 0 && !confirmed)
      throw new ServiceError(
        "conflict",
        `${unpaid.count} of its payment links can still be paid (${unpaid.amounts}), and no such payment would be recorded. Confirm (--yes) to withdraw them and forget it all the same.`,
      );
    const active = await lockActiveLinksBy(tx, tenantId, row.payment_integration_id);
    for (const { payment_link_id: linkId, invoice_id: invoiceId } of active)
      await withdrawLink.within(context, actor, { linkId, invoiceId });
    const forgotten = await changeIntegration(context, row, { secrets: null, forgotten_at: now });
    return { ...forgotten, links_withdrawn: active.length };
  },
});

/** The disconnected one, unless another is named. Throws `not_found` and `conflict`. */
function forgettable(rows: readonly PaymentIntegrationRow[], which: Parameters<typeof theOne>[1]) {
  const disconnected = rows.filter(({ status, provider }) => status === "disconnected" && provider === which.provider);
  const isNoneLeft = disconnected.every(({ forgotten_at: forgotten }) => forgotten !== null);
  const row = theOne(which.integration === undefined && !isNoneLeft ? disconnected : rows, which);
  if (row.status === "disconnected") return row;
  const { provider, payment_integration_id: id } = row;
  const message = `${id} is connected, and only a disconnected one can be forgotten. Disconnect it first: integration disconnect --provider ${provider}.`;
  throw new ServiceError("conflict", message);
}
