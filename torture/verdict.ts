import { setTimeout as sleep } from "node:timers/promises";
import type { Selectable } from "kysely";
import type { Core } from "../src/core/core.ts";
import { ServiceError } from "../src/core/error.ts";
import { fromMinor, money } from "../src/core/money.ts";
import { operate } from "../src/core/operator.ts";
import { settleReceiptByHand } from "../src/core/payments/settle-receipt-by-hand.ts";
import { receiptNumberOf } from "../src/gateways/erp/receipt-number.ts";
import { verifyAging } from "../src/store/aging-verify.ts";
import type { InstallmentRow, PaymentLinkRow, PaymentRow, SyncRunRow } from "../src/store/tables.ts";
import type { Fleet } from "../test/support/fleet.ts";
import { awakeMs } from "./awake.ts";
import type { Clock } from "./clock.ts";
import type { Load } from "./load.ts";
import type { Tally } from "./tally.ts";
import type { Tenant, World } from "./world.ts";

/** The longest the service is given to finish what it has taken on: a link nobody works on is held for two minutes. */
export const LONGEST_SETTLING_MS = 4 * 60_000;
const LOOK_MS = 1_000;
/** Jobs look for what is due every 5 s. */
const LONG_LOOK_MS = 12_000;
/** A receipt that the ERP did not take is pushed again after 15 minutes: time flies, once nothing else is left to do. */
const HASTE_MS = 16 * 60_000;
const UNHASTENED_MS = 20_000;

interface Rows {
  links: Selectable<PaymentLinkRow>[];
  payments: Selectable<PaymentRow>[];
  installments: Selectable<InstallmentRow>[];
  runs: Selectable<SyncRunRow>[];
  /** Installments whose invoice is no longer in the ERP. */
  retired: Set<string>;
  /** Rows by which the aging roll-up and the book differ. */
  agingDifferences: number;
}

interface Settling {
  readonly fleet: Fleet;
  readonly world: World;
  readonly load: Load;
  readonly tally: Tally;
  readonly clock: Clock;
  /** What a person does about work that waits for one. */
  readonly mend?: (core: Core, tenant: Tenant) => Promise<unknown>;
}

/**
 * Waits until the service has nothing left to do, then holds the store, the provider and the ERP against what callers
 * were told, and against each other. The embedded store is looked into between two lives of its process.
 */
export async function settle(settling: Settling): Promise<void> {
  const { fleet, world, load, tally, clock, mend = async () => undefined } = settling;
  const begun = awakeMs();
  const latest = begun + LONGEST_SETTLING_MS;
  const isEmbedded = "DATA_DIR" in world.environment;
  reportCrashes(fleet, tally);
  let hastened = 1;
  for (;;) {
    if (isEmbedded) await fleet.stop(0);
    const left = await world.withCore(async (core) => {
      for (const tenant of world.tenants) await settleByHand(core, tenant, load);
      const found = await leftIn(core, world, load);
      if (awakeMs() > begun + UNHASTENED_MS) for (const tenant of world.tenants) await mend(core, tenant);
      if (found.length === 0 || awakeMs() > latest) await judge(core, world, load, tally);
      return found;
    });
    if (left.length === 0 || awakeMs() > latest) return;
    tally.stage = `${left.length} left for the service to do: ${left[0]}`;
    if (isEmbedded) await fleet.start(0);
    // A pull under way is not hastened: its worker would be believed dead.
    if (awakeMs() > begun + UNHASTENED_MS && left.every((one) => !one.startsWith("run ")))
      clock.set(hastened++ * HASTE_MS);
    await sleep(isEmbedded || hastened > 1 ? LONG_LOOK_MS : LOOK_MS);
  }
}

/** A process that is not there any more, though nobody ended it, is an accident of its own. */
function reportCrashes(fleet: Fleet, tally: Tally): void {
  for (let place = 0; place < fleet.size; place += 1) {
    const { child, stderr } = fleet.at(place);
    if (child.exitCode !== null || child.signalCode !== null)
      tally.count("lost", `process ${place} ended by itself: ${stderr().slice(-600)}`);
  }
}

async function leftIn(core: Core, world: World, load: Load): Promise<string[]> {
  const left: string[] = [];
  for (const tenant of world.tenants) left.push(...unfinished(await rowsOf(core, tenant), tenant, load));
  return left;
}

/**
 * What people do about receipts that wait for them (completions §12): those that were entered in the ERP by hand, and what
 * became known so late that nobody has pushed it.
 */
async function settleByHand(core: Core, tenant: Tenant, { beside }: Load): Promise<void> {
  const { payments } = await rowsOf(core, tenant);
  for (const { payment_id: paymentId, erp_push_status: status, installment_id } of payments) {
    const part = tenant.parts.find(({ installmentId }) => installmentId === installment_id);
    const known = beside.enteredFor(tenant, paymentId);
    if (part === undefined || (status !== "held" && (status !== "failed" || known === undefined))) continue;
    const { number: receiptNumber } = known ?? beside.enter(tenant, part, paymentId);
    await operate(core, tenant.id, settleReceiptByHand, { paymentId, receiptNumber }).catch((error) => {
      // It is being pushed at this moment: the next look finds what came of that.
      if (!(error instanceof ServiceError)) throw error;
    });
  }
}

