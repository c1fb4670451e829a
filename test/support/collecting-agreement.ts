import { expect } from "vitest";
import { fromMinor, money } from "../../src/core/kernel/money.ts";
import { receiptNumberOf } from "../../src/gateways/erp/receipt-number.ts";
import type { FusionSimulator, SimulatedReceipt } from "../../src/simulators/fusion/index.ts";
import type { StripeSimulator } from "../../src/simulators/stripe/index.ts";
import { type BesideTraffic, ourId } from "./beside-traffic.ts";
import type { CollectedRows } from "./collecting-process.ts";
import type { Accepted } from "./slow-smtp-server.ts";

/** Everything that the service works with and that is not its own. */
export interface Outside {
  readonly erp: FusionSimulator;
  readonly stripe: StripeSimulator;
  readonly accepted: readonly Accepted[];
  /** Mails that the store called sent, and the life that found them so. */
  readonly saidSent: ReadonlyMap<string, number>;
  readonly traffic: BesideTraffic;
  /** Lives whose recovery was cut off as well. */
  readonly cutOff: ReadonlySet<number>;
}

/** Of the ERP's reasons those that end an installment's links (completions §12). */
const ENDS_LINKS = new Set(["retired", "removed", "closed", "excluded", "disputed", "nothing_outstanding"]);
const REVERSED = new Set<string | null>(["REV", "NSF", "STOP"]);

/** Expects the store, the provider, the ERP and the mailboxes to tell the same. */
export function checkAgreement(rows: CollectedRows, outside: Outside): void {
  checkLinks(rows, outside);
  checkCheckouts(outside);
  checkDebts(rows);
  checkPayments(rows, outside);
  checkReceipts(rows, outside);
  checkMails(rows, outside);
  checkMessages(rows, outside);
}

