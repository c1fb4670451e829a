import { z } from "zod";
import type { Transaction } from "../../store/store.ts";
import type { PaymentIntegrationRow } from "../../store/tables/payments.ts";
import { ADMINS_READ, type Manager, operation, type RunContext } from "../gate/operation.ts";
import { notFound, ServiceError } from "../kernel/error.ts";
import { Instant } from "../kernel/wire-types.ts";
import { integrationsOf, updateIntegration } from "../provider-access/integration-queries.ts";
import { integrationOnWire, PaymentIntegration } from "../provider-access/schema.ts";

/** A payment integration as operators see it: the fields of completions §4, and how its events are read. */
export const OperatorIntegration = PaymentIntegration.extend({
  events_read_to: Instant.nullable().describe("The provider's list of events was read up to here"),
  events_problem: z.string().nullable().describe("Why that list could not be read the last time"),
  forgotten_at: Instant.nullable().describe("Since then nothing of it vouches for a payment"),
});
export type OperatorIntegration = z.output<typeof OperatorIntegration>;

/** A row as operators see it. */
export function asOperatorIntegration(row: PaymentIntegrationRow) {
  const { events_read_to, events_problem, forgotten_at } = row;
  return { ...integrationOnWire(row), events_read_to, events_problem, forgotten_at };
}

/** A workspace's integrations, the latest disconnected ones too, oldest first. */
export const listIntegrations = operation({
  id: "listIntegrations",
  summary: "The payment integrations of a workspace",
  ...ADMINS_READ,
  input: z.strictObject({}),
  output: z.array(OperatorIntegration),
  run: async ({ tx, actor }) => (await integrationsOf(tx, actor.tenantId)).map(asOperatorIntegration),
});

/** The workspace's connected integration of a provider. */
export async function connectedOf(tx: Transaction, tenantId: string, provider: PaymentIntegrationRow["provider"]) {
  const rows = await integrationsOf(tx, tenantId);
  return rows.find((row) => row.provider === provider && row.status === "connected");
}

/** The integration that the input names; forgotten ones do not count. Throws `not_found`, and `conflict` for several. */
export function theOne(
  rows: readonly PaymentIntegrationRow[],
  { provider, integration }: { provider: PaymentIntegrationRow["provider"]; integration?: string | undefined },
) {
  const known = rows.filter((row) => row.provider === provider && row.forgotten_at === null);
  const meant = integration === undefined ? known : known.filter((row) => row.payment_integration_id === integration);
  const [row, ...others] = meant;
  if (row === undefined) throw notFound("payment integration");
  if (others.length === 0) return row;
  const ids = meant.map((one) => `${one.payment_integration_id} (${one.status})`).join(", ");
  throw new ServiceError("conflict", `There are several: say which one, by its id: ${ids}.`);
}

/** Changes an integration, and names it for the audit trail. */
export async function changeIntegration(
  { tx, audit }: RunContext<Manager>,
  row: PaymentIntegrationRow,
  set: Parameters<typeof updateIntegration>[2],
) {
  const { tenant_id: tenantId, payment_integration_id: id } = row;
  await updateIntegration(tx, { tenantId, paymentIntegrationId: id }, set);
  audit({ type: "payment_integration", id });
  return asOperatorIntegration({ ...row, ...set });
}
