/** The headings of the API's description, with the text of each. */
export const TAGS = {
  Workspace: "Whose key this is and what it may do.",
  Invoices: "Invoices synced from the ERP or made in the service, with their installments and collection state.",
  "Payment links": "Pages a customer pays an installment at, and the providers behind them.",
  Payments: "Payments that a provider confirmed, and the write-back of their receipts to the ERP.",
  "ERP connections": "Connections to ERP systems and the runs that pull from them.",
  Tasks: "What waits for a person.",
  Workflows: "What runs by itself after a delivery, and what it did.",
  Aging: "Installment-level aging of what is owed now, on the workspace's business day.",
} as const;
export type Tag = keyof typeof TAGS;
