/** When a debt is due, seen from the day of the mail; `date` is formatted for the customer's locale. */
export type Due = { readonly state: "later" | "today" | "overdue"; readonly date: string } | { readonly state: "open" };

/** The payment provider by its name, or the sandbox, where no money moves. */
export type Taker = { readonly name: string; readonly host: string; readonly isSandbox: boolean };

/** The texts of a mail with payment links in one language. Amounts and dates come formatted. */
export interface LinkMailWords {
  readonly subjectOfOne: (of: { invoice: string | null; sender: string; amount: string; due: Due }) => string;
  readonly subjectOfSeveral: (of: { invoices: number; sender: string; isOverdue: boolean }) => string;
  readonly headingOfOne: (invoice: string | null) => string;
  readonly headingOfSeveral: (invoices: number) => string;
  readonly greeting: string;
  readonly askForOne: (invoice: string | null, due: Due) => string;
  /** `overdue` of the links are, which may be none or all. */
  readonly askForSeveral: (of: { links: number; overdue: number }) => string;
  readonly customer: string;
  readonly invoice: string;
  readonly invoiceDate: string;
  readonly amountDue: string;
  readonly invoiceTotal: string;
  readonly dueOn: string;
  readonly dueToday: string;
  readonly overdueSince: string;
  /** A row's due date with its label: `due on 31 March 2026`. */
  readonly dueNote: (due: Due) => string | null;
  readonly datedNote: (date: string) => string;
  readonly total: string;
  readonly pay: (amount: string) => string;
  readonly payShort: string;
  readonly aboutLink: (taker: Taker, sender: string, links: number) => string;
  readonly alreadyPaid: (links: number) => string;
  readonly questions: (of: { contact: string | null; replies: boolean; sender: string }) => string;
}

/** The end of a sentence whose last word is a name, such as `Contoso Inc.`: with one full stop. */
export const ending = (name: string): string => (name.endsWith(".") ? name : `${name}.`);
