import { expect } from "vitest";
import { receiptNumberOf } from "../../src/gateways/erp/receipt-number.ts";
import { expectExactRollup } from "../support/rollup.ts";
import { type Bill, type LanesRows, type LanesWorld, minorOf, rowsOf } from "./collecting-lanes-world.ts";

const SECONDS_5 = 5_000;
const MINUTES_16 = 16 * 60_000;
const ENDED = ["retired", "removed", "closed", "excluded", "disputed", "nothing_outstanding"];

/** Whoever was at work has ended: no lease is left, and nothing waits but for a documented pause. */
export async function expectNobodyWaits(world: LanesWorld): Promise<void> {
  const { payments, links, integrations, runs } = await rowsOf(world, world.tenantId);
  const now = world.clock.now().getTime();
  const soon = new Date(now + SECONDS_5).toISOString();
  const leases = [
    ...payments.map((row) => ({ of: `push of ${row.payment_id}`, until: row.lease_expires_at })),
    ...integrations.map((row) => ({ of: "reading of events", until: row.lease_expires_at })),
    ...links
      .filter(({ email_status: status }) => status === "scheduled")
      .map((row) => ({
        of: `email ${row.email_message_id} of link ${row.payment_link_id}, ${row.state}, ${row.email_status}`,
        until: row.email_lease_expires_at,
      })),
  ];
  expect(leases.filter(({ until }) => until !== null && until > soon)).toEqual([]);
  expect(runs.filter(({ status }) => status === "running")).toEqual([]);
  expect(payments.filter((row) => row.erp_push_status === "pending")).toEqual([]);
  const retried = payments.filter((row) => row.erp_push_status === "processing");
  const latest = new Date(now + MINUTES_16).toISOString();
  expect(retried.filter((row) => (row.next_attempt_at ?? latest) > latest || !row.push_retryable)).toEqual([]);
}

/** Compares all that is stored with all that is outside, while nobody is at work. */
export async function compare(world: LanesWorld): Promise<void> {
  const rows = await rowsOf(world, world.tenantId);
  expect(rows.setAside, "what cannot be read").toEqual([]);
  expect(rows.runs.filter(({ retirement }) => retirement !== null)).toEqual([]);
  compareMoney(rows, world);
  compareReceipts(rows, world);
  compareFigures(rows, world);
  compareLinks(rows, world);
  compareMails(rows, world);
  await expectExactRollup(world.core, world.tenantId);
}

/** Each payment and refund at the providers is told once. */
function compareMoney({ payments, concerns }: LanesRows, { checkouts, paidInSandbox }: LanesWorld): void {
  const paid = checkouts.filter(({ record }) => record.paymentStatus === "paid");
  const atStripe = paid.map(({ linkId, record, dispute }) => {
    const { paymentIntent: key, refunded, link } = record;
    const asked = link.parameters.line_items[0].price_data.unit_amount;
    return `${key} by ${linkId}: ${asked}, ${refunded} back, ${dispute === "needs_response" || dispute === "lost"}`;
  });
  const inSandbox = [...paidInSandbox].map((linkId) => `sandbox_payment_${linkId} by ${linkId}`);
  const stored = payments.map((row) => {
    const told = `${row.provider_payment_id} by ${row.payment_link_id}`;
    return paidInSandbox.has(row.payment_link_id ?? "")
      ? told
      : `${told}: ${row.amount_minor}, ${row.refunded_minor} back, ${row.disputed}`;
  });
  expect(stored.sort(), "payments").toEqual([...atStripe, ...inSandbox].sort());
  const refunded = paid.filter(({ record }) => record.refunded > 0);
  const told = concerns.filter((row) => row.kind === "payment_refunded" && row.amount_minor !== "0");
  expect(told.map((row) => `${row.subject} ${row.amount_minor}`).sort(), "refunds that need a person").toEqual(
    refunded.map(({ record }) => `${record.paymentIntent} ${record.refunded}`).sort(),
  );
}

