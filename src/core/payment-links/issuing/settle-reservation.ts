import { insertAuditEntry } from "../../../store/audit.ts";
import type { Transaction } from "../../../store/store.ts";
import { UNCLAIMED } from "../../../store/work-queue.ts";
import { type Core, nowOf } from "../../gate/dependencies.ts";
import { ServiceError } from "../../gate/error.ts";
import { money, toMinor } from "../../shared/money.ts";
import { later } from "../../shared/work.ts";
import { configureTask } from "../../tasks/queries.ts";
import { cancelEmails, readyEmails } from "../emails/link-email-queries.ts";
import {
  clearWithdrawn,
  liveLinksOf,
  lockLinkedInstallments,
  lockLinkedInvoices,
  lockReservation,
  markActiveLinks,
  reservationLinks,
  type StoredLink,
  updateLink,
} from "../link-queries.ts";
import { refusalOfInstallment } from "../rules.ts";
import type { MintOutcome } from "./mint-links.ts";
import { Author } from "./reserve-links.ts";

/** How long whoever withdraws a link at its provider is believed to be at work on it. */
export const WITHDRAWING_MS = 60_000;

/**
 * Makes the links of a reservation real, in one transaction: they are `active` (one that was paid meanwhile is `paid`),
 * their invoices' open tasks are `configured`, and the audit entry is written. Confirming again changes nothing. Throws
 * ServiceError where they cannot be had: the provider refused, the reservation was given up meanwhile, a payment has left
 * less than they ask for, or an installment cannot be collected any more.
 */
export async function confirmReservation(
  tx: Transaction,
  core: Core,
  { tenantId, reservationId, outcome }: { tenantId: string; reservationId: string; outcome: MintOutcome },
): Promise<void> {
  if (outcome.refusal !== null) throw outcome.refusal;
  const links = await lockLinks(tx, tenantId, reservationId);
  if (links.some((link) => link.state === "withdrawn"))
    throw new ServiceError("conflict", "The request was given up meanwhile. Send it again.");
  const reserved = links.filter((link) => link.state === "reserved");
  if (reserved.length === 0) return;
  await assertStillDue(tx, tenantId, reserved);
  for (const link of reserved) {
    const made = outcome.minted.get(link.payment_link_id);
    if (made === undefined) throw new Error("a reserved link was not minted");
    await updateLink(tx, tenantId, link.payment_link_id, {
      state: link.paid_at === null ? "active" : "paid",
      provider_link_id: made.providerLinkId,
      url: made.url,
      ...UNCLAIMED,
      next_attempt_at: null,
      attempts: 0,
      reserved_by: null,
    });
  }
  await readyEmails(tx, tenantId, reserved.map(idOf));
  await cancelEmails(tx, tenantId, reserved.filter((link) => link.paid_at !== null).map(idOf));
  const made = reserved.filter((link) => link.created_by_kind !== "workflow");
  await clearWithdrawn(
    tx,
    tenantId,
    made.map((link) => link.installment_id),
  );
  const invoiceIds = [...new Set(reserved.map((link) => link.invoice_id))];
  await markActiveLinks(tx, tenantId, invoiceIds);
  for (const invoiceId of invoiceIds) await configureTask(tx, core, { tenantId, invoiceId });
  await auditReservation(tx, core, reserved, "succeeded");
}

/**
 * Takes a reservation back: its links never were. What the provider has, or may have, of them is left to be withdrawn
 * there; those ids are answered. Again changes nothing. Without an outcome nobody knows what the provider has.
 */
