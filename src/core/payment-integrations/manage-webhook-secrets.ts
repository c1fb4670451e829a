import { z } from "zod";
import { PaymentProviderError } from "../../gateways/payments/error.ts";
import type { Transaction } from "../../store/store.ts";
import type { PaymentIntegrationRow } from "../../store/tables.ts";
import { type Core, nowOf } from "../core.ts";
import { notFound, ServiceError } from "../error.ts";
import { type Manager, recordManagement } from "../operator.ts";
import { deactivateLink } from "../payment-links/deactivate-link.ts";
import { lockActiveLinksBy } from "../payment-links/link-queries.ts";
import { parseInput, Uuid, validationFailed } from "../validation.ts";
import { type IntegrationKeys, openKeys, sealKeys } from "./gateway-access.ts";
import { integrationsOf, lockTenantFigures, unpaidLinksOf, updateIntegration } from "./integration-queries.ts";
import { IntegrationInput, WebhookSecret } from "./manage-integrations.ts";
import { asOperatorIntegration, type OperatorIntegration } from "./wire.ts";

const EARLIER_GOOD_FOR_MS = 24 * 60 * 60_000;

/** Who manages, in which request. */
interface ManagedBy {
  readonly actor: Manager;
  readonly requestId: string;
}

const Which = { provider: IntegrationInput.provider, integration: Uuid.optional() };
const Rotate = z.strictObject({ ...Which, webhookSecret: WebhookSecret });
const Forget = z.strictObject({ ...Which, confirmed: z.boolean().default(false) });

/**
 * Gives an integration another webhook secret, a disconnected one's too: the one so far stays good for 24 hours, for what
 * the provider still signs with it (completions §12). Throws `not_found`, `validation_failed`, `conflict` where several
 * could be meant, and `permission_denied`.
 */
export async function rotateWebhookSecret(
  core: Core,
  by: ManagedBy,
  input: z.input<typeof Rotate>,
): Promise<OperatorIntegration & { earlier_good_until: string }> {
  const { webhookSecret, ...which } = parseInput(Rotate, input);
  const { tenantId } = by.actor;
  return core.store.write(tenantId, async (tx) => {
    await lockTenantFigures(tx, tenantId);
    const row = theOne(await integrationsOf(tx, tenantId), which);
    const keys = openKeys(core, row);
    if (keys === null)
      throw validationFailed([{ field: "provider", message: "has no webhook secret, so there is none to replace" }]);
    if (keys.webhookSecret === webhookSecret)
      throw validationFailed([{ field: "webhookSecret", message: "is the one that is in use" }]);
    assertUsable(core, row, { ...keys, webhookSecret });
    const now = nowOf(core);
    const until = new Date(core.clock.now().getTime() + EARLIER_GOOD_FOR_MS).toISOString();
    const earlier = (keys.earlierWebhookSecrets ?? []).filter((one) => one.until > now && one.secret !== webhookSecret);
    const earlierWebhookSecrets = [{ secret: keys.webhookSecret, until }, ...earlier];
    const secrets = sealKeys(core, row.payment_integration_id, { ...keys, webhookSecret, earlierWebhookSecrets });
    const rotated = await change(tx, core, { by, row, operation: "rotateWebhookSecret" }, { secrets });
    return { ...rotated, earlier_good_until: until };
  });
}

/**
 * Forgets a disconnected integration: nothing of it vouches for a payment any more, none through its links is recorded, and
 * those that are active are withdrawn, for nobody would learn of their payment. Throws `conflict` unless it is disconnected and, while customers have links of it that can be paid, the caller has
 * confirmed; else what {@link rotateWebhookSecret} does.
 */
