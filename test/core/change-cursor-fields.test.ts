import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { addMember } from "../../auth/members/add-member.ts";
import { listInvoices } from "../../src/core/invoices/operations/list-invoices.ts";
import { Invoice } from "../../src/core/invoices/schema.ts";
import { listPaymentLinks } from "../../src/core/payment-links/operations/list-payment-links.ts";
import { PaymentLink } from "../../src/core/payment-links/schema.ts";
import { listPayments } from "../../src/core/payments/operations/list-payments.ts";
import { Payment } from "../../src/core/payments/schema.ts";
import { listTasks } from "../../src/core/tasks/operations/list-tasks.ts";
import { Task } from "../../src/core/tasks/schema.ts";
import { insertTask } from "../../src/core/tasks/state-queries.ts";
import words from "../../src/rest/openapi/words.json" with { type: "json" };
import { touchShown } from "../../src/store/aging/rollup.ts";
import { guideText } from "../rest/guides.ts";
import { shownOn } from "../support/book.ts";
import { putEmail } from "../support/emailed-links.ts";
import { pageOf } from "../support/lists.ts";
import { STORES } from "../support/stores.ts";
import { useCollecting } from "../support/use-collecting.ts";

/** Every field of an answer, those of its objects as `customer.name`. */
function* fieldsOf(schema: z.ZodType, path = ""): Generator<string> {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    yield* fieldsOf(z.instanceof(z.ZodType).parse(schema.unwrap()), path);
  else if (schema instanceof z.ZodArray) yield* fieldsOf(z.instanceof(z.ZodType).parse(schema.element), path);
  else if (schema instanceof z.ZodObject)
    for (const [name, member] of Object.entries(schema.shape))
      yield* fieldsOf(z.instanceof(z.ZodType).parse(member), path === "" ? name : `${path}.${name}`);
  else yield path;
}

/** What shows a field differently, and nothing else that the time of change follows where that can be. */
type Moves = Record<string, [table: string, set: string]>;

const INVOICE_MOVES: Moves = {
  collection_status: ["invoices", "collection_status = 'inactive'"],
  collection_outstanding: ["invoices", "collection_outstanding = 98"],
  available_amount: ["installments", "collection_outstanding = collection_outstanding + 1"],
  amount_collected: ["invoices", "amount_collected = 1"],
  erp_push_state: ["invoices", "erp_push_state = 'failed'"],
  has_held_payment: ["invoices", "has_held_payment = true"],
  has_active_payment_link: ["invoices", "has_active_payment_link = not has_active_payment_link"],
  collection_due_date: ["invoices", "collection_due_date = '2026-12-24'"],
  "installments.collection_outstanding": [
    "installments",
    "collection_outstanding = collection_outstanding + (case sequence_number when 1 then 1 else -1 end)",
  ],
  "installments.collectible": ["installments", "collectible = false, not_collectible_reason = 'disputed'"],
  "installments.not_collectible_reason": ["installments", "not_collectible_reason = 'excluded'"],
  "installments.available_amount": ["payment_links", "state = 'deactivated'"],
};

/** What the ERP and people change of an invoice: `updated_at`. */
const INVOICE_OWN = [
  ...["invoice_number", "currency", "total_amount", "erp_invoice_open_balance", "invoice_date", "due_date"],
  ...["customer.id", "customer.number", "customer.name", "customer.contact_name", "customer.email", "payment_terms"],
  ...["id", "sequence_number", "due_date", "original_amount", "erp_installment_outstanding_amount"].map(
    (name) => `installments.${name}`,
  ),
];

/** What neither time of an invoice follows, though it changes. */
const NEITHER = ["overdue_outstanding", "last_synced_at"];

const OF_INVOICE: Moves = {
  invoice_number: ["invoices", "invoice_number = 'INV-8'"],
  customer_name: ["invoices", "customer_name = 'Globex Ltd'"],
  customer_id: ["invoices", "customer_id = null"],
};