export async function withdrawReservation(
  tx: Transaction,
  core: Core,
  { tenantId, reservationId, outcome }: { tenantId: string; reservationId: string; outcome: MintOutcome | null },
): Promise<string[]> {
  const links = await lockLinks(tx, tenantId, reservationId);
  const reserved = links.filter((link) => link.state === "reserved");
  const due: string[] = [];
  for (const link of links) {
    const { payment_link_id: linkId } = link;
    const made = outcome?.minted.get(linkId);
    if (link.state !== "reserved" && (link.state !== "withdrawn" || made === undefined)) continue;
    const isDue = outcome === null || made !== undefined || outcome.unclear.has(linkId);
    if (isDue) due.push(linkId);
    await updateLink(tx, tenantId, linkId, {
      state: "withdrawn",
      provider_link_id: made?.providerLinkId ?? null,
      withdrawal_due: isDue,
      ...(isDue ? callerWithdraws(core, WITHDRAWING_MS) : { ...UNCLAIMED, next_attempt_at: null }),
      reserved_by: null,
    });
  }
  await cancelEmails(tx, tenantId, reserved.map(idOf));
  await auditReservation(tx, core, reserved, "failed");
  return due;
}

const idOf = (link: StoredLink): string => link.payment_link_id;

/** The lease of the caller that is about to withdraw a link at its provider; without `leaseMs` anybody may at once. */
export function callerWithdraws(core: Pick<Core, "clock">, leaseMs: number) {
  return { claim_id: null, lease_expires_at: leaseMs > 0 ? later(core, leaseMs) : null, next_attempt_at: nowOf(core) };
}

/** The links of a reservation, their invoices locked before them as everywhere. */
async function lockLinks(tx: Transaction, tenantId: string, reservationId: string): Promise<StoredLink[]> {
  const known = await reservationLinks(tx, tenantId, reservationId);
  const invoiceIds = [...new Set(known.map((link) => link.invoice_id))];
  const installmentIds = [...new Set(known.map((link) => link.installment_id))];
  await lockLinkedInvoices(tx, tenantId, invoiceIds);
  await lockLinkedInstallments(tx, tenantId, { invoiceIds, installmentIds });
  return lockReservation(tx, tenantId, reservationId);
}

/**
 * A payment that came in meanwhile may have left too little: live links never ask for more than is owed. And the ERP may
 * have taken the debt back, or somebody disputes it: what is not collectible any more is not asked for.
 */
async function assertStillDue(tx: Transaction, tenantId: string, links: readonly StoredLink[]): Promise<void> {
  const installmentIds = [...new Set(links.map((link) => link.installment_id))];
  const invoiceIds = [...new Set(links.map((link) => link.invoice_id))];
  const currencyOf = new Map(links.map((link) => [link.installment_id, link.currency]));
  const live = new Map(
    (await liveLinksOf(tx, tenantId, installmentIds)).map((row) => [row.installment_id, BigInt(row.total_minor)]),
  );
  const installments = await lockLinkedInstallments(tx, tenantId, { invoiceIds, installmentIds });
  for (const row of installments) {
    const owed = toMinor(money(row.collection_outstanding), currencyOf.get(row.installment_id) ?? "") ?? 0n;
    if ((live.get(row.installment_id) ?? 0n) > owed)
      throw new ServiceError(
        "conflict",
        `Installment ${row.installment_id} was paid or changed meanwhile. Read its invoice again.`,
      );
  }
  // What was paid already is the customer's doing, and is recorded.
  const unpaid = new Set(links.filter((link) => link.paid_at === null).map((link) => link.installment_id));
  for (const row of installments.filter(({ installment_id }) => unpaid.has(installment_id))) {
    const refusal = refusalOfInstallment(row, true);
    if (refusal?.code === "installment_not_collectible") throw new ServiceError(refusal.code, refusal.message);
  }
}

/** One entry for all links of a request: the link where there is one, the request where there are several. */
async function auditReservation(
  tx: Transaction,
  core: Core,
  links: readonly StoredLink[],
  outcome: "succeeded" | "failed",
): Promise<void> {
  const [first, ...more] = links;
  if (first === undefined || first.reserved_by === null) return;
  const author = Author.parse(JSON.parse(first.reserved_by));
  const single = more.length === 0;
  await insertAuditEntry(tx, {
    ...author,
    tenant_id: first.tenant_id,
    entry_id: core.newId(),
    at: nowOf(core),
    object_type: single ? "payment_link" : "payment_link_batch",
    object_id: single ? first.payment_link_id : first.reservation_id,
    outcome,
  });
}
