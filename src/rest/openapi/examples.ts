import { AGING, CUSTOMER_ROWS } from "../../core/gate/example-aging.ts";
import { ERP_CONNECTION, HALF_PAID, HALVES, SYNC_RUN, TASK, WORKFLOW } from "../../core/gate/example-book.ts";
import { PAYMENT } from "../../core/gate/example-links.ts";
import type { Route } from "../routes.ts";
import type { Schema } from "./schemas.ts";

const CURSOR = "q1s9Lm0c2VhbGVkX2N1cnNvcg";
/** The ids in paths. */
const PATH_IDS: Readonly<Record<string, string>> = {
  invoiceId: HALF_PAID.id,
  connectionId: ERP_CONNECTION.id,
  syncRunId: SYNC_RUN.id,
  taskId: TASK.id,
};
const FILTERS: Readonly<Record<string, unknown>> = {
  collection_status: HALF_PAID.collection_status,
  currency: HALF_PAID.currency,
  invoice_number: HALF_PAID.invoice_number,
  connection_id: ERP_CONNECTION.id,
  updated_since: "2026-03-01T00:00:00.000Z",
  confirmed_since: "2026-03-01T00:00:00.000Z",
  customer_id: HALF_PAID.customer.id,
  erp_push_state: HALF_PAID.erp_push_state,
  erp_push_status: PAYMENT.erp_push_status,
  has_active_payment_link: true,
  due_before: AGING.report_date,
  due_after: "2026-03-01",
  invoice_id: HALF_PAID.id,
  installment_id: HALVES[1]?.id,
  state: TASK.state,
  enabled: WORKFLOW.enabled,
  workflow_id: WORKFLOW.id,
  search: "globex",
  customer_key: CUSTOMER_ROWS[0]?.customer_key,
  bucket: "days_1_30",
  overdue_only: true,
  due_from: "2026-03-16",
  due_to: "2026-03-22",
  collectible: true,
  not_collectible_reason: "disputed",
  include: "payment_history",
  expected_from: "2026-04-01",
  expected_to: "2026-04-30",
  sort: "overdue_desc",
  order: "desc",
  include_total: true,
  cursor: CURSOR,
};
/** An example of a parameter: the operation's own, else the one for its name; undefined without either. */
export function exampleParameter({ example }: Route["operation"], name: string, schema: Schema): unknown {
  return example?.parameters?.[name] ?? PATH_IDS[name] ?? FILTERS[name] ?? schema.default;
}