/** One receipt for each payment and round, and none on top of one that was entered by hand. */
function compareReceipts({ payments, installments, runs }: LanesRows, { erp, entered }: LanesWorld): void {
  expect(payments.filter(({ erp_push_status: status }) => status === "processing" || status === "pending")).toEqual([]);
  const own = erp.receipts.filter(({ receiptNumber }) => /^P(?:AY|\d\d)-/.test(receiptNumber ?? ""));
  const byNumber = new Map(own.map((receipt) => [receipt.receiptNumber, receipt]));
  expect(byNumber.size, "receipts of one number").toBe(own.length);
  const known = new Set<string>();
  for (const row of payments) {
    for (let round = 1; round < row.receipt_round; round += 1) {
      const earlier = byNumber.get(receiptNumberOf(row.payment_id, round));
      known.add(receiptNumberOf(row.payment_id, round));
      if (row.settled_by_hand_at === null) expect(earlier?.applications ?? []).toEqual([]);
    }
    const number = receiptNumberOf(row.payment_id, row.receipt_round);
    const receipt = byNumber.get(number);
    known.add(number);
    if (row.settled_by_hand_at !== null) continue;
    const erpPart = installments.find((one) => one.installment_id === row.installment_id)?.erp_installment_id;
    const status = row.erp_push_status;
    if (status === "applied") {
      expect(receipt?.receiptId, `receipt of ${row.payment_id}`).toBe(row.erp_receipt_id);
      expect(receipt?.applications.map(({ installmentId }) => installmentId)).toEqual([erpPart]);
    } else if (status === "posted") expect(receipt?.state, `receipt of ${row.payment_id}`).toBe("Unapplied");
    else if (status === "reversed") expect(receipt?.state, `receipt of ${row.payment_id}`).toBe("REV");
    else if (status === "held") expect(receipt, `receipt of ${row.payment_id}, held`).toBeUndefined();
    else expect(receipt?.applications ?? [], `receipt of ${row.payment_id}, ${status}`).toEqual([]);
  }
  expect([...byNumber.keys()].filter((number) => !known.has(number ?? ""))).toEqual([]);
  for (const { paymentId, at, isVoid } of entered) {
    const row = payments.find((one) => one.payment_id === paymentId);
    const mayBeRetired = runs.some((run) => run.invoices_retired > 0 && (run.finished_at ?? "") >= at);
    if (isVoid || mayBeRetired || row === undefined) continue;
    const onTop = byNumber.get(receiptNumberOf(paymentId, row.receipt_round));
    expect(onTop, `receipt of ${paymentId}, on top of one entered by hand`).toBeUndefined();
  }
}

/** What is owed follows from the ERP's balances and from payments that these do not include. */
function compareFigures({ invoices, installments, payments }: LanesRows, world: LanesWorld): void {
  for (const bill of world.bills) {
    const invoice = invoices.find(({ invoice_number: number }) => number === bill.number);
    if (invoice === undefined) throw new Error(`${bill.number} is gone`);
    const { invoice_id: id, currency } = invoice;
    const collected = payments.filter((row) => row.invoice_id === id).map((row) => BigInt(row.amount_minor ?? 0));
    expect(minorOf(invoice.amount_collected, bill.currency), `collected of ${bill.number}`).toBe(sum(collected));
    expect(invoice.retired_at === null, `${bill.number} is there`).toBe(bill.present);
    if (!bill.present) continue;
    const parts = installments.filter((row) => row.invoice_id === id);
    for (const part of parts) {
      const index = Number(part.sequence_number) - 1;
      const unread = payments.filter(
        (row) => row.installment_id === part.installment_id && row.erp_push_status !== "applied",
      );
      const left = world.balance(bill, index) - sum(unread.map((row) => BigInt(row.amount_minor ?? 0)));
      const owed = left < 0n ? 0n : left;
      const name = `${bill.number}, installment ${part.sequence_number}`;
      expect(minorOf(part.collection_outstanding, currency ?? ""), name).toBe(owed);
      expect(part.not_collectible_reason, name).toBe(reasonOf(bill, index, owed, world.balance(bill, index)));
    }
    const total = sum(parts.map((part) => minorOf(part.collection_outstanding, bill.currency)));
    expect(minorOf(invoice.collection_outstanding, bill.currency), `outstanding of ${bill.number}`).toBe(total);
    const isOpen = parts.some(({ collectible }) => collectible);
    const isPaid = total === 0n && collected.length > 0;
    expect(invoice.collection_status, bill.number).toBe(isPaid ? "paid" : isOpen ? "open" : "inactive");
  }
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);

