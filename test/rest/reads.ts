/** Arguments of a call, in which an id may stand by its name in braces. */
export type Arguments = Readonly<Record<string, string | number | boolean>>;

/** Each reading tool with its path, and arguments for both: an id in braces in the path stands among them. */
export const READS: readonly { tool: string; path: string; args: readonly Arguments[] }[] = [
  {
    tool: "list_invoices",
    path: "/v1/invoices",
    args: [
      {},
      { limit: 2, include_total: true },
      { order: "asc", collection_status: "open", currency: "USD" },
      { due_before: "2026-02-01", due_after: "2026-01-01" },
      { customer_id: "{customer_id}", has_active_payment_link: false },
      { updated_since: "2026-03-02" },
      { connection_id: "{connection_id}", updated_since: "2026-01-01T02:00:00+02:00", invoice_number: "A 1/%é" },
    ],
  },
  { tool: "get_invoice", path: "/v1/invoices/{invoice_id}", args: [{ invoice_id: "{invoice_id}" }] },
  { tool: "list_erp_connections", path: "/v1/erp-connections", args: [{}, { limit: 1, include_total: true }] },
  {
    tool: "list_sync_runs",
    path: "/v1/sync-runs",
    args: [{}, { status: "failed", connection_id: "{connection_id}" }, { limit: 1, order: "asc" }],
  },
  { tool: "get_sync_run", path: "/v1/sync-runs/{sync_run_id}", args: [{ sync_run_id: "{sync_run_id}" }] },
  {
    tool: "list_tasks",
    path: "/v1/tasks",
    args: [{}, { state: "open", type: "payment_arrangement" }, { invoice_id: "{invoice_id}", include_total: true }],
  },
  {
    tool: "list_payment_links",
    path: "/v1/payment-links",
    args: [{}, { status: "paid", invoice_id: "{invoice_id}" }, { installment_id: "{installment_id}", order: "asc" }],
  },
  {
    tool: "get_payment_link",
    path: "/v1/payment-links/{payment_link_id}",
    args: [{ payment_link_id: "{payment_link_id}" }],
  },
  {
    tool: "list_payments",
    path: "/v1/payments",
    args: [
      {},
      { confirmed_since: "2026-01-01T02:00:00+02:00", erp_push_status: "pending", include_total: true },
      { invoice_id: "{invoice_id}", customer_id: "{customer_id}", connection_id: "{connection_id}" },
      { confirmed_since: "2026-03-02" },
    ],
  },
  { tool: "list_payment_integrations", path: "/v1/payment-integrations", args: [{}, { limit: 1, order: "asc" }] },
  { tool: "list_workflows", path: "/v1/workflows", args: [{}, { enabled: true, type: "auto_generate" }] },
  {
    tool: "list_workflow_executions",
    path: "/v1/workflow-executions",
    args: [{}, { workflow_id: "{workflow_id}", invoice_id: "{invoice_id}", status: "succeeded" }],
  },
  {
    tool: "summarize_aging",
    path: "/v1/aging/summary",
    args: [{}, { currency: "EUR" }, { overdue_only: true, search: "glob" }],
  },
  {
    tool: "list_customer_aging",
    path: "/v1/aging/customers",
    args: [{}, { limit: 1 }, { sort: "customer_asc", bucket: "over_90" }, { customer_key: "{customer_id}" }],
  },
  {
    tool: "list_installment_aging",
    path: "/v1/aging/installments",
    args: [{}, { limit: 1, overdue_only: true }, { customer_key: "{customer_id}", currency: "USD" }],
  },
];
