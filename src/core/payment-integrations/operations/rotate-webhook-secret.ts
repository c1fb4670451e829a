import { z } from "zod";
import { lockTenantFigures } from "../../collection/collection-queries.ts";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { validationFailed } from "../../kernel/validation.ts";
import { Instant } from "../../kernel/wire-types.ts";
import { openKeys, sealKeys } from "../../provider-access/gateway-access.ts";
import { integrationsOf } from "../../provider-access/integration-queries.ts";
import { WebhookSecret, Which } from "../integration-input.ts";
import { changeIntegration, OperatorIntegration, theOne } from "../operator-integration.ts";

const EARLIER_GOOD_FOR_MS = 24 * 60 * 60_000;
/** Earlier ones that are good at once, the newest: each notification is tried with all. */
const MOST_EARLIER = 3;

/**
 * Gives an integration another webhook secret, a disconnected one's too: the one so far stays good for 24 hours, for what
 * the provider still signs with it (completions §12). Throws `not_found`, `validation_failed`, and `conflict` where several
 * could be meant.
 */
export const rotateWebhookSecret = operation({
  id: "rotateWebhookSecret",
  summary: "Take another webhook secret; the one so far stays good for 24 hours",
  errors: ["conflict"],
  ...SETTINGS_CHANGE,
  sideEffects: "The secret so far stays good for 24 hours.",
  input: z.strictObject({ ...Which, webhookSecret: WebhookSecret }),
  output: OperatorIntegration.extend({ earlier_good_until: Instant }),
  async run(context, { webhookSecret, ...which }) {
    const { tx, core, now, actor } = context;
    await lockTenantFigures(tx, actor.tenantId);
    const row = theOne(await integrationsOf(tx, actor.tenantId, [which.integration]), which);
    const keys = openKeys(core, row);
    if (keys === null)
      throw validationFailed([{ field: "provider", message: "has no webhook secret that could be replaced" }]);
    if (keys.webhookSecret === webhookSecret)
      throw validationFailed([{ field: "webhookSecret", message: "is the one that is in use" }]);
    const until = new Date(Date.parse(now) + EARLIER_GOOD_FOR_MS).toISOString();
    const earlier = (keys.earlierWebhookSecrets ?? []).filter((one) => one.until > now && one.secret !== webhookSecret);
    const earlierWebhookSecrets = [{ secret: keys.webhookSecret, until }, ...earlier].slice(0, MOST_EARLIER);
    const secrets = sealKeys(core, row.payment_integration_id, { ...keys, webhookSecret, earlierWebhookSecrets });
    return { ...(await changeIntegration(context, row, { secrets })), earlier_good_until: until };
  },
});
