import { UNCLAIMED } from "../../../store/work-queue.ts";
import { lockInvoices } from "../../collection/collection-queries.ts";
import type { AnyActor } from "../../gate/actor.ts";
import { KeptAuthor } from "../../gate/author.ts";
import type { Core } from "../../gate/dependencies.ts";
import { RETRY, retryAt } from "../../gate/retry.ts";
import type { RunContext } from "../../gate/run-context.ts";
import { workStep } from "../../gate/work-step.ts";
import { conflictOf, ServiceError } from "../../kernel/error.ts";
import { money } from "../../kernel/money.ts";
import { configureTask } from "../../tasks/state-queries.ts";
import { cancelEmails, readyEmails } from "../emails/link-email-queries.ts";
import {
  callerWithdraws,
  clearWithdrawn,
  linkedInstallments,
  liveLinksOf,
  markActiveLinks,
  reservationLinks,
  retryReservation,
  type StoredLink,
  updateLink,
} from "../link-queries.ts";
import { withdrawAtProvider } from "../withdrawing/withdraw-links.ts";
import { ineligibilityOf } from "./locked-book.ts";
import { type MintOutcome, mintReservation } from "./mint-links.ts";

/** How long the worker that withdraws a link at its provider is believed to be at work on it. */
export const WITHDRAWING_MS = 60_000;

/** A reservation, and how its links fared at the provider; null where nobody knows. */
interface Ending<O extends MintOutcome | null> {
  readonly reservationId: string;
  readonly outcome: O;
}

/** The transaction that a reservation ends in, of a caller's request or of a job. */
type Context = Pick<RunContext<AnyActor>, "actor" | "tx" | "core" | "audit">;

/**
 * Finishes what a reservation began, where nobody waits for it: its links are made at the provider and confirmed, or
 * withdrawn; both again change nothing. Throws UnclearMint while nobody can tell, and ServiceError once it came to nothing.
 */
export async function finishReservation(core: Core, tenantId: string, reservationId: string) {
  const outcome = await mintReservation(core, tenantId, reservationId, { again: true });
  try {
    await confirm(core, tenantId, { reservationId, outcome });
  } catch (error) {
    if (error instanceof ServiceError) await giveUpReservation(core, tenantId, { reservationId, outcome });
    throw error;
  }
}

/** Withdraws a reservation, at the provider too as far as it can be told now. */
export async function giveUpReservation(core: Core, tenantId: string, ending: Ending<MintOutcome | null>) {
  await withdrawAtProvider(core, tenantId, await withdraw(core, tenantId, ending));
}

/**
 * Gives the lease on a reservation back after an attempt that failed unexpectedly: another worker finishes it soon. Never
 * rejects: where even this fails, the lease runs out by itself.
 */
export async function releaseReservation(
  core: Core,
  { tenantId, reservationId, attempts }: { tenantId: string; reservationId: string; attempts: number },
) {
  const at = retryAt(core, RETRY.unexpected, attempts);
  await release(core, tenantId, { reservationId, at }).catch((error: unknown) =>
    core.log.warn({ tenantId, reservationId, err: error }, "payment_link.lease.not_released"),
  );
}

const release = workStep({
  name: "releaseReservation",
  run: ({ tx, actor }, due: { reservationId: string; at: string }) => retryReservation(tx, actor.tenantId, due),
});

/**
 * Makes the links of a reservation real, in one transaction: they are `active` (one that was paid meanwhile is `paid`),
 * their invoices' open tasks are `configured`, and the audit entry is written. Confirming again changes nothing. Throws
 * ServiceError where they cannot be had: the provider refused, the reservation was given up meanwhile, a payment has left
 * less than they ask for, or an installment cannot be collected any more.
 */