function unfinished({ links, payments, runs }: Rows, tenant: Tenant, { beside }: Load): string[] {
  const done = ["applied", "not_required"];
  return [
    ...links
      .filter((row) => row.state === "reserved" || row.withdrawal_due)
      .map((row) => `link ${row.payment_link_id}`),
    ...payments
      .filter((row) => !done.includes(row.erp_push_status ?? "not_required"))
      .map((row) => `payment ${row.payment_id} is ${row.erp_push_status}: ${row.erp_push_error ?? ""}`),
    ...runs.filter((row) => row.status === "running").map((row) => `run ${row.sync_run_id}`),
    ...paidAt(tenant)
      .filter((id) => payments.every((row) => row.provider_payment_id !== id))
      .map((id) => `payment ${id} of the provider`),
    ...payments
      .filter(
        ({ provider_payment_id: id, refunded_minor }) =>
          BigInt(refunded_minor) !== (beside.refunded.get(id ?? "") ?? 0n),
      )
      .map((row) => `payment ${row.payment_id}: refunded ${row.refunded_minor}`),
    ...payments
      .filter(({ provider_payment_id: id, disputed }) => disputed !== (beside.disputed.get(id ?? "") ?? false))
      .map((row) => `payment ${row.payment_id}: disputed ${row.disputed}`),
  ];
}

async function judge(core: Core, world: World, load: Load, tally: Tally): Promise<void> {
  for (const tenant of world.tenants) {
    const rows = await rowsOf(core, tenant);
    for (const left of unfinished(rows, tenant, load)) tally.count("lost", `${left}, unfinished`);
    judgeLinks(tenant, rows, load, tally);
    judgeDebts(rows, tally);
    judgeMoney(tenant, rows, load, tally);
    const runs = new Set(rows.runs.map((row) => row.sync_run_id));
    for (const run of load.runs)
      if (run.tenant === tenant && !runs.has(run.id)) tally.count("lost", `the run ${run.id}`);
    for (const { tenant: whose, id } of load.lastRuns) {
      const run = rows.runs.find((row) => row.sync_run_id === id);
      if (whose === tenant && run?.status !== "succeeded") tally.count("lost", `the last pull: ${run?.error_code}`);
    }
    const standing = new Set(
      rows.installments.filter((row) => row.removed_at === null).map((row) => row.installment_id),
    );
    for (const { installmentId } of tenant.parts)
      if (!standing.has(installmentId) || rows.retired.has(installmentId))
        tally.count("lost", `the part ${installmentId}`);
    for (let n = 0; n < rows.agingDifferences; n += 1) tally.count("lost", "a row of the aging roll-up");
  }
  for (const { id, link, status } of load.beside.checkouts)
    if (!link.active && status === "open") tally.count("lost", `the end of the checkout ${id}`);
  tally.notes.push(load.beside.note);
}

/** No link outlives its debt (completions §12). */
function judgeDebts({ links, installments }: Rows, tally: Tally): void {
  const partOf = new Map(installments.map((row) => [row.installment_id, row]));
  for (const { state, payment_link_id: id, installment_id, amount } of links) {
    const part = partOf.get(installment_id);
    if (state !== "active" || part === undefined) continue;
    if (part.disputed || money(amount).greaterThan(money(part.collection_outstanding)))
      tally.count("lost", `${id} asks ${amount} of ${part.collection_outstanding}, ${part.not_collectible_reason}`);
  }
}

function judgeLinks(tenant: Tenant, { links }: Rows, { requests }: Load, tally: Tally): void {
  const rowOf = new Map(links.map((row) => [row.payment_link_id, row]));
  for (const { tenant: whose, linkId, part, fate } of requests) {
    if (whose !== tenant || linkId === null) continue;
    const row = rowOf.get(linkId);
    const wanted = { stands: "active", withdrawing: "", withdrawn: "deactivated", paid: "paid", ended: "deactivated" }[
      fate
    ];
    if (row === undefined || row.installment_id !== part.installmentId) tally.count("lost", `the link ${linkId}`);
    else if (wanted !== "" && row.state !== wanted)
      tally.count("lost", `${linkId} is ${row.state}, not ${wanted}: it was ${fate}`);
  }
  const real = links.filter(({ state }) => state !== "withdrawn");
  for (const [part, rows] of Map.groupBy(real, (row) => row.installment_id))
    if (rows.length > 1) tally.count("doubled", `links of ${part}: ${rows.length}`);
  const told = new Set(requests.map(({ linkId }) => linkId));
  for (const row of real)
    if (!told.has(row.payment_link_id)) tally.count("lost", `nobody was told of ${row.payment_link_id}`);
  judgeProvider(tenant, rowOf, tally);
}

