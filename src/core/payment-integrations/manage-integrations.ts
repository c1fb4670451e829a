import { z } from "zod";
import type { Transaction } from "../../store/store.ts";
import type { PaymentIntegrationRow } from "../../store/tables.ts";
import { type Core, nowOf } from "../core.ts";
import { minorDigits } from "../currencies.ts";
import { notFound, ServiceError } from "../error.ts";
import { recomputeTenant } from "../invoices/recompute.ts";
import { recordOperatorAct } from "../operator.ts";
import { parseInput } from "../validation.ts";
import {
  insertIntegration,
  integrationsOf,
  lockTenantFigures,
  markIntegrationDisconnected,
} from "./integration-queries.ts";

/** A payment integration as operators see it; the fields of completions §4. */
export interface OperatorIntegration {
  id: string;
  provider: PaymentIntegrationRow["provider"];
  status: PaymentIntegrationRow["status"];
  currencies: string[];
  created_at: string;
}

/** What an operator says of an integration. */
export const IntegrationInput = {
  provider: z.enum(["stripe", "sandbox"]),
  /** ISO 4217 codes it charges. */
  currencies: z
    .array(z.string().refine((code) => minorDigits(code) !== undefined, "must be an ISO 4217 code in capitals"))
    .min(1)
    .transform((codes) => [...new Set(codes)].sort()),
};

const Connect = z.strictObject(IntegrationInput);
const Disconnect = z.strictObject({ provider: IntegrationInput.provider });

/**
 * Connects a payment provider; what it can charge becomes collectible at once (completions §6). Throws
 * `validation_failed`, and `conflict` while the provider is connected.
 */
export async function connectIntegration(
  core: Core,
  tenantId: string,
  input: z.input<typeof Connect>,
): Promise<OperatorIntegration> {
  const { provider, currencies } = parseInput(Connect, input);
  return core.store.write(tenantId, async (tx) => {
    await lockTenantFigures(tx, tenantId);
    if ((await connectedOf(tx, tenantId, provider)) !== undefined)
      throw new ServiceError("conflict", "This provider is connected already. Disconnect it first.");
    const row: PaymentIntegrationRow = {
      tenant_id: tenantId,
      payment_integration_id: core.newId(),
      provider,
      status: "connected",
      currencies: currencies.join(" "),
      created_at: nowOf(core),
      secrets: null,
      api_base: null,
      account: null,
    };
    await insertIntegration(tx, row);
    await settle(tx, core, row, "connectIntegration");
    return asOperatorIntegration(row);
  });
}

/** Disconnects a payment provider; what only it could charge is not collectible any more. Throws `not_found`. */
export async function disconnectIntegration(
  core: Core,
  tenantId: string,
  input: z.input<typeof Disconnect>,
): Promise<OperatorIntegration> {
  const { provider } = parseInput(Disconnect, input);
  return core.store.write(tenantId, async (tx) => {
    await lockTenantFigures(tx, tenantId);
    const row = await connectedOf(tx, tenantId, provider);
    if (row === undefined) throw notFound("connected payment integration");
    await markIntegrationDisconnected(tx, tenantId, row.payment_integration_id);
    await settle(tx, core, row, "disconnectIntegration");
    return asOperatorIntegration({ ...row, status: "disconnected" });
  });
}

/** A workspace's integrations, disconnected ones too, oldest first. */
export async function listIntegrations(core: Pick<Core, "store">, tenantId: string): Promise<OperatorIntegration[]> {
  const rows = await core.store.read(tenantId, (tx) => integrationsOf(tx, tenantId));
  return rows.map(asOperatorIntegration);
}

async function connectedOf(
  tx: Transaction,
  tenantId: string,
  provider: PaymentIntegrationRow["provider"],
): Promise<PaymentIntegrationRow | undefined> {
  const rows = await integrationsOf(tx, tenantId);
  return rows.find((row) => row.provider === provider && row.status === "connected");
}

async function settle(tx: Transaction, core: Core, row: PaymentIntegrationRow, operation: string): Promise<void> {
  const { tenant_id: tenantId, payment_integration_id: objectId } = row;
  await recomputeTenant(tx, tenantId);
  await recordOperatorAct(tx, core, { tenantId, operation, objectType: "payment_integration", objectId });
}

function asOperatorIntegration(row: PaymentIntegrationRow): OperatorIntegration {
  const { payment_integration_id: id, provider, status, currencies, created_at } = row;
  return { id, provider, status, currencies: currencies.split(" "), created_at };
}