export async function confirmReservation(context: Context, { reservationId, outcome }: Ending<MintOutcome>) {
  const { tx, core, actor } = context;
  const { tenantId } = actor;
  if (outcome.refusal !== null) throw outcome.refusal;
  const { links, ...debts } = await lockReservation(tx, tenantId, reservationId);
  if (links.some((link) => link.state === "withdrawn"))
    throw new ServiceError("conflict", "The request was given up meanwhile. Send it again.", { retryAfterSeconds: 1 });
  const reserved = links.filter((link) => link.state === "reserved");
  if (reserved.length === 0) return;
  await assertStillDue(tx, tenantId, reserved, debts);
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
  await clearWithdrawn(tx, tenantId, made.map(installmentOf));
  const invoiceIds = new Set(reserved.map((link) => link.invoice_id));
  await markActiveLinks(tx, tenantId, [...invoiceIds]);
  for (const invoiceId of invoiceIds) await configureTask(tx, core, { tenantId, invoiceId });
  auditReservation(context, reserved, "succeeded");
}

const confirm = workStep({ name: "confirmReservation", run: confirmReservation });

/**
 * Takes a reservation back: its links never were. What the provider has, or may have, of them is left to be withdrawn
 * there; those ids are answered. Again changes nothing. Without an outcome nobody knows what the provider has.
 */
export async function withdrawReservation(context: Context, { reservationId, outcome }: Ending<MintOutcome | null>) {
  const { tx, core, actor } = context;
  const { tenantId } = actor;
  const { links } = await lockReservation(tx, tenantId, reservationId);
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
  auditReservation(context, reserved, "failed");
  return due;
}

const idOf = (link: StoredLink) => link.payment_link_id;

const withdraw = workStep({ name: "withdrawReservation", run: withdrawReservation });

const installmentOf = (link: StoredLink) => link.installment_id;

/** The links of a reservation, with their invoices and installments, which are locked before them as everywhere. */
async function lockReservation(tx: Context["tx"], tenantId: string, reservationId: string) {
  const known = await reservationLinks(tx, tenantId, reservationId);
  const invoiceIds = known.map((link) => link.invoice_id);
  const invoices = await lockInvoices(tx, tenantId, invoiceIds);
  const installmentIds = known.map(installmentOf);
  const installments = await linkedInstallments(tx, tenantId, { invoiceIds, installmentIds, lock: true });
  return { invoices, installments, links: await reservationLinks(tx, tenantId, reservationId, { lock: true }) };
}

type Debts = Omit<Awaited<ReturnType<typeof lockReservation>>, "links">;

/**
 * A payment that came in meanwhile may have left too little: live links never ask for more than is owed. And the ERP may
 * have taken the debt back, or changed its currency, or somebody disputes it: what is not collectible any more is not asked for.
 */
async function assertStillDue(
  tx: Context["tx"],
  tenantId: string,
  links: readonly StoredLink[],
  { invoices, installments }: Debts,
) {
  const asking = await liveLinksOf(tx, tenantId, links.map(installmentOf));
  const currencies = new Map(invoices.map((row) => [row.invoice_id, row.currency]));
  // What was paid already is the customer's doing, and is recorded.
  const unpaid = links.filter((link) => link.paid_at === null);
  for (const { installment_id: id, invoice_id, collection_outstanding: owed } of installments) {
    const isOther = unpaid.some((link) => link.installment_id === id && link.currency !== currencies.get(invoice_id));
    const live = asking.find((row) => row.installment_id === id);
    if (isOther || (live !== undefined && money(live.amount).greaterThan(money(owed))))
      throw conflictOf("installment", id, (it) => `${it} was paid or changed meanwhile. Read its invoice again.`);
  }
  const asked = new Set(unpaid.map(installmentOf));
  for (const row of installments.filter(({ installment_id }) => asked.has(installment_id))) {
    const refusal = ineligibilityOf(row, true);
    if (refusal?.code === "installment_not_collectible") throw new ServiceError(refusal.code, refusal.message);
  }
}

/** One entry for all links of a request: the link where there is one, the request where there are several. */
function auditReservation({ audit }: Context, links: readonly StoredLink[], outcome: "succeeded" | "failed") {
  const [first, ...more] = links;
  if (first === undefined || first.reserved_by === null) return;
  const keptAuthor = KeptAuthor.parse(JSON.parse(first.reserved_by));
  const object =
    more.length === 0
      ? { type: "payment_link", id: first.payment_link_id }
      : { type: "payment_link_batch", id: first.reservation_id };
  audit({ ...object, outcome, keptAuthor });
}
