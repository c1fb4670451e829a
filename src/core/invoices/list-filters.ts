import { z } from "zod";
import { MONEY_LENGTH } from "../kernel/money.ts";
import {
  CurrencyCode,
  ExactNumber,
  type InInstants,
  InstantOrDay,
  MoneyString,
  nameSchemas,
  PlainDate,
  Search,
  Uuid,
} from "../kernel/wire-types.ts";
import { CollectionStatus, ErpPushState } from "./schema.ts";

const Threshold = MoneyString.max(MONEY_LENGTH, `must have at most ${MONEY_LENGTH} characters`);

/** Filters of service.md §4.4; they combine freely. */
export const INVOICE_FILTERS = {
  collection_status: CollectionStatus.optional().describe("Collection state"),
  currency: CurrencyCode.optional(),
  invoice_number: ExactNumber.optional(),
  connection_id: Uuid.optional().describe("ERP connection"),
  updated_since: InstantOrDay.optional().describe("Inclusive; a day starts in the workspace's timezone"),
  collection_updated_since: InstantOrDay.optional().describe("Inclusive, by `collection_updated_at`"),
  customer_id: Uuid.optional().describe("`customer.id` of an invoice"),
  erp_push_state: z
    .enum(["held", ...ErpPushState.options])
    .optional()
    .describe("`held`: has a held payment"),
  has_active_payment_link: z.boolean().optional().describe("Has an active link"),
  overdue: z.boolean().optional().describe("Some of it is overdue"),
  search: Search,
  min_outstanding: Threshold.optional().describe("`collection_outstanding`, inclusive"),
  min_overdue: Threshold.optional().describe("`overdue_outstanding`, inclusive"),
  amount: Threshold.optional().describe("Exact `total_amount`"),
  ever_had_payment_link: z.boolean().optional().describe("Withdrawn and paid ones too"),
  has_available: z.boolean().optional().describe("A link can be made: its ERP need not be connected"),
  invoice_date_from: PlainDate.optional().describe("Inclusive"),
  invoice_date_to: PlainDate.optional().describe("Inclusive"),
  due_before: PlainDate.optional().describe("Inclusive, by collection_due_date"),
  due_after: PlainDate.optional().describe("Inclusive, by collection_due_date"),
};
nameSchemas({ ErpPushStateFilter: INVOICE_FILTERS.erp_push_state.unwrap() });

export type InvoiceFilters = InInstants<z.output<z.ZodObject<typeof INVOICE_FILTERS>>>;
