import { z } from "zod";
import { Cursor } from "../gate/list-parameters.ts";
import { NotCollectibleReason } from "../invoices/schema.ts";
import { nameSchemas, notThis, PlainDate, Uuid } from "../kernel/wire-types.ts";
import { BUCKETS, UNASSIGNED, UNKNOWN_CURRENCY } from "./buckets.ts";

const CURRENCY = new RegExp(`^([A-Z]{3}|${UNKNOWN_CURRENCY})$`);
const CUSTOMER_KEY = new RegExp(`^(${UNASSIGNED})?[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`);

/** By days overdue. */
export const AgingBucket = z.enum(BUCKETS);

/** The parameters that all three operations take (service.md §4.10). */
export const AgingInput = z.strictObject({
  currency: z
    .string()
    .regex(CURRENCY, { error: notThis("must be 3 upper-case letters (ISO 4217), such as EUR, or UNKNOWN") })
    .optional()
    .describe("ISO 4217 or UNKNOWN"),
  search: z.string().min(1).max(200).optional().describe("Part of customer name or number (not of invoices)"),
  customer_key: z
    .string()
    .regex(CUSTOMER_KEY, {
      error: notThis("must be a `customer_key` of aging by customer, which `search` finds by name"),
    })
    .toLowerCase()
    .optional()
    .describe("From customer aging"),
  connection_id: Uuid.optional().describe("ERP connection"),
  bucket: AgingBucket.optional().describe("Days overdue; `current` includes today"),
  overdue_only: z.boolean().default(false).describe("Due before today"),
  due_from: PlainDate.optional().describe("Inclusive, by due date"),
  due_to: PlainDate.optional().describe("Inclusive"),
  collectible: z.boolean().optional().describe("The service can act on it"),
  not_collectible_reason: NotCollectibleReason.optional().describe("Why it cannot"),
  sort: z
    .enum(["overdue_desc", "outstanding_desc", "customer_asc", "days_late_desc"])
    .default("overdue_desc")
    .describe("Of customers, within each currency; days_late_desc across them, needs include"),
  include: z.enum(["payment_history"]).optional().describe("How customers paid in the last 2 years"),
  expected_from: PlainDate.optional().describe("Inclusive, by expected_date (from 3 payments on); with include"),
  expected_to: PlainDate.optional().describe("Inclusive"),
  limit: z.int().min(1).max(100).default(50).describe("Page size"),
  cursor: Cursor.optional(),
});
export type AgingInput = z.output<typeof AgingInput>;

/** The same, and how many customers of each currency come at most (completions §10). */
export const CustomerAgingInput = z.strictObject({
  ...AgingInput.shape,
  limit_per_currency: z.int().min(1).max(100).optional().describe("Of a ranking by amount"),
});

/** The same, and rows without an expected date by why they have none (completions §10). */
export const InstallmentAgingInput = z.strictObject({
  ...AgingInput.shape,
  no_expected_date: z.enum(["past", "unknown"]).optional().describe("And why"),
});
/** What a report takes: more than two of the three do. */
export type ReportInput = z.output<typeof InstallmentAgingInput>;

/** What a summary's debts can be grouped by (completions §10). */
export const AgingGrouping = z.enum(["month", "week", "reason", "connection"]);
export type AgingGrouping = z.output<typeof AgingGrouping>;
export type CustomerSort = AgingInput["sort"];

nameSchemas({
  AgingBucket,
  AgingGrouping,
  AgingInclude: AgingInput.shape.include.unwrap(),
  CustomerSort: AgingInput.shape.sort.unwrap(),
  WithoutExpectedDate: InstallmentAgingInput.shape.no_expected_date.unwrap(),
});
