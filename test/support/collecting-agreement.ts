import { expect } from "vitest";
import { fromMinor, money } from "../../src/core/kernel/money.ts";
import { receiptNumberOf } from "../../src/gateways/erp/receipt-number.ts";
import type { FusionSimulator } from "../../src/simulators/fusion/index.ts";
import type { StripeSimulator } from "../../src/simulators/stripe/index.ts";
import type { CollectedRows } from "./collecting-process.ts";
import { ourId, type Traffic } from "./collecting-traffic.ts";
import type { Accepted } from "./slow-smtp-server.ts";

/** Everything that the service works with and that is not its own. */
export interface Outside {
  readonly erp: FusionSimulator;
  readonly stripe: StripeSimulator;
  readonly accepted: readonly Accepted[];
  /** Mails that the store called sent, and the life that found them so. */
  readonly saidSent: ReadonlyMap<string, number>;
}

/** Expects the store, the provider, the ERP and the mailboxes to tell the same. */
export function checkAgreement(rows: CollectedRows, outside: Outside): void {
  checkLinks(rows, outside);
  checkMoney(rows, outside);
  checkMails(rows, outside);
}

/** No link without a row, no row without a link, and each is what the other says it is. */
export function checkLinks({ links, payments }: CollectedRows, { stripe }: Outside): void {
  expect(links.filter((row) => row.state === "reserved" || row.withdrawal_due)).toEqual([]);
  const atStripe = Map.groupBy(stripe.links, ourId);
  const rowIds = new Set(links.map((row) => row.payment_link_id));
  expect([...atStripe.keys()].filter((id) => !rowIds.has(id))).toEqual([]);
  const paidThrough = Map.groupBy(payments, (row) => row.payment_link_id);
  for (const row of links) {
    const made = atStripe.get(row.payment_link_id) ?? [];
    if (row.state === "withdrawn") {
      expect(made.filter(({ active }) => active)).toEqual([]);
      continue;
    }
    expect(made.map(({ id }) => id)).toEqual([row.provider_link_id]);
    const [link] = made;
    expect(link?.parameters.line_items[0].price_data.unit_amount).toBe(Number(row.amount_minor));
    expect(link?.completed).toBe(paidThrough.get(row.payment_link_id)?.length ?? 0);
    if (row.state === "paid") expect(link?.completed).toBe(1);
    expect(link?.active).toBe(row.state !== "deactivated");
  }
  const live = links.filter(({ state }) => state === "active").map((row) => row.installment_id);
  expect(live).toHaveLength(new Set(live).size);
}

/** Each payment counts once, and has one receipt, applied in full. */
function checkMoney({ payments, installments }: CollectedRows, { stripe, erp }: Outside): void {
  expect(payments.map((row) => row.provider_payment_id).sort()).toEqual(paidAt(stripe).sort());
  expect(payments.map((row) => row.erp_push_status)).toEqual(payments.map(() => "applied"));
  const installmentOf = new Map(installments.map((row) => [row.installment_id, row]));
  const wanted = payments.map((row) => {
    const installmentId = installmentOf.get(row.installment_id ?? "")?.erp_installment_id;
    return {
      receiptId: row.erp_receipt_id,
      receiptNumber: receiptNumberOf(row.payment_id),
      applications: [{ installmentId, amount: money(row.amount).toFixed() }],
    };
  });
  const byNumber = (a: { receiptNumber: string | null }, b: { receiptNumber: string | null }) =>
    String(a.receiptNumber).localeCompare(String(b.receiptNumber));
  const held = erp.receipts.map(({ receiptId, receiptNumber, applications }) => ({
    receiptId,
    receiptNumber,
    applications: applications.map((one) => ({ ...one, amount: money(one.amount).toFixed() })),
  }));
  expect(held.sort(byNumber)).toEqual(wanted.sort(byNumber));
  const collected = Map.groupBy(payments, (row) => row.installment_id);
  for (const row of installments) {
    const paid = (collected.get(row.installment_id) ?? []).map(({ amount_minor }) => BigInt(amount_minor ?? 0));
    const sum = fromMinor(
      paid.reduce((total, one) => total + one, 0n),
      "USD",
    );
    const left = money(row.original_amount ?? "0").minus(sum ?? money("0"));
    expect(money(row.collection_outstanding).toFixed()).toBe(left.toFixed());
  }
}

