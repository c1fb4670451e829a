import { z } from "zod";
import { isWebhookSecret } from "../../gateways/payments/stripe/settings.ts";
import type { Transaction } from "../../store/store.ts";
import type { PaymentIntegrationRow } from "../../store/tables.ts";
import { type Core, nowOf } from "../core.ts";
import { minorDigits } from "../currencies.ts";
import { notFound, ServiceError } from "../error.ts";
import { recomputeTenant } from "../invoices/recompute.ts";
import { type PageAdmin, recordAdminAct } from "../operator.ts";
import { parseInput, validationFailed } from "../validation.ts";
import { checkAccount } from "./check-account.ts";
import { isSameAccount, openKeys, sealKeys } from "./gateway-access.ts";
import {
  insertIntegration,
  integrationsOf,
  lockTenantFigures,
  unpaidLinksOf,
  updateIntegration,
} from "./integration-queries.ts";
import { asOperatorIntegration, type OperatorIntegration } from "./wire.ts";

/** A key as a person pastes it. */
const Key = z
  .string()
  .trim()
  .regex(/^[!-~]{1,500}$/, "must be one word of printable ASCII");

/** Only Stripe has one; those kept from before this was asked of them stay good. */
export const WebhookSecret = z
  .string()
  .trim()
  .max(500)
  .refine(isWebhookSecret, "must start with whsec_, as Stripe's webhook secrets do");

/** What an operator says of an integration. */
export const IntegrationInput = {
  provider: z.enum(["stripe", "sandbox"]),
  /** ISO 4217 codes it charges. */
  currencies: z
    .array(z.string().refine((code) => minorDigits(code) !== undefined, "must be an ISO 4217 code in capitals"))
    .min(1)
    .transform((codes) => [...new Set(codes)].sort()),
  /** Of a provider that has keys. */
  keys: z.strictObject({ secretKey: Key, webhookSecret: WebhookSecret }),
  /** Where its API is reached, when not at its own address. */
  apiBase: z.url().max(500),
};

const Connect = z.strictObject({
  provider: IntegrationInput.provider,
  currencies: IntegrationInput.currencies,
  keys: IntegrationInput.keys.optional(),
  apiBase: IntegrationInput.apiBase.optional(),
});
const Disconnect = z.strictObject({ provider: IntegrationInput.provider });

/**
 * Connects a payment provider, once it says that the keys are an account's that may charge the currencies; what it can
 * charge becomes collectible at once (completions §6). Throws `validation_failed`, `currency_not_supported`,
 * `integration_unavailable` where the provider does not answer or let the account charge, and `conflict` while it is
 * connected. Without `by` it is an operator; a person who is no admin has it undone, with `permission_denied`.
 */
export async function connectIntegration(
  core: Core,
  tenantId: string,
  input: z.input<typeof Connect>,
  by?: PageAdmin,
): Promise<OperatorIntegration> {
  const { provider, currencies, keys = null, apiBase = null } = parseInput(Connect, input);
  if (provider === "stripe" && keys === null)
    throw validationFailed([{ field: "secretKey", message: "must be given, and the webhook secret" }]);
  if (provider === "sandbox" && (keys !== null || apiBase !== null))
    throw validationFailed([{ field: keys === null ? "apiBase" : "secretKey", message: "is not for the sandbox" }]);
  const { account, livemode } = await checkAccount(core, { tenantId, provider, keys, apiBase }, currencies);
  return core.store.write(tenantId, async (tx) => {
    await lockTenantFigures(tx, tenantId);
    const connected = await connectedOf(tx, tenantId, provider);
    if (connected !== undefined) {
      const { payment_integration_id: inTheWay } = connected;
      throw new ServiceError("conflict", `This provider is connected already, as ${inTheWay}. Disconnect it first.`);
    }
    const id = core.newId();
    const now = nowOf(core);
    const row: PaymentIntegrationRow = {
      tenant_id: tenantId,
      payment_integration_id: id,
      provider,
      status: "connected",
      currencies: currencies.join(" "),
      created_at: now,
      secrets: keys === null ? null : sealKeys(core, id, keys),
      api_base: apiBase,
      account,
      livemode,
      forgotten_at: null,
      events_read_to: null,
      events_due_at: provider === "sandbox" ? null : now,
      events_lease_expires_at: null,
      events_problem: null,
    };
    row.events_read_to = provider === "sandbox" ? null : await readToBefore(tx, row);
    await insertIntegration(tx, row);
    await settle(tx, core, row, { operation: "connectIntegration", by });
    return asOperatorIntegration(core, row);
  });
}

/**
 * Disconnects a payment provider; what only it could charge is not collectible any more. The secret key is forgotten.
 * Links that customers have stay payable, and the webhook secret is kept, so that what is paid is recorded. `by` as
 * above. Throws `not_found` and `permission_denied`.
 */
export async function disconnectIntegration(
  core: Core,
  tenantId: string,
  input: z.input<typeof Disconnect>,
  by?: PageAdmin,
): Promise<OperatorIntegration> {
  const { provider } = parseInput(Disconnect, input);
  return core.store.write(tenantId, async (tx) => {
    await lockTenantFigures(tx, tenantId);
    const row = await connectedOf(tx, tenantId, provider);
    if (row === undefined) throw notFound("connected payment integration");
    const id = row.payment_integration_id;
    const keys = openKeys(core, row);
    const left = {
      status: "disconnected",
      secrets: keys === null ? null : sealKeys(core, id, { ...keys, secretKey: null }),
      events_due_at: null,
      events_lease_expires_at: null,
      events_problem: null,
    } as const;
    await updateIntegration(tx, { tenantId, paymentIntegrationId: id }, left);
    await settle(tx, core, row, { operation: "disconnectIntegration", by });
    return asOperatorIntegration(core, { ...row, ...left });
  });
}

/** Links of an integration that customers can still pay by. */
export async function countPayableLinks(core: Core, tenantId: string, integrationId: string): Promise<number> {
  const which = { tenant_id: tenantId, payment_integration_id: integrationId };
  return (await core.store.read(tenantId, (tx) => unpaidLinksOf(tx, which))).count;
}

/** A workspace's integrations, disconnected ones too, oldest first. */
export async function listIntegrations(core: Core, tenantId: string): Promise<OperatorIntegration[]> {
  const rows = await core.store.read(tenantId, (tx) => integrationsOf(tx, tenantId));
  return rows.map((row) => asOperatorIntegration(core, row));
}

/** Events of the account are read on from where an earlier integration of it had got to; of a new account from now on. */
async function readToBefore(tx: Transaction, row: PaymentIntegrationRow): Promise<string> {
  const before = (await integrationsOf(tx, row.tenant_id)).filter((other) => isSameAccount(row, other));
  const readTo = before.map(({ events_read_to, created_at }) => events_read_to ?? created_at).sort();
  return readTo.at(-1) ?? row.created_at;
}

async function connectedOf(
  tx: Transaction,
  tenantId: string,
  provider: PaymentIntegrationRow["provider"],
): Promise<PaymentIntegrationRow | undefined> {
  const rows = await integrationsOf(tx, tenantId);
  return rows.find((row) => row.provider === provider && row.status === "connected");
}

async function settle(
  tx: Transaction,
  core: Core,
  row: PaymentIntegrationRow,
  { operation, by }: { operation: string; by: PageAdmin | undefined },
): Promise<void> {
  const { tenant_id: tenantId, payment_integration_id: objectId } = row;
  await recomputeTenant(tx, core, tenantId);
  await recordAdminAct(tx, core, { tenantId, operation, objectType: "payment_integration", objectId }, by);
}