export async function forgetIntegration(
  core: Core,
  by: ManagedBy,
  input: z.input<typeof Forget>,
): Promise<OperatorIntegration & { links_withdrawn: number }> {
  const { confirmed, ...which } = parseInput(Forget, input);
  const { tenantId } = by.actor;
  return core.store.write(tenantId, async (tx) => {
    await lockTenantFigures(tx, tenantId);
    const rows = await integrationsOf(tx, tenantId);
    const disconnected = rows.filter(
      ({ status, provider }) => status === "disconnected" && provider === which.provider,
    );
    const isNoneLeft = disconnected.every(({ forgotten_at: forgotten }) => forgotten !== null);
    const row = theOne(which.integration === undefined && !isNoneLeft ? disconnected : rows, which);
    if (row.status === "connected") throw stillConnected(row);
    const unpaid = await unpaidLinksOf(tx, row);
    if (unpaid.count > 0 && !confirmed)
      throw new ServiceError(
        "conflict",
        `${unpaid.count} of its payment links can still be paid (${unpaid.amounts}), and no such payment would be recorded. Confirm (--yes) to withdraw them and forget it all the same.`,
      );
    const withdrawn = await withdrawLinksOf(tx, core, by, row);
    const set = { secrets: null, forgotten_at: nowOf(core) };
    const forgotten = await change(tx, core, { by, row, operation: "forgetIntegration" }, set);
    return { ...forgotten, links_withdrawn: withdrawn };
  });
}

function stillConnected({ provider, payment_integration_id: id }: PaymentIntegrationRow): ServiceError {
  const message = `${id} is connected, and only a disconnected one can be forgotten. Disconnect it first: integration disconnect --provider ${provider}.`;
  return new ServiceError("conflict", message);
}

/** Answers how many. */
async function withdrawLinksOf(
  tx: Transaction,
  core: Core,
  by: ManagedBy,
  row: PaymentIntegrationRow,
): Promise<number> {
  const { tenant_id: tenantId, payment_integration_id: integrationId } = row;
  const active = await lockActiveLinksBy(tx, tenantId, integrationId);
  for (const { payment_link_id: linkId, invoice_id: invoiceId } of active) {
    await deactivateLink(tx, core, { tenantId, linkId, invoiceId });
    await recordManagement(tx, core, {
      ...by,
      operation: "deactivatePaymentLink",
      objectType: "payment_link",
      objectId: linkId,
    });
  }
  return active.length;
}

/** The integration that is meant; one that was forgotten is none. */
function theOne(
  rows: readonly PaymentIntegrationRow[],
  { provider, integration }: { provider: PaymentIntegrationRow["provider"]; integration?: string | undefined },
): PaymentIntegrationRow {
  const known = rows.filter((row) => row.provider === provider && row.forgotten_at === null);
  const meant = integration === undefined ? known : known.filter((row) => row.payment_integration_id === integration);
  const [row, ...others] = meant;
  if (row === undefined) throw notFound("payment integration");
  if (others.length === 0) return row;
  const ids = meant.map((one) => `${one.payment_integration_id} (${one.status})`).join(", ");
  throw new ServiceError("conflict", `There are several: say which one, by its id: ${ids}.`);
}

/** Catches a secret of another kind, such as a secret key. */
function assertUsable(core: Core, row: PaymentIntegrationRow, keys: IntegrationKeys): void {
  const { tenant_id: tenantId, provider, api_base: apiBase } = row;
  const { webhookSecret, secretKey } = keys;
  try {
    core.payments?.({ tenantId, provider, keys: { webhookSecret, secretKey: secretKey ?? "unknown" }, apiBase });
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    throw validationFailed([{ field: "webhookSecret", message: error.publicMessage }]);
  }
}

async function change(
  tx: Transaction,
  core: Core,
  { by, row, operation }: { by: ManagedBy; row: PaymentIntegrationRow; operation: string },
  set: Partial<Pick<PaymentIntegrationRow, "secrets" | "forgotten_at">>,
): Promise<OperatorIntegration> {
  const { tenant_id: tenantId, payment_integration_id: objectId } = row;
  await updateIntegration(tx, { tenantId, paymentIntegrationId: objectId }, set);
  await recordManagement(tx, core, { ...by, operation, objectType: "payment_integration", objectId });
  return asOperatorIntegration(core, { ...row, ...set });
}