function reasonOf({ complete, excluded, disputed }: Bill, index: number, owed: bigint, balance: bigint): string | null {
  if (!complete) return "not_finalised";
  if (balance === 0n) return "closed";
  if (excluded[index]) return "excluded";
  if (disputed[index]) return "disputed";
  return owed === 0n ? "nothing_outstanding" : null;
}

/** Active at the provider and in the store alike, never more than is owed, and no checkout open of what was withdrawn. */
function compareLinks({ links, installments }: LanesRows, { stripe, checkouts }: LanesWorld): void {
  expect(links.filter((row) => row.state === "reserved" || row.withdrawal_due)).toEqual([]);
  for (const row of links.filter(({ currency }) => currency === "USD")) {
    const made = stripe.links.filter(({ metadata }) => Object.values(metadata).includes(row.payment_link_id));
    const isPaid = row.state === "paid";
    const active = made.filter((link) => link.active);
    expect(active.length, `link ${row.payment_link_id}, ${row.state}`).toBe(row.state === "active" || isPaid ? 1 : 0);
    if (row.state === "active") expect(active[0]?.completed).toBe(0);
    if (row.state !== "deactivated" && row.state !== "withdrawn") continue;
    const opened = checkouts.filter(({ linkId, record }) => linkId === row.payment_link_id && record.status === "open");
    expect(opened, `open checkouts of ${row.payment_link_id}, ${row.state}`).toEqual([]);
  }
  for (const part of installments) {
    const active = links.filter((row) => row.installment_id === part.installment_id && row.state === "active");
    const asked = sum(active.map((row) => BigInt(row.amount_minor)));
    const currency = active[0]?.currency ?? "USD";
    expect(asked <= minorOf(part.collection_outstanding, currency), "links within what is owed").toBe(true);
    if (ENDED.includes(part.not_collectible_reason ?? "")) expect(active).toEqual([]);
  }
}

/** What is sent was handed over once, in one message for each customer and day; what is scheduled is of a live link. */
function compareMails({ links, invoices, installments }: LanesRows, { captured, clock }: LanesWorld): void {
  const sent = links.filter(({ email_status: status }) => status === "sent");
  const messages = new Set(sent.map((row) => row.email_message_id ?? ""));
  for (const { messageId, at } of captured) {
    const own = links.filter((row) => row.email_message_id === messageId);
    const found = own.map(
      (row) => `${row.payment_link_id} ${row.state} ${row.email_status} ${row.email_lease_expires_at}`,
    );
    expect(messages.has(messageId), `the mail of ${at} is sent: ${found.join(", ")}`).toBe(true);
  }
  expect(captured, "mails, each once").toHaveLength(messages.size);
  for (const row of sent) {
    const mail = captured.find(({ messageId }) => messageId === row.email_message_id);
    expect(mail?.text).toContain(row.url);
    expect(mail?.to).toBe(row.email_to);
  }
  const days = captured.map(({ to, at }) => `${to} ${at.slice(0, 10)}`);
  expect(days, "messages of a customer and day").toHaveLength(new Set(days).size);
  const askable = new Set(installments.flatMap((part) => (part.collectible ? [part.installment_id] : [])));
  for (const row of links.filter(({ email_status: status, state }) => status === "failed" && state === "active")) {
    const email = invoices.find((one) => one.invoice_id === row.invoice_id)?.customer_email;
    if (askable.has(row.installment_id)) expect(row.email_to, "an address that failed").toBe(email);
  }
  const now = clock.now().toISOString();
  for (const row of links.filter(({ email_status: status }) => status === "scheduled")) {
    expect(row.state).toBe("active");
    expect((row.email_next_attempt_at ?? "") > now, "a scheduled email is not due").toBe(true);
  }
}