function judgeProvider(tenant: Tenant, rowOf: Map<string, Selectable<PaymentLinkRow>>, tally: Tally): void {
  const known = new Set(tenant.parts.map((part) => part.installmentId));
  const atProvider = Map.groupBy(tenant.stripe.links, ({ metadata }) => Object.values(metadata)[0] ?? "");
  for (const [id, made] of atProvider) {
    const row = rowOf.get(id);
    if (row === undefined) {
      tally.count("lost", `the row of the provider's ${id}`);
      continue;
    }
    if (!known.has(row.installment_id)) tally.count("crossTenant", `the provider has ${id}`);
    if (row.state !== "withdrawn" && made.length > 1) tally.count("doubled", `${id} at the provider: ${made.length}`);
    const isOpen = made.some(({ active }) => active);
    if (isOpen && ["deactivated", "withdrawn"].includes(row.state)) tally.count("lost", `the withdrawal of ${id}`);
    if (!isOpen && row.state === "active") tally.count("lost", `the provider's ${id}`);
  }
  for (const row of rowOf.values())
    if (row.state === "active" && !atProvider.has(row.payment_link_id))
      tally.count("lost", `${row.payment_link_id} at the provider`);
}

function judgeMoney(tenant: Tenant, { payments, installments }: Rows, { beside }: Load, tally: Tally): void {
  for (const [id, rows] of Map.groupBy(payments, (row) => row.provider_payment_id))
    if (rows.length > 1) tally.count("doubled", `the payment ${id}: ${rows.length}`);
  const paid = new Set(paidAt(tenant));
  for (const row of payments)
    if (row.provider_payment_id !== null && !paid.has(row.provider_payment_id))
      tally.count("crossTenant", `nobody paid ${row.provider_payment_id} here`);
  const receipts = Map.groupBy(tenant.erp.receipts, ({ receiptNumber }) => receiptNumber ?? "");
  for (const row of payments) {
    const made = receipts.get(receiptNumberOf(row.payment_id)) ?? [];
    const byHand = beside.enteredFor(tenant, row.payment_id) !== undefined;
    if (made.length > (byHand ? 0 : 1))
      tally.count("doubled", `receipts of ${row.payment_id}: ${made.length}, entered by hand ${byHand}`);
    if (made.length === 0 && !byHand) tally.count("lost", `the receipt of ${row.payment_id}`);
    const applied = made.flatMap((receipt) => receipt.applications);
    if (applied.length > 1) tally.count("doubled", `applications of ${row.payment_id}: ${applied.length}`);
    receipts.delete(receiptNumberOf(row.payment_id));
  }
  for (const { number } of beside.enteredOf(tenant)) receipts.delete(number);
  for (const number of receipts.keys()) tally.count("crossTenant", `the ERP has a receipt ${number}`);
  const collected = Map.groupBy(payments, (row) => row.installment_id);
  const direct = beside.enteredOf(tenant).filter(({ paymentId }) => paymentId === null);
  const paidDirectly = new Map(direct.map(({ part }) => [part.installmentId, BigInt(part.amountMinor)]));
  for (const row of installments) {
    const paid = (collected.get(row.installment_id) ?? []).reduce(
      (sum, one) => sum + BigInt(one.amount_minor ?? 0),
      paidDirectly.get(row.installment_id) ?? 0n,
    );
    const left = money(row.original_amount ?? "0").minus(fromMinor(paid, "USD") ?? money("0"));
    if (!left.equals(money(row.collection_outstanding)))
      tally.count("lost", `${row.installment_id} owes ${row.collection_outstanding}, not ${left.toFixed()}`);
  }
}

function rowsOf({ store }: Core, { id: tenantId }: Tenant): Promise<Rows> {
  return store.read(tenantId, async (tx) => ({
    links: await tx.selectFrom("payment_links").selectAll().where("tenant_id", "=", tenantId).execute(),
    payments: await tx.selectFrom("payments").selectAll().where("tenant_id", "=", tenantId).execute(),
    installments: await tx.selectFrom("installments").selectAll().where("tenant_id", "=", tenantId).execute(),
    runs: await tx.selectFrom("sync_runs").selectAll().where("tenant_id", "=", tenantId).execute(),
    retired: new Set(
      (
        await tx
          .selectFrom("installments")
          .innerJoin("invoices", (join) =>
            join
              .onRef("invoices.invoice_id", "=", "installments.invoice_id")
              .onRef("invoices.tenant_id", "=", "installments.tenant_id"),
          )
          .select("installments.installment_id")
          .where("installments.tenant_id", "=", tenantId)
          .where("invoices.retired_at", "is not", null)
          .execute()
      ).map((row) => row.installment_id),
    ),
    agingDifferences: (await verifyAging(tx, tenantId)).differences,
  }));
}

/** The provider's ids of everything customers have paid. */
function paidAt({ stripe }: Tenant): string[] {
  const paid = stripe.events.filter(({ type }) => type === "payment_intent.succeeded");
  return paid.map(({ payload }) => JSON.parse(payload).data.object.id);
}
