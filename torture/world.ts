import { randomUUID } from "node:crypto";
import { createApiKey } from "../auth/api-keys/create-api-key.ts";
import { addMember } from "../auth/members/add-member.ts";
import { systemClock } from "../src/core/calendar.ts";
import type { Core } from "../src/core/core.ts";
import { connectErp } from "../src/core/erp-connections/manage-connections.ts";
import { updateConnection } from "../src/core/erp-connections/settings-queries.ts";
import { operate } from "../src/core/operator.ts";
import { connectIntegration } from "../src/core/payment-integrations/manage-integrations.ts";
import { paymentProviders } from "../src/core/payment-integrations/payment-providers.ts";
import { Secrets } from "../src/core/secrets.ts";
import { claimRuns } from "../src/core/sync-runs/lead-run.ts";
import { connectErp as erpGateway } from "../src/gateways/erp/index.ts";
import { toItem } from "../src/gateways/erp/simulator/book-invoice.ts";
import { createFusionSimulator, type FusionItem, type FusionSimulator } from "../src/gateways/erp/simulator/index.ts";
import { createStripeSimulator, type StripeSimulator } from "../src/gateways/payments/stripe-simulator/index.ts";
import { pullInvoices } from "../src/jobs/pull-invoices.ts";
import type { Store } from "../src/store/store.ts";
import { FLEET_KEY } from "../test/support/fleet.ts";
import { type Location, openAt } from "../test/support/location.ts";
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

/** Everybody around the service, and the store it stands on. */
export interface World {
  readonly tenants: [Tenant, ...Tenant[]];
  readonly environment: Readonly<Record<string, string>>;
  /** Where a tenant's provider tells of payments: behind the service's address, whichever it is. */
  tellAt(origin: string): void;
  /** Looks into the store beside the service; on the embedded one, once the service has ended. */
  withCore<T>(look: (core: Core) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly tenants?: number;
  /** Of each tenant. */
  readonly parts: number;
  /** Where the service finds a tenant's ERP; at the simulator itself without a word. */
  readonly erpAt?: (simulator: string) => Promise<string>;
  /** The same of its payment provider. */
  readonly providerAt?: (simulator: string) => Promise<string>;
}

export const PASSWORD = "correct horse battery staple";
const WEBHOOK_SECRET = "whsec_torture";
const PARTS_OF_AN_INVOICE = 3;
/** Its receipts are pushed, or entered in the ERP and settled by hand, by people. */
const HOLDING_TENANT = 1;
/** What bounds the pools of a run that looks on. */
const LOOKING_ON = { poolSize: 4 };

function coreOf(store: Store): Core {
  const secrets = new Secrets(FLEET_KEY);
  const silent = (): void => undefined;
  const payments = paymentProviders({ secrets, clock: systemClock, sandboxAt: null });
  const log = { info: silent, warn: silent, error: silent };
  return { store, clock: systemClock, newId: randomUUID, secrets, log, payments };
}

/** Makes a world on an empty store: tenants with a pulled book each, whose parts nobody has asked a payment for yet. */
export async function makeWorld(location: Location, options: WorldOptions): Promise<World> {
  const store = await openAt(location, LOOKING_ON);
  const tenants: Tenant[] = [];
  try {
    const core = coreOf(store);
    for (let n = 0; n < (options.tenants ?? 3); n += 1) tenants.push(await makeTenant(core, n, options));
  } finally {
    await store.close();
  }
  const [first, ...rest] = tenants;
  if (first === undefined) throw new Error("a world has a tenant");
  const close = async (): Promise<void> => {
    await Promise.all(tenants.flatMap(({ erp, stripe }) => [erp.close(), stripe.close()]));
  };
  return {
    tenants: [first, ...rest],
    environment: "dataDir" in location ? { DATA_DIR: location.dataDir } : { DATABASE_URL: location.databaseUrl },
    tellAt(origin) {
      for (const { stripe, integrationId } of tenants)
        stripe.setWebhook({ url: `${origin}/webhooks/stripe/${integrationId}`, secret: WEBHOOK_SECRET });
    },
    async withCore(look) {
      const opened = await openAt(location, LOOKING_ON);
      try {
        return await look(coreOf(opened));
      } finally {
        await opened.close();
      }
    },
    close,
  };
}

const itself = async (simulator: string): Promise<string> => simulator;

async function makeTenant(
  core: Core,
  n: number,
  { parts, erpAt = itself, providerAt = itself }: WorldOptions,
): Promise<Tenant> {
  const id = randomUUID();
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
  await core.store.system((tx) => tx.insertInto("tenants").values(made).execute());
  const { id: connectionId } = await connectErp(core, id, {
    provider: "oracle_fusion",
    url: erpUrl,
    username: "integration",
    password: "a password",
    autoSync: false,
  });
  const keys = { secretKey: `sk_test_${n}`, webhookSecret: WEBHOOK_SECRET };
  const { id: integrationId } = await connectIntegration(core, id, {
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
      updateConnection(tx, { tenantId: id, connectionId }, { payment_push_mode: "held" }),
    );
  return { id, marker, key, email, erp, stripe, connectionId, integrationId, holds, parts: await partsOf(core, id) };
}

const partyOf = (n: number): bigint => 300100500000000000n + BigInt(n);

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
  return toItem({ ...head, installments }, "Vision Operations");
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

async function pull(core: Core, tenantId: string, connectionId: string): Promise<void> {
  const syncRunId = await startSync(core, tenantId, connectionId);
  const runs = await claimRuns(core, { workerId: randomUUID(), leaseMs: 60_000, limit: 10 });
  const led = runs.find(({ run }) => run.sync_run_id === syncRunId);
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
