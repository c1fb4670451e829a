import { randomUUID } from "node:crypto";
import { createApiKey } from "../auth/api-keys/create-api-key.ts";
import { addMember } from "../auth/members/add-member.ts";
import { updateConnection } from "../src/core/erp-access/connection-queries.ts";
import { connectErp } from "../src/core/erp-connections/operations/connect-erp.ts";
import type { Core } from "../src/core/gate/dependencies.ts";
import { operate } from "../src/core/gate/operator.ts";
import { connectIntegration } from "../src/core/payment-integrations/operations/connect-integration.ts";
import { claimRuns } from "../src/core/sync-runs/claim-runs.ts";
import { insertWorkspace } from "../src/core/workspace/workspace-queries.ts";
import { erpGateway } from "../src/gateways/erp/index.ts";
import { pullInvoices } from "../src/jobs/pull-invoices.ts";
import { toItem } from "../src/simulators/fusion/book-invoice.ts";
import { createFusionSimulator, type FusionItem, type FusionSimulator } from "../src/simulators/fusion/index.ts";
import { createStripeSimulator, type StripeSimulator } from "../src/simulators/stripe/index.ts";
import { everyRow } from "../test/support/every-row.ts";
import { startSync } from "../test/support/sync.ts";

/** A debt that a link can be made for, once. */
export interface Part {
  readonly invoiceId: string;
  readonly invoiceNumber: string;
  /** Of the invoice's installments, from 1. */
  readonly sequence: number;
  readonly installmentId: string;
  readonly amountMinor: number;
}

/** A workspace, the ERP and the payment provider it works with, and who works in it. */
export interface Tenant {
  readonly id: string;
  /** Begins its invoices' numbers and its customers' names, and nobody else's. */
  readonly marker: string;
  /** An API key that may do everything. */
  readonly key: string;
  readonly email: string;
  readonly erp: FusionSimulator;
  readonly stripe: StripeSimulator;
  readonly connectionId: string;
  readonly integrationId: string;
  /** Its receipts wait for a person. */
  readonly holds: boolean;
  readonly parts: readonly Part[];
}

export interface TenantOptions {
  /** Of each tenant. */
  readonly parts: number;
  /** The id of the nth tenant; any without a word. */
  readonly idOf?: (n: number) => Promise<string>;
  /** Where the service finds a tenant's ERP; at the simulator itself without a word. */
  readonly erpAt?: (simulator: string) => Promise<string>;
  /** The same of its payment provider. */
  readonly providerAt?: (simulator: string) => Promise<string>;
}

export const PASSWORD = "correct horse battery staple";
export const WEBHOOK_SECRET = "whsec_torture";
export const BUSINESS_UNIT = "Vision Operations";
const PARTS_OF_AN_INVOICE = 3;
/** Its receipts are pushed, or entered in the ERP and settled by hand, by people. */
const HOLDING_TENANT = 1;

const itself = async (simulator: string): Promise<string> => simulator;

/** The nth workspace, with a pulled book. */
export async function makeTenant(
  core: Core,
  n: number,
  { parts, idOf = async () => randomUUID(), erpAt = itself, providerAt = itself }: TenantOptions,
): Promise<Tenant> {
  const id = await idOf(n);
  const marker = `T${n}of-${id.slice(0, 8)}`;
  const erp = createFusionSimulator({
    receiptMethods: ["Payment Link"],
    invoices: invoicesOf(marker, n, parts),
    accounts: [{ PartyId: partyOf(n), PrimaryContactName: marker, PrimaryContactEmail: `ap@${marker}.example` }],
  });
  const stripe = createStripeSimulator({ secretKey: `sk_test_${n}`, own: `acct_${n}` });
  const erpUrl = await erpAt(await erp.listen());
  const apiBase = await providerAt(await stripe.listen());
  const tenant = { tenant_id: id, name: `${marker} Ltd`, timezone: "UTC", api_access: true, assistant_access: true };
  const made = { ...tenant, created_at: core.clock.now().toISOString() };
  await everyRow(core.store, (tx) => insertWorkspace(tx, made));
  const { id: connectionId } = await operate(core, id, connectErp, {
    provider: "oracle_fusion",
    url: erpUrl,
    username: "integration",
    password: "a password",
    autoSync: false,
  });
  const keys = { secretKey: `sk_test_${n}`, webhookSecret: WEBHOOK_SECRET };
  const { id: integrationId } = await operate(core, id, connectIntegration, {
    provider: "stripe",
    currencies: ["USD"],
    keys,
    apiBase,
  });
  const email = `person@${marker.toLowerCase()}.example`;
  await operate(core, id, addMember, { email, role: "admin", password: PASSWORD });
  const { key } = await operate(core, id, createApiKey, { name: "torture", permission: "admin" });
  await pull(core, id, connectionId);
  const holds = n === HOLDING_TENANT;
  if (holds)
    await core.store.write(id, (tx) =>
      updateConnection(tx, { tenant_id: id, connection_id: connectionId }, { payment_push_mode: "held" }),
    );
  return { id, marker, key, email, erp, stripe, connectionId, integrationId, holds, parts: await partsOf(core, id) };
}

