import type { Selectable } from "kysely";
import type { Core } from "../src/core/gate/dependencies.ts";
import { fromMinor, money } from "../src/core/kernel/money.ts";
import { receiptNumberOf } from "../src/gateways/erp/receipt-number.ts";
import type { PaymentLinkRow } from "../src/store/tables/payment-links.ts";
import { judgeMails } from "./judge-mails.ts";
import type { Load } from "./load.ts";
import { paidAt, type Rows, rowsOf } from "./rows.ts";
import type { Tally } from "./tally.ts";
import type { Tenant } from "./tenant.ts";
import { unfinished } from "./unfinished.ts";
import type { World } from "./world.ts";

/** Holds the store, the provider, the ERP and the mailboxes against what callers were told, and against each other. */
export async function judge(core: Core, world: World, load: Load, tally: Tally): Promise<void> {
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
  await judgeMails(core, world.mailing, tally);
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
