import { z } from "zod";
import { UNCLAIMED } from "../../../store/work-queue.ts";
import { lockTenantFigures } from "../../collection/collection-queries.ts";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { recomputeTenant } from "../../invoices/recompute.ts";
import { orNotFound } from "../../kernel/error.ts";
import { openKeys, sealKeys } from "../../provider-access/gateway-access.ts";
import { unpaidLinksOf } from "../../provider-access/integration-queries.ts";
import { IntegrationInput } from "../integration-input.ts";
import { changeIntegration, connectedOf, OperatorIntegration } from "../operator-integration.ts";

/**
 * Disconnects a payment provider; what only it could charge is not collectible any more. Links that customers have stay
 * payable, and the webhook secret is kept, so that what is paid is recorded. Throws `not_found`.
 */
export const disconnectIntegration = operation({
  id: "disconnectIntegration",
  summary: "Disconnect a payment provider",
  ...SETTINGS_CHANGE,
  sideEffects: "What only it could charge is not collectible any more; its secret key is forgotten.",
  input: z.strictObject({ provider: IntegrationInput.provider }),
  output: OperatorIntegration.extend({ links_still_payable: z.int() }),
  async run(context, { provider }) {
    const { tx, core, actor } = context;
    const { tenantId } = actor;
    await lockTenantFigures(tx, tenantId);
    const row = orNotFound(await connectedOf(tx, tenantId, provider), "connected payment integration");
    const keys = openKeys(core, row);
    const left = await changeIntegration(context, row, {
      status: "disconnected",
      secrets: keys === null ? null : sealKeys(core, row.payment_integration_id, { ...keys, secretKey: null }),
      ...UNCLAIMED,
      next_attempt_at: null,
      events_problem: null,
    });
    await recomputeTenant(tx, core, tenantId);
    return { ...left, links_still_payable: (await unpaidLinksOf(tx, row)).count };
  },
});
