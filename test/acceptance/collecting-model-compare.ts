import { expect } from "vitest";
import { getInvoice } from "../../src/core/invoices/operations/get-invoice.ts";
import { emailedLinks } from "../support/emailed-links.ts";
import { expectExactRollup } from "../support/rollup.ts";
import type { ModelBook } from "./collecting-model-book.ts";
import { type LinkEmail, type Part, sum } from "./collecting-model-facts.ts";
import { figuresOf } from "./collecting-model-figures.ts";
import type { ModelWorld } from "./collecting-model-world.ts";

/** A decimal of the store in minor units. */
function minor(text: string | null, currency: string): bigint {
  const digits = currency === "JPY" ? 0 : 2;
  const [whole = "0", fraction = ""] = (text ?? "0").split(".");
  if (/[1-9]/.test(fraction.slice(digits))) throw new Error(`finer than ${currency}: ${text}`);
  return BigInt(whole + fraction.slice(0, digits).padEnd(digits, "0"));
}

/** Rows of the workspace that collecting moves. */
function rowsOf({ core, tenantId }: ModelWorld) {
  return core.store.read(tenantId, async (tx) => ({
    invoices: await tx.selectFrom("invoices").selectAll().where("tenant_id", "=", tenantId).execute(),
    installments: await tx.selectFrom("installments").selectAll().where("tenant_id", "=", tenantId).execute(),
    links: await emailedLinks(tx, tenantId),
    payments: await tx.selectFrom("payments").selectAll().where("tenant_id", "=", tenantId).execute(),
    tasks: await tx.selectFrom("tasks").selectAll().where("tenant_id", "=", tenantId).execute(),
    setAside: await tx.selectFrom("set_aside_invoices").selectAll().where("tenant_id", "=", tenantId).execute(),
    concerns: await tx.selectFrom("attention_items").selectAll().where("tenant_id", "=", tenantId).execute(),
  }));
}

/** What a person did to an invoice made in the service; its amounts have two decimals. */
const localFactsOf = ({ voided_at, settled_elsewhere }: Rows["invoices"][number]) => ({
  voided: voided_at !== null,
  settled: sum(settled_elsewhere.map(({ amount }) => minor(amount, "USD"))),
});

type Rows = Awaited<ReturnType<typeof rowsOf>>;

function emailText(email: Omit<LinkEmail, "sentAt"> | null): string {
  if (email === null) return "no email";
  const { status, sendAt, to } = email;
  return `email ${status} ${status === "scheduled" ? `for ${new Date(sendAt).toISOString()}` : status === "cancelled" ? "" : to}`;
}

function stored(rows: Rows, book: ModelBook, { ids, delivered }: ModelWorld) {
  const invoices = book.invoices.map((own) => {
    const row = rows.invoices.find((one) => one.invoice_id === ids.invoices.get(own));
    if (row === undefined) throw new Error(`${own.name} is gone`);
    return {
      status: row.collection_status,
      outstanding: minor(row.collection_outstanding, own.currency),
      collected: minor(row.amount_collected, own.currency),
      dueDate: row.collection_due_date,
      pushState: row.erp_push_state,
      held: row.has_held_payment,
      activeLink: row.has_active_payment_link,
      setAside: rows.setAside.some((one) => one.erp_invoice_id === row.erp_invoice_id),
      balance: minor(row.erp_invoice_open_balance, own.currency),
      local: row.origin === "erp" ? null : localFactsOf(row),
      tasks: rows.tasks.filter((task) => task.invoice_id === row.invoice_id).map((task) => task.state),
    };
  });
  const parts = book.parts.map((part) => {
    const row = rows.installments.find((one) => one.installment_id === ids.parts.get(part));
    if (row === undefined) throw new Error("an installment is gone");
    return {
      outstanding: minor(row.collection_outstanding, part.invoice.currency),
      collectible: row.collectible,
      reason: row.not_collectible_reason,
      withdrawn:
        row.withdrawn_by_person_at === null ? null : minor(row.withdrawn_by_person_amount, part.invoice.currency),
    };
  });
  const links = rows.links.map((row) => {
    const { email_status: status, email_to: to, email_send_at: at } = row;
    const email = status === null ? null : { status, to: to ?? "", sendAt: Date.parse(at ?? "") };
    const times = row.url === null ? 0 : delivered.filter((text) => text.includes(row.url ?? "")).length;
    const paid = row.paid_at === null ? "unpaid" : "paid";
    return `${row.payment_link_id} ${row.amount_minor} ${row.state} ${paid}, ${emailText(email)}, delivered ${times}`;
  });
  const payments = rows.payments.map((row) => {
    const said = row.reflected_at === null ? "to be reflected" : "reflected";
    const receipt = row.erp_receipt_id === null ? "no receipt" : "receipt";
    const disputed = row.disputed ? " disputed" : "";
    const again = row.push_retryable ? ", to be tried again" : "";
    const told = `${row.refunded_minor} back${disputed}, round ${row.receipt_round}${again}`;
    return `${row.provider_payment_id} ${row.amount_minor} ${row.erp_push_status ?? "none"} ${receipt} ${said}, ${told}`;
  });
  const concerns = rows.concerns.map((row) => {
    const known = row.payment_id === null ? "payment not known" : "payment known";
    return `${row.kind} ${row.subject} ${row.amount_minor} ${known} ${row.resolved_at === null ? "open" : "resolved"}`;
  });
  const own = { payments: payments.sort(), concerns: concerns.sort() };
  return { invoices: invoices.map(sorted), parts, links: links.sort(), ...own };
}

