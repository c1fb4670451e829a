import type { InferResult } from "kysely";
import { z } from "zod";
import { changedAt, changedSince } from "../../store/change-stamps.ts";
import type { Transaction } from "../../store/store.ts";
import type { PaymentRow } from "../../store/tables/payments.ts";
import { hasText } from "../gate/search-queries.ts";
import { givenConditions, ifGiven } from "../kernel/filter-conditions.ts";
import { sameTenant } from "../kernel/same-tenant.ts";
import {
  CurrencyCode,
  ExactNumber,
  type InInstants,
  InstantOrDay,
  PlainDate,
  Search,
  Uuid,
} from "../kernel/wire-types.ts";
import { PaymentPushStatus } from "./schema.ts";

/** Filters of completions §5; they combine freely. */
export const PAYMENT_FILTERS = {
  confirmed_since: InstantOrDay.optional().describe("Inclusive; a day starts in the workspace's timezone"),
  confirmed_before: InstantOrDay.optional().describe("Exclusive"),
  updated_since: InstantOrDay.optional().describe("Inclusive, by `updated_at`"),
  paid_from: PlainDate.optional().describe("First day, by `paid_at`"),
  paid_to: PlainDate.optional().describe("Last day"),
  currency: CurrencyCode.optional(),
  search: Search,
  invoice_id: Uuid.optional().describe("Invoice"),
  invoice_number: ExactNumber.optional(),
  payment_link_id: Uuid.optional().describe("Payment link"),
  customer_id: Uuid.optional().describe("`customer.id`"),
  connection_id: Uuid.optional().describe("ERP connection"),
  erp_push_status: PaymentPushStatus.optional().describe("Write-back state"),
  disputed: z.boolean().optional().describe("A chargeback"),
  refunded: z.boolean().optional().describe("Given back, in part too"),
  erp_receipt_number: ExactNumber.optional(),
};

type Given = InInstants<z.output<z.ZodObject<typeof PAYMENT_FILTERS>>>;

/** The same in instants; `paid_before` is when the day after `paid_to` begins. */
type PaymentFilters = Omit<Given, "paid_to"> & { paid_before?: string | undefined };

/** The tenant's payments taken through links that match every filter given (completions §5), unordered. */
export function matchingPayments(tx: Transaction, tenantId: string, filters: PaymentFilters) {
  return tx
    .selectFrom("payments")
    .innerJoin("invoices", sameTenant("invoices", "payments", "invoice_id"))
    .innerJoin("payment_integrations as integration", sameTenant("integration", "payments", "payment_integration_id"))
    .select([
      "integration.provider",
      "payments.provider_payment_id as provider_reference",
      "payments.payment_id",
      "payments.invoice_id",
      "payments.installment_id",
      "payments.payment_link_id",
      "payments.amount_minor",
      "payments.currency",
      "payments.amount",
      "payments.confirmed_at",
      "payments.erp_push_status",
      "payments.erp_push_error",
      "payments.push_attempted_at as erp_push_attempted_at",
      "payments.erp_receipt_number",
      "payments.created_at",
      "payments.paid_at",
      "payments.refunded_minor",
      "payments.disputed",
      "invoices.invoice_number",
      "invoices.customer_id",
      "invoices.customer_number",
      "invoices.customer_name",
    ])
    .select(changedAt(tenantId, "payment", "payments.payment_id", "payments.created_at").as("updated_at"))
    .where("payments.tenant_id", "=", tenantId)
    .where("payments.payment_link_id", "is not", null)
    .where((eb) =>
      eb.and([
        ...givenConditions(eb, filters, {
          confirmed_since: ["payments.confirmed_at", ">="],
          confirmed_before: ["payments.confirmed_at", "<"],
          paid_from: ["payments.paid_at", ">="],
          paid_before: ["payments.paid_at", "<"],
          currency: "payments.currency",
          payment_link_id: "payments.payment_link_id",
          disputed: "payments.disputed",
          erp_receipt_number: "payments.erp_receipt_number",
          invoice_number: "invoices.invoice_number",
          invoice_id: "payments.invoice_id",
          customer_id: "invoices.customer_id",
          connection_id: "invoices.connection_id",
          erp_push_status: "payments.erp_push_status",
        }),
        ...ifGiven(filters.refunded, (isRefunded) => eb("payments.refunded_minor", isRefunded ? ">" : "=", "0")),
        ...ifGiven(filters.updated_since, (instant) =>
          changedSince(tenantId, "payment", "payments.payment_id", instant),
        ),
        ...ifGiven(filters.search, (text) => hasText("invoices.search_text", text)),
      ]),
    );
}

export type PaymentRecord = InferResult<ReturnType<typeof matchingPayments>>[number];

/** The latest payments by when they were paid, with the state of their receipts; of one receipt status, where it is given. */
export function latestReceipts(
  tx: Transaction,
  tenantId: string,
  { status, limit }: { status: NonNullable<PaymentRow["erp_push_status"]> | undefined; limit: number },
) {
  const query = tx
    .selectFrom("payments")
    .innerJoin("invoices", sameTenant("invoices", "payments", "invoice_id"))
    .select([
      "payments.connection_id",
      "payments.payment_id",
      "invoices.invoice_number",
      "invoices.customer_name",
      "payments.amount",
      "payments.currency",
      "payments.paid_at",
      "payments.erp_push_status",
      "payments.erp_receipt_number",
      "payments.erp_push_error",
      "payments.settled_by_hand_at",
      "payments.refunded_minor",
      "payments.disputed",
    ])
    .where("payments.tenant_id", "=", tenantId)
    .orderBy("payments.paid_at", "desc")
    .orderBy("payments.payment_id")
    .limit(limit);
  return (status === undefined ? query : query.where("payments.erp_push_status", "=", status)).execute();
}

export type ListedReceipt = Awaited<ReturnType<typeof latestReceipts>>[number];