/** The first customer of the nth tenant; it has room for a thousand others. */
export const partyOf = (n: number): bigint => 300100500000000000n + BigInt(n) * 1_000n;

function* invoicesOf(marker: string, n: number, parts: number) {
  for (let made = 0; made < parts; made += PARTS_OF_AN_INVOICE) yield invoiceOf(marker, n, made);
}

interface Changed {
  /** What is off an installment's balance, in minor units. */
  readonly settled?: (erpInstallmentId: string) => bigint;
  /** The sequences of the installments that are disputed. */
  readonly disputed?: ReadonlySet<number>;
}

function invoiceOf(marker: string, n: number, made: number, { settled = () => 0n, disputed }: Changed = {}) {
  const customer = { partyId: partyOf(n), number: `${marker}-1`, name: `${marker} Globex` };
  const id = 300100180000000000n + BigInt(n) * 1_000_000_000n + BigInt(made) * 100n;
  const installments = [1, 2, 3].map((month) => {
    const amountMinor = 10_000n + BigInt(made * 10 + month);
    const balanceMinor = amountMinor - settled(String(id + BigInt(month)));
    const disputedMinor = disputed?.has(month) ? { disputedMinor: amountMinor } : {};
    return { dueDate: `2026-0${month}-28`, amountMinor, balanceMinor, ...disputedMinor };
  });
  const head = { id, number: `${marker}-${made}`, customer, currency: "USD", date: "2026-01-01", terms: null };
  return toItem({ ...head, installments }, BUSINESS_UNIT);
}

/** A part's invoice as the ERP has it now, with those of its installments disputed, and no other. */
export function disputedInvoice(
  { marker, erp }: Tenant,
  { invoiceNumber }: Part,
  disputed: ReadonlySet<number>,
): FusionItem {
  const applications = erp.receipts.flatMap((receipt) => receipt.applications);
  const settled = (id: string): bigint =>
    applications
      .filter(({ installmentId }) => installmentId === id)
      .reduce((sum, { amount }) => sum + BigInt(Math.round(Number(amount) * 100)), 0n);
  const made = Number(invoiceNumber.slice(marker.length + 1));
  return invoiceOf(marker, Number(marker.slice(1, marker.indexOf("of"))), made, { settled, disputed });
}

/** Pulls once, with nobody else at work. */
export async function pull(core: Core, tenantId: string, connectionId: string): Promise<void> {
  const syncRunId = await startSync(core, tenantId, connectionId);
  const runs = await claimRuns(core, { leaseMs: 60_000, limit: 10 });
  const led = runs.find((run) => run.sync_run_id === syncRunId);
  if (led === undefined) throw new Error("the first pull was not to be had");
  await pullInvoices(core, erpGateway, led, new AbortController().signal);
}

async function partsOf(core: Core, tenantId: string): Promise<Part[]> {
  const rows = await core.store.read(tenantId, (tx) =>
    tx
      .selectFrom("installments")
      .innerJoin("invoices", (join) =>
        join
          .onRef("invoices.invoice_id", "=", "installments.invoice_id")
          .onRef("invoices.tenant_id", "=", "installments.tenant_id"),
      )
      .select(["installments.invoice_id", "installment_id", "original_amount", "sequence_number", "invoice_number"])
      .where("installments.tenant_id", "=", tenantId)
      .orderBy("original_amount")
      .execute(),
  );
  return rows.map((row) => ({
    invoiceId: row.invoice_id,
    invoiceNumber: row.invoice_number ?? "",
    sequence: row.sequence_number ?? 1,
    installmentId: row.installment_id,
    amountMinor: Math.round(Number(row.original_amount) * 100),
  }));
}
