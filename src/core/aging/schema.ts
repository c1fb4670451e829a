import { z } from "zod";
import { ReadUpTo } from "../gate/pagination.ts";
import { Nearest } from "../gate/search-queries.ts";
import { NotCollectibleReason } from "../invoices/schema.ts";
import {
  Count,
  describeSpelling,
  Instant,
  MoneyString,
  nameSchemas,
  PlainDate,
  SKETCHED,
  Uuid,
} from "../kernel/wire-types.ts";
import { AgingBucket } from "./list-parameters.ts";

/** Which rows all three operations count, in the words of the API's description. */
export const COUNTED_ROWS =
  "A row counts when its installment is live, owes money, is not closed in the ERP and has a due date. The invoice's status does not matter.";

const Currency = describeSpelling(z.string(), "ISO 4217 code or UNKNOWN");

const AsOf = describeSpelling(Instant.nullable(), "Oldest complete sync behind it; null without an ERP");

const AMOUNTS = {
  currency: Currency,
  outstanding: describeSpelling(MoneyString, "Sum of all buckets"),
  overdue: describeSpelling(MoneyString, "Sum of all buckets but `current`"),
  current: describeSpelling(MoneyString, "Not overdue: due today or later"),
  days_1_30: describeSpelling(MoneyString, "1 to 30 days overdue"),
  days_31_60: describeSpelling(MoneyString, "31 to 60 days overdue"),
  days_61_90: describeSpelling(MoneyString, "61 to 90 days overdue"),
  over_90: describeSpelling(MoneyString, "Over 90 days overdue"),
  past_expected: describeSpelling(
    MoneyString.optional(),
    "Should be in by habit, and is not; with include=payment_history",
  ),
  as_of: AsOf,
};

const CUSTOMER = {
  customer_key: z.string().describe("For drilldown"),
  customer_id: Uuid.nullable(),
  customer_name: z.string(),
  customer_number: z.string().nullable(),
};

const PaidInstallments = Count.optional().describe("Closed in 2 years, with include=payment_history");

/** What every aging report tells (service.md §2.6). */
const REPORT = {
  report_date: describeSpelling(PlainDate, "The workspace's business day"),
  timezone: describeSpelling(z.string(), "Of the workspace"),
  generated_at: Instant,
  balance_basis: z.enum(["finero_reconciled_current"]).describe("Current reconciled balances; no credits, no FX"),
  revision: describeSpelling(z.string(), "Changes whenever the rows behind the answer do"),
  currencies: describeSpelling(z.array(z.string()), "All of the workspace"),
  data_updated_at: Instant.nullable().describe("Latest change of a record; no proof of a complete sync"),
  totals: z.array(z.strictObject(AMOUNTS)).describe("One per currency; never add currencies up"),
  nearest: Nearest,
};

/** completions §10: debts of a currency in a month, in a week, with a reason or of an ERP. */
const AgingGroup = z.strictObject({
  currency: Currency,
  group: z
    .string()
    .describe("YYYY-MM, a Monday, a reason (or `collectible`, `no_installments`), or a connection's id (or `none`)"),
  outstanding: MoneyString,
  overdue: MoneyString,
  installment_count: Count,
  as_of: AsOf.optional(),
  connection_name: z.string().nullable().optional(),
});

/** The summary is nothing else, but for what `group_by` asks for. */
export const AgingSummary = z.strictObject({ ...REPORT, groups: z.array(AgingGroup).optional() });

/** service.md §2.6. */
export const CustomerAgingRow = z.strictObject({
  ...CUSTOMER,
  ...AMOUNTS,
  invoice_count: describeSpelling(Count, "Invoices behind the row"),
  installment_count: describeSpelling(Count, "Installments behind the row"),
  max_days_overdue: Count.nullable().describe("Null if none"),
  paid_installments: PaidInstallments,
  median_days_late: z.number().nullable().optional().describe("Negative when early"),
  average_days_late: z.number().nullable().optional().describe("Negative when early"),
  on_time_share: z.number().nullable().optional().describe("0 to 1"),
});

/** service.md §2.6. */
export const InstallmentAgingRow = z.strictObject({
  ...CUSTOMER,
  invoice_id: Uuid,
  invoice_number: z.string().describe("Empty if none"),
  installment_id: Uuid.nullable().describe("Null for an invoice without installments"),
  sequence_number: z.int().nullable(),
  invoice_installment_count: Count.describe("All the invoice has, paid ones too"),
  amount: MoneyString.describe("The same as `outstanding`"),
  outstanding: MoneyString.describe("Still to collect"),
  available_amount: MoneyString.describe("Less its active links"),
  currency: Currency,
  due_date: PlainDate.nullable(),
  days_overdue: z.int().nullable().describe("Negative before the due date"),
  bucket: AgingBucket,
  collectible: z.boolean().describe("The service can act on it"),
  not_collectible_reason: NotCollectibleReason.nullable().describe("The first that holds"),
  not_collectible_reasons: z.array(NotCollectibleReason).describe("All that hold").register(SKETCHED, {}),
  as_of: AsOf,
  paid_installments: PaidInstallments,
  expected_date: PlainDate.nullable()
    .optional()
    .describe("Due date + median days late; null below 3 payments, or past"),
  past_expected: z.boolean().optional().describe("That day is past"),
});

const AgingPagination = z.strictObject({
  total_count: describeSpelling(Count, "Rows on all pages"),
  limit: Count,
  next_cursor: z.string().nullable(),
  as_of: ReadUpTo,
});

/** service.md §4.10 rules 5 and 6. */
export const CustomerAging = z.strictObject({
  ...REPORT,
  data: z.array(CustomerAgingRow),
  pagination: AgingPagination,
});
export const InstallmentAging = z.strictObject({
  ...REPORT,
  data: z.array(InstallmentAgingRow),
  pagination: AgingPagination,
});

nameSchemas({
  AgingGroup,
  AgingPagination,
  AgingSummary,
  AgingTotals: REPORT.totals.element,
  BalanceBasis: REPORT.balance_basis,
  CustomerAgingRow,
  InstallmentAgingRow,
});
