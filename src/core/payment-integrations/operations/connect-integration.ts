import { z } from "zod";
import { PaymentProviderError } from "../../../gateways/payments/gateway.ts";
import type { Transaction } from "../../../store/store.ts";
import type { PaymentIntegrationRow } from "../../../store/tables/payments.ts";
import { UNCLAIMED } from "../../../store/work-queue.ts";
import { lockTenantFigures } from "../../collection/collection-queries.ts";
import { type Core, operation, type ProviderAccess, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { recomputeTenant } from "../../invoices/recompute.ts";
import { ServiceError } from "../../kernel/error.ts";
import { validationFailed } from "../../kernel/validation.ts";
import { isSameAccount, sealKeys } from "../../provider-access/gateway-access.ts";
import { allOfAccount, insertIntegration } from "../../provider-access/integration-queries.ts";
import { planOfEnabled } from "../../workflows/plan-enabling.ts";
import { assertConfirmed, Confirmed, EnablingPlan } from "../../workflows/plan-schema.ts";
import { IntegrationInput } from "../integration-input.ts";
import { asOperatorIntegration, connectedOf, OperatorIntegration } from "../operator-integration.ts";

/**
 * Connects a payment provider, once it says that the keys are an account's that may charge the currencies; what it can
 * charge becomes collectible at once (completions §6), for workflows that are on too: `plan` says what they do with it, and
 * much at once has to be confirmed (§7). Throws `integration_unavailable` where the provider does not answer or let the
 * account charge, `conflict` while it is connected, ConfirmationNeeded, `validation_failed`, `currency_not_supported`.
 */
export const connectIntegration = operation({
  id: "connectIntegration",
  summary: "Connect a payment provider; what it can charge becomes collectible",
  errors: ["conflict", "currency_not_supported", "integration_unavailable"],
  ...SETTINGS_CHANGE,
  sideEffects: "What it can charge becomes collectible; workflows that are on open tasks and make links for it.",
  input: z.strictObject({
    provider: IntegrationInput.provider,
    currencies: IntegrationInput.currencies,
    keys: IntegrationInput.keys.optional(),
    apiBase: IntegrationInput.apiBase.optional(),
    confirmed: Confirmed,
  }),
  output: OperatorIntegration.extend({ plan: EnablingPlan.optional() }),
  async prepare({ actor: { tenantId }, core }, { provider, currencies, keys = null, apiBase = null }) {
    if (provider === "stripe" && keys === null)
      throw validationFailed([{ field: "secretKey", message: "must be given, and the webhook secret" }]);
    if (provider === "sandbox" && (keys !== null || apiBase !== null))
      throw validationFailed([{ field: keys === null ? "apiBase" : "secretKey", message: "is not for the sandbox" }]);
    return checkAccount(core, { tenantId, provider, keys, apiBase }, currencies);
  },
  async run({ tx, actor, core, now, audit }, given, { account, livemode }) {
    const { tenantId } = actor;
    const { provider, currencies, keys = null, apiBase = null, confirmed } = given;
    await lockTenantFigures(tx, tenantId);
    const connected = await connectedOf(tx, tenantId, provider);
    if (connected !== undefined) {
      const { payment_integration_id: inTheWay } = connected;
      throw new ServiceError("conflict", `This provider is connected already, as ${inTheWay}. Disconnect it first.`);
    }
    const id = core.newId();
    const row: PaymentIntegrationRow = {
      tenant_id: tenantId,
      payment_integration_id: id,
      provider,
      status: "connected",
      currencies,
      created_at: now,
      secrets: keys === null ? null : sealKeys(core, id, keys),
      api_base: apiBase,
      account,
      livemode,
      forgotten_at: null,
      events_read_to: null,
      next_attempt_at: provider === "sandbox" ? null : now,
      ...UNCLAIMED,
      attempts: 0,
      events_problem: null,
    };
    row.events_read_to = provider === "sandbox" ? null : await readToBefore(tx, row);
    await insertIntegration(tx, row);
    await recomputeTenant(tx, core, tenantId);
    // Of the figures that it changes: where nobody has confirmed it, the transaction takes all of that back.
    const plan = await planOfEnabled(tx, core, tenantId);
    if (plan !== null) assertConfirmed(plan, confirmed);
    audit({ type: "payment_integration", id });
    return { ...asOperatorIntegration(row), ...(plan === null ? {} : { plan }) };
  },
});

/** Events of the account are read on from where an earlier integration of it had got to; of a new account from now on. */
async function readToBefore(tx: Transaction, row: PaymentIntegrationRow) {
  const before = (await allOfAccount(tx, row)).filter((other) => isSameAccount(row, other));
  const readTo = before.map(({ events_read_to, created_at }) => events_read_to ?? created_at).sort();
  return readTo.at(-1) ?? row.created_at;
}

/**
 * Asks a provider whose account the keys are and whether it may charge the currencies; answers the provider's name for
 * the account, and whether real money moves. Throws `validation_failed` for keys it refuses, `currency_not_supported`, and `integration_unavailable`.
 */
async function checkAccount(core: Core, access: ProviderAccess, currencies: readonly string[]) {
  // A core without a way to any provider still keeps books: the sandbox then only says what counts as collectible.
  if (core.payments === undefined && access.provider === "sandbox") return { account: null, livemode: false };
  const { gateway, account } = await ask(core, access);
  if (!account.chargesEnabled)
    throw new ServiceError("integration_unavailable", "The provider does not let this account charge yet.");
  const refused = currencies.filter(
    (code) => gateway.chargeStep(code) === null || account.currencies?.includes(code) === false,
  );
  if (refused.length === 0) return { account: account.accountId, livemode: account.livemode };
  throw new ServiceError("currency_not_supported", `The account cannot charge ${refused.join(", ")}.`, {
    details: [{ field: "currencies", message: `cannot be charged: ${refused.join(", ")}` }],
  });
}

const SANDBOX_ONLY =
  "The sandbox is there in the demo only: start the service with DEMO=on, or connect Stripe with a test key.";

async function ask(core: Core, access: ProviderAccess) {
  try {
    const gateway = core.payments?.(access) ?? null;
    if (gateway === null)
      throw new ServiceError(
        "integration_unavailable",
        access.provider === "sandbox" ? SANDBOX_ONLY : "The service has no way to this provider here.",
      );
    return { gateway, account: await gateway.checkAccount() };
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    const { kind, publicMessage, message: internal } = error;
    if (kind !== "authentication_failed")
      throw new ServiceError("integration_unavailable", publicMessage, { internal, cause: error });
    throw new ServiceError("validation_failed", publicMessage, {
      details: [{ field: "secretKey", message: publicMessage }],
      internal,
      cause: error,
    });
  }
}