function expected(book: ModelBook) {
  return {
    invoices: book.invoices.map((own) =>
      sorted({ ...figuresOf(book, own), setAside: own.seen.setAside, tasks: own.tasks }),
    ),
    parts: book.parts.map((part) => {
      const reason = book.reason(part);
      const { withdrawn } = part;
      return { outstanding: book.outstanding(part), collectible: reason === null, reason, withdrawn };
    }),
    links: book.links
      .map(({ id, amount, state, paid, email }) => {
        const delivered = email?.status === "sent" ? 1 : 0;
        return `${id} ${amount} ${state} ${paid ? "paid" : "unpaid"}, ${emailText(email)}, delivered ${delivered}`;
      })
      .sort(),
    payments: book.payments
      .map(({ key, amount, status, known, reflected, refunded, dispute, round, retryable }) => {
        const said = reflected ? "reflected" : "to be reflected";
        const again = retryable ? ", to be tried again" : "";
        const told = `${refunded} back${dispute?.disputed ? " disputed" : ""}, round ${round}${again}`;
        return `${key} ${amount} ${status} ${known ? "receipt" : "no receipt"} ${said}, ${told}`;
      })
      .sort(),
    concerns: [...book.concerns]
      .map(([name, { amount, known, resolved }]) => {
        return `${name} ${amount} ${known ? "payment known" : "payment not known"} ${resolved ? "resolved" : "open"}`;
      })
      .sort(),
  };
}

const sorted = <T extends { tasks: readonly string[] }>(own: T): T => ({ ...own, tasks: [...own.tasks].sort() });

/** What a customer could pay now through links of an installment, as stored. */
function payable(rows: Rows, { ids }: ModelWorld, part: Part): bigint {
  return rows.links
    .filter((row) => row.installment_id === ids.parts.get(part) && row.state === "active")
    .reduce((total, row) => total + BigInt(row.amount_minor), 0n);
}

/**
 * Compares everything stored with the model, what one invoice shows, and the ERP's receipts. No more is ever
 * payable of an installment than is outstanding.
 */
export async function compare(world: ModelWorld, turn: number): Promise<void> {
  const { book, core, admin, ids, erp } = world;
  const rows = await rowsOf(world);
  expect(stored(rows, book, world)).toEqual(expected(book));
  for (const part of book.parts) expect(payable(rows, world, part)).toBeLessThanOrEqual(book.outstanding(part));
  await expectExactRollup(core, world.tenantId);
  const shown = book.invoices[turn % book.invoices.length];
  if (shown === undefined) throw new Error("the book has invoices");
  const answer = await getInvoice.call(
    admin,
    { invoice_id: ids.invoices.get(shown) },
    { core, requestId: "req_model" },
  );
  // One that took the place of a removed one has its number: their order is not said.
  const available = answer.installments.map((one) => [one.id, minor(one.available_amount, shown.currency)]);
  expect(Object.fromEntries(available)).toEqual(
    Object.fromEntries(shown.parts.map((part) => [ids.parts.get(part), book.available(part)])),
  );
  const inErp = [...book.otherReceipts, ...book.payments.map(({ receipt }) => receipt)];
  const receipts = inErp.flatMap((receipt) =>
    receipt === null ? [] : [receipt.reversed ? "REV" : receipt.applied ? "Applied" : "Unapplied"],
  );
  expect(erp.receipts.map(({ state }) => state).sort()).toEqual(receipts.sort());
}
