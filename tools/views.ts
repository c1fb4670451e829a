/** The interactive views in which clients may show tools' results (src/views/). */
export const VIEWS = {
  aging: { title: "Aging", description: "What is owed, by bucket and currency, down to customers and installments." },
  worklist: {
    title: "Worklist",
    description: "Invoices, what of them is overdue, their payment links and why one cannot be collected.",
  },
  statement: { title: "Statement", description: "Payments, and a customer's statement of account to print." },
  confirm: {
    title: "Confirmation",
    description: "What is about to happen or has happened: amounts, customers, links to copy.",
  },
} as const satisfies Record<string, { title: string; description: string }>;

export type ViewName = keyof typeof VIEWS;

/** Whether there is a view of that name. */
export function isViewName(name: string): name is ViewName {
  return Object.hasOwn(VIEWS, name);
}