/** No link without a row, no row without a link, and each is what the other says it is. */
function checkLinks({ links, payments }: CollectedRows, { stripe }: Outside): void {
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

/** Nobody can pay by what is withdrawn. */
function checkCheckouts({ traffic: { sessions } }: Outside): void {
  expect(sessions.filter(({ link, status }) => !link.active && status === "open").map(({ id }) => id)).toEqual([]);
}

/** No live link beyond its debt, as the book has it. */
function checkDebts({ links, installments }: CollectedRows): void {
  const partOf = new Map(installments.map((row) => [row.installment_id, row]));
  for (const link of links.filter(({ state }) => state === "active")) {
    const part = partOf.get(link.installment_id);
    const about = `link ${link.payment_link_id} on ${JSON.stringify(part)}`;
    expect(ENDS_LINKS.has(part?.not_collectible_reason ?? ""), about).toBe(false);
    expect(money(link.amount).lessThanOrEqualTo(money(part?.collection_outstanding ?? "0")), about).toBe(true);
  }
}

/** Each payment once, with its refunds and disputes, those included that no notification told of. */
function checkPayments({ payments }: CollectedRows, { stripe, traffic: { refunded, disputed } }: Outside): void {
  expect(payments.map((row) => row.provider_payment_id).sort()).toEqual(paidAt(stripe).sort());
  for (const row of payments) {
    const id = row.provider_payment_id ?? "";
    expect({ id, refunded: BigInt(row.refunded_minor), disputed: row.disputed }).toEqual({
      id,
      refunded: refunded.get(id) ?? 0n,
      disputed: disputed.get(id) ?? false,
    });
  }
}

/** Never two receipts of one round, nor two that stand for one payment, nor one on top of what was entered by hand. */
function checkReceipts({ payments }: CollectedRows, { erp, traffic }: Outside): void {
  const byNumber = Map.groupBy(erp.receipts, ({ receiptNumber }) => receiptNumber ?? "");
  expect([...byNumber].filter(([, all]) => all.length > 1)).toEqual([]);
  const numbers = new Set(traffic.entered);
  for (const row of payments) {
    const own = Array.from({ length: row.receipt_round }, (_, n) => receiptNumberOf(row.payment_id, n + 1));
    for (const number of own) numbers.add(number);
    const made = own.flatMap((number) => byNumber.get(number) ?? []);
    checkReceipt(row, made, byNumber);
  }
  expect([...byNumber.keys()].filter((number) => !numbers.has(number))).toEqual([]);
}

function checkReceipt(
  row: CollectedRows["payments"][number],
  made: readonly SimulatedReceipt[],
  byNumber: ReadonlyMap<string, readonly SimulatedReceipt[]>,
): void {
  const { erp_push_status: status, erp_push_error, receipt_round, erp_receipt_number, erp_receipt_id, amount } = row;
  const standing = made.filter(({ state }) => !REVERSED.has(state));
  const about = JSON.stringify({ status, erp_push_error, receipt_round, erp_receipt_number, made });
  expect(["applied", "failed", "reversed", "posted"], about).toContain(status);
  if (row.settled_by_hand_at !== null) {
    expect(standing, about).toEqual([]);
    const entered = byNumber.get(erp_receipt_number ?? "")?.map(({ receiptId }) => receiptId) ?? [];
    expect(entered, about).toHaveLength(1);
    // A pull finds it by its number, and follows it from then on.
    expect([null, ...entered], about).toContain(erp_receipt_id);
    return;
  }
  if (status === "failed" || status === "reversed") expect(standing, about).toEqual([]);
  if (status === "failed") return;
  const current = made.find(({ receiptId }) => receiptId === erp_receipt_id);
  expect(current?.receiptNumber, about).toBe(receiptNumberOf(row.payment_id, receipt_round));
  expect(current?.receiptNumber, about).toBe(erp_receipt_number);
  // One that the ERP's user has reversed since is found by the next pull.
  expect(standing, about).toEqual(REVERSED.has(current?.state ?? null) ? [] : [current]);
  const [applied] = current?.applications ?? [];
  if (status === "posted") expect(applied, about).toBeUndefined();
  else if (applied !== undefined) expect(money(applied.amount).equals(money(amount)), about).toBe(true);
  else expect(standing, about).toEqual([]);
}

/**
 * What a mailbox has, the store calls sent, once. Nobody can rule out that a server accepted a mail as the service died:
 * the next life sends it again under its Message-ID, or leaves it `cancelled` where its link has ended.
 */
function checkMails({ now, links, mails }: CollectedRows, { accepted, saidSent }: Outside): void {
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
const messageOf = (row: CollectedRows["links"][number]): string => row.email_message_id ?? row.payment_link_id;

/** The mails that the store calls sent. */
export function sentIn({ links, mails }: CollectedRows): string[] {
  return [
    ...links.flatMap((row) => (row.email_status === "sent" ? [messageOf(row)] : [])),
    ...mails.flatMap((row) => (row.status === "sent" ? [row.mail_id] : [])),
  ];
}

/** A customer has one message a day, and each link stands in one message, at most twice in the mailbox. */
function checkMessages({ links }: CollectedRows, { accepted, cutOff }: Outside): void {
  const sent = new Set(links.filter((row) => row.email_status === "sent").map(messageOf));
  const ofDay = Map.groupBy(
    accepted.filter(({ messageId }) => sent.has(messageId)),
    ({ to, day }) => `${to} ${day}`,
  );
  for (const [day, mails] of ofDay) expect(new Set(mails.map(({ messageId }) => messageId)).size, day).toBe(1);
  for (const [id, mails] of Map.groupBy(accepted, ({ messageId }) => messageId)) {
    expect(mails.filter(({ life }) => !cutOff.has(life)).length, `message ${id}`).toBeLessThanOrEqual(2);
    expect(new Set(mails.map(({ to }) => to)).size, `message ${id}`).toBe(1);
  }
  for (const row of links.filter(({ provider_link_id: id }) => id !== null)) {
    const told = accepted.filter(({ text }) => text.includes(row.provider_link_id ?? ""));
    const ids = [...new Set(told.map(({ messageId }) => messageId))];
    expect(ids.length, `link ${row.payment_link_id}`).toBeLessThanOrEqual(1);
    if (row.email_status === "sent") expect(ids, `link ${row.payment_link_id}`).toEqual([messageOf(row)]);
  }
}

/** After the last pull the book owes what the ERP shows, less what it has not got yet. */
export function checkBook({ installments, payments }: CollectedRows, { erp, traffic }: Outside): void {
  const applied = Map.groupBy(
    erp.receipts.flatMap(({ applications }) => applications),
    ({ installmentId }) => installmentId,
  );
  const pending = Map.groupBy(
    payments.filter((row) => row.erp_push_status === "posted"),
    (row) => row.installment_id,
  );
  for (const row of installments) {
    const debt = [...traffic.debts.values()].find(
      (one) => fromMinor(one.amountMinor, "USD")?.toFixed() === money(row.original_amount ?? "0").toFixed(),
    );
    if (debt === undefined || debt.fate === "gone_from_erp") continue;
    const settled = [
      ...(applied.get(row.erp_installment_id ?? "") ?? []),
      ...(pending.get(row.installment_id) ?? []),
    ].reduce((sum, { amount }) => sum.plus(money(amount)), money("0"));
    const left = money(row.original_amount ?? "0").minus(settled);
    const owed = left.isNegative() ? "0" : left.toFixed();
    expect(money(row.collection_outstanding).toFixed(), `${debt.invoice} ${debt.installment}`).toBe(owed);
  }
}

/** What a killed life left for the next, by kind. */
export function leftHanging(rows: CollectedRows, { stripe, traffic }: Pick<Outside, "stripe" | "traffic">): string[] {
  const { links, payments, mails } = rows;
  const known = new Map(payments.map((row) => [row.provider_payment_id, row]));
  const left = {
    link: links.some(({ state }) => state === "reserved"),
    withdrawal: links.some((row) => row.withdrawal_due),
    payment: paidAt(stripe).some((id) => !known.has(id)),
    refund: [...traffic.refunded].some(([id, minor]) => BigInt(known.get(id)?.refunded_minor ?? "0") !== minor),
    dispute: [...traffic.disputed].some(([id, is]) => (known.get(id)?.disputed ?? false) !== is),
    receipt: payments.some((row) => row.erp_push_status === "processing"),
    "next round": payments.some((row) => row.receipt_round > 1 && isQueued(row)),
    message: links.some((row) => row.email_status === "scheduled" && row.email_lease_expires_at !== null),
    mail: mails.some((row) => row.status === "queued"),
    "hand-entered": payments.some(
      (row) =>
        row.erp_push_status === "failed" && traffic.debts.get(BigInt(row.amount_minor ?? "0"))?.enteredAs != null,
    ),
  };
  return Object.entries(left).flatMap(([kind, is]) => (is ? [kind] : []));
}

const isQueued = ({ erp_push_status }: CollectedRows["payments"][number]): boolean =>
  erp_push_status === "pending" || erp_push_status === "processing";

/** The provider's ids of everything customers have paid. */
function paidAt({ events }: StripeSimulator): string[] {
  const paid = events.filter(({ type }) => type === "payment_intent.succeeded");
  return paid.map(({ payload }) => JSON.parse(payload).data.object.id);
}