/** How each field changes; `never` are those that do not, and the times themselves. */
const KINDS: Record<string, { schema: z.ZodType; moves: Moves; never: readonly string[] }> = {
  collected: {
    schema: Invoice,
    moves: INVOICE_MOVES,
    never: [
      ...["id", "origin", "connection_id", "created_at", "collection_mode", "updated_at", "collection_updated_at"],
      ...[...INVOICE_OWN, ...NEITHER],
    ],
  },
  payments: {
    schema: Payment,
    moves: {
      invoice_number: ["invoices", "invoice_number = 'INV-9'"],
      "customer.id": ["invoices", "customer_id = null"],
      "customer.number": ["invoices", "customer_number = '1002'"],
      "customer.name": ["invoices", "customer_name = 'Globex Inc.'"],
      confirmed_at: ["payments", "confirmed_at = '2026-12-24T08:00:00Z'"],
      erp_push_status: ["payments", "erp_push_status = 'failed'"],
      erp_push_error: ["payments", `erp_push_error = '{"code": "missing_field"}'`],
      erp_push_attempted_at: ["payments", "push_attempted_at = '2026-12-24T08:00:00Z'"],
      erp_receipt_number: ["payments", "erp_receipt_number = 'PAY-1'"],
      refunded_minor: ["payments", "refunded_minor = 1"],
      refunded: ["payments", "refunded_minor = 2"],
      disputed: ["payments", "disputed = not disputed"],
    },
    never: [
      ...["id", "invoice_id", "installment_id", "payment_link_id", "amount_minor", "amount", "currency"],
      ...["paid_at", "provider", "provider_reference", "created_at", "updated_at"],
    ],
  },
  links: {
    schema: PaymentLink,
    moves: {
      ...OF_INVOICE,
      url: ["payment_links", "url = url || 'x'"],
      "email.status": ["link_emails", "status = 'sent'"],
      "email.to": ["link_emails", "recipient = 'c@b.test'"],
      "email.send_at": ["link_emails", "send_at = '2026-12-24T08:00:00Z'"],
      "email.sent_at": ["link_emails", "sent_at = '2026-12-24T08:00:00Z'"],
      "email.failed_at": ["link_emails", "failed_at = '2026-12-24T08:00:00Z'"],
      "email.error": ["link_emails", "failure = 'rejected'"],
      "created_by.name": ["api_keys", "name = 'Another'"],
      paid_at: ["payment_links", "paid_at = '2026-12-24T08:00:00Z'"],
      deactivated_at: ["payment_links", "deactivated_at = '2026-12-24T08:00:00Z'"],
      status: ["payment_links", "state = 'deactivated'"],
    },
    never: [
      ...["id", "invoice_id", "installment_id", "payment_integration_id", "amount_minor", "amount", "currency"],
      ...["created_by.kind", "created_by.id", "created_at", "updated_at"],
    ],
  },
  tasks: {
    schema: Task,
    moves: {
      ...OF_INVOICE,
      currency: ["invoices", "currency = 'EUR'"],
      collection_outstanding: ["invoices", "collection_outstanding = 97"],
      assignee_name: ["members", "name = 'Ada'"],
      assignee_id: ["tasks", "assignee_id = null"],
      state: ["tasks", "state = 'dismissed'"],
      configured_at: ["tasks", "configured_at = '2026-12-24T08:00:00Z'"],
      dismissed_at: ["tasks", "dismissed_at = '2026-12-24T08:00:00Z'"],
    },
    never: ["id", "type", "invoice_id", "created_at", "updated_at"],
  },
};
const LISTS = {
  collected: [listInvoices, "collection_updated_since"],
  payments: [listPayments, "updated_since"],
  links: [listPaymentLinks, "updated_since"],
  tasks: [listTasks, "updated_since"],
} as const;

describe.each(STORES)("the time of change of every field, on $name", ({ open }) => {
  const { app, book, act, store } = useCollecting(open, "stripe");

  /** An invoice with two installments, a payment, a live link with an email, and a task. */
  async function seed(): Promise<string> {
    const parts = [{ original_amount: "50.00" }, { original_amount: "50.00" }];
    const owing = await book.owingIn(shownOn(await book.customer()), ...parts);
    const { invoice_id: id } = owing.invoice;
    await app.stripe.pay((await book.issue(owing, 1_000)).id);
    const link = await book.issue(owing, 500);
    const { id: memberId } = await act(addMember, { email: "clerk@globex.example.test", role: "admin" });
    await store.write(book.tenantId, async (tx) => {
      await putEmail(tx, book.tenantId, link.id, "failed");
      const [at, nothing] = [app.clock.now().toISOString(), { configured_at: null, dismissed_at: null }];
      const of = { tenant_id: book.tenantId, task_id: app.core.newId(), type: "payment_arrangement" as const };
      await insertTask(tx, {
        ...{ ...of, ...nothing, invoice_id: id, state: "open", assignee_id: memberId, created_at: at },
      });
      touchShown(tx, "invoices", [id]);
    });
    return id;
  }

  it.each(Object.keys(LISTS))(
    "%s: moves with each of them that changes [completions.13.change-cursor.fields]",
    async (name) => {
      const [operation, filter] = Object.entries(LISTS).find(([one]) => one === name)?.[1] ?? [];
      if (operation === undefined || filter === undefined) throw new Error(name);
      const id = await seed();
      const unmoved: string[] = [];
      for (const [field, [table, set]] of Object.entries(KINDS[name]?.moves ?? {})) {
        const { pagination } = await pageOf(app.core, operation, book.reader);
        await store.write(book.tenantId, async (tx) => {
          await sql`update ${sql.table(table)} set ${sql.raw(set)} where tenant_id = ${book.tenantId}`.execute(tx);
          touchShown(tx, "invoices", [id]);
        });
        const { data } = await pageOf(app.core, operation, book.reader, { [filter]: pagination.as_of });
        if (data.length === 0) unmoved.push(field);
      }
      expect(unmoved).toEqual([]);
    },
  );
});

describe("the fields that lists of changes show", () => {
  it.each(Object.entries(KINDS))(
    "%s: each is known to move its time, or never to change [completions.13.change-cursor.fields]",
    (_, kind) => {
      expect([...Object.keys(kind.moves), ...kind.never].sort()).toEqual([...fieldsOf(kind.schema)].sort());
    },
  );

  it("of an invoice are told by name: what moves the second time, and what neither [completions.13.change-cursor.fields]", () => {
    const { collection_updated_at: said, ...fields } = words.fields["Invoice InvoiceWithInstallments"];
    const names = Object.keys(INVOICE_MOVES).map((name) => name.replace("installments.", ""));
    for (const text of [said, listInvoices.description ?? ""])
      expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
    const [, paragraph = ""] = /\n\n(Two fields of an invoice move n[\s\S]*?)\n\n/.exec(guideText("polling.md")) ?? [];
    expect([...paragraph.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual([...NEITHER]);
    const told = { ...words.fields["*"], ...fields };
    expect(
      Object.entries(told)
        .flatMap(([name, text]) => (text.includes(" neither `updated_at` nor") ? [name] : []))
        .sort(),
    ).toEqual([...NEITHER].sort());
  });
});