/**
 * What a mailbox has, the store calls sent; what the store called sent never went out again. In between lies the one thing
 * nobody can rule out: a server accepted a mail and the service died before it could write that down. The next life sends
 * it again under the same Message-ID, or, where its link or task has ended meanwhile, leaves it `cancelled`.
 */
export function checkMails({ now, links, mails }: CollectedRows, { accepted, saidSent }: Outside): void {
  const letters = [
    ...links.flatMap((row) =>
      row.email_status === null
        ? []
        : [{ id: messageOf(row), status: row.email_status, due: row.email_next_attempt_at }],
    ),
    ...mails.map((row) => ({ id: row.mail_id, status: row.status, due: row.next_attempt_at })),
  ];
  const livesOf = Map.groupBy(accepted, ({ messageId }) => messageId);
  expect([...livesOf.keys()].filter((id) => letters.every((letter) => letter.id !== id))).toEqual([]);
  expect(mails.map((row) => row.subject_id)).toHaveLength(new Set(mails.map((row) => row.subject_id)).size);
  const sent = new Set(letters.filter(({ status }) => status === "sent").map(({ id }) => id));
  for (const { id, status, due } of letters) {
    const lives = (livesOf.get(id) ?? []).map((one) => one.life);
    expect(new Set(lives).size, `mail ${id}, twice in one life`).toBe(lives.length);
    expect(
      lives.filter((one) => one >= (saidSent.get(id) ?? Number.POSITIVE_INFINITY)),
      `mail ${id}, after it was sent`,
    ).toEqual([]);
    if (status === "sent") expect(lives, `mail ${id}`).not.toEqual([]);
    else if (lives.length > 0 && !sent.has(id)) expect(status, `mail ${id}`).toBe("cancelled");
    if (status === "scheduled" || status === "queued") expect((due ?? "") > now, `mail ${id}, due`).toBe(true);
  }
}

/** The message that a link's email goes out in, with those of other links. */
export const messageOf = (row: CollectedRows["links"][number]): string => row.email_message_id ?? row.payment_link_id;

/** The mails that the store calls sent. */
export function sentIn({ links, mails }: CollectedRows): string[] {
  return [
    ...links.flatMap((row) => (row.email_status === "sent" ? [messageOf(row)] : [])),
    ...mails.flatMap((row) => (row.status === "sent" ? [row.mail_id] : [])),
  ];
}

/** Whoever asked for links, however often, has been told of the ones there are, and there are no others. */
export function checkRequests({ links }: CollectedRows, { requests }: Traffic): void {
  const asked = links.filter((row) => row.created_by_kind === "api_key" && row.state !== "withdrawn");
  expect(requests.flatMap(({ answer }) => answer ?? []).sort()).toEqual(asked.map((row) => row.payment_link_id).sort());
}

/** What a killed life left for the next, by kind. */
export function leftHanging({ links, payments, mails }: CollectedRows, stripe: StripeSimulator): string[] {
  const known = new Set(payments.map((row) => row.provider_payment_id));
  const left = {
    link: links.some(({ state }) => state === "reserved"),
    withdrawal: links.some((row) => row.withdrawal_due),
    payment: paidAt(stripe).some((id) => !known.has(id)),
    receipt: payments.some((row) => row.erp_push_status === "pending" || row.erp_push_status === "processing"),
    mail:
      mails.some((row) => row.status === "queued") ||
      links.some((row) => row.email_status === "scheduled" && row.email_lease_expires_at !== null),
  };
  return Object.entries(left).flatMap(([kind, is]) => (is ? [kind] : []));
}

/** The provider's ids of everything customers have paid. */
export function paidAt({ events }: StripeSimulator): string[] {
  const paid = events.filter(({ type }) => type === "payment_intent.succeeded");
  return paid.map(({ payload }) => JSON.parse(payload).data.object.id);
}
