import { z } from "zod";
import type { AuthApp } from "./auth-app.ts";
import { type Book, openBook } from "./book.ts";
import { furnishCollecting } from "./furnish.ts";
import { syncRunRow, taskRow } from "./rows.ts";
import { addRows } from "./stored.ts";

/** Names that spreadsheets, markup and files of commas take for something else. */
const NAMES = [
  "Globex, Inc.",
  '=HYPERLINK("http://evil.example","x")',
  "<b>Bold</b> & Söhne",
  "@SUM(A1)\r\n-2+3",
  "-12.5",
];

/** A book with names that hurt, amounts of every scale and more rows than a page holds. */
export async function hurtfulBook(
  app: AuthApp,
): Promise<{ book: Book; email: string; invoiceId: string; customerId: string }> {
  const { store } = app.core;
  const book = await openBook(store, { name: "Acme <Ltd>" });
  const customers = [];
  for (const [index, name] of NAMES.entries()) customers.push(await book.customer({ name, number: `+${index}` }));
  const days = ["2020-01-01", "2026-02-01", "2999-12-31"];
  const made = [];
  for (let count = 0; count < 60; count += 1) {
    const customer = customers[count % NAMES.length];
    if (customer === undefined) throw new Error("every name has a customer");
    const currency = ["USD", "EUR", "JPY", "KWD"][count % 4] ?? "USD";
    const original_amount = ["0.1", "1234567.89", "99999999999999999999.9999", "7"][count % 4] ?? "1";
    const facts = { currency, total_amount: original_amount, invoice_number: `=1+${count}` };
    const due_date = days[count % 3] ?? null;
    made.push(await book.invoice({ customer, ...facts }, [{ due_date, original_amount }]));
  }
  const [first] = made;
  const [installment] = first?.installments ?? [];
  if (first === undefined || installment === undefined) throw new Error("the book is empty");
  await furnishCollecting(store, installment);
  const run = {
    status: "failed",
    error_code: "erp_rejected",
    error_reason: { code: "unusable", what: "=1+1" },
    invoices_read: 1204,
  } as const;
  const runs = [{}, run].map((row) => syncRunRow(book.tenantId, book.connectionId, row));
  await addRows(store, book.tenantId, { tasks: taskRow(book.tenantId, first.invoice.invoice_id), sync_runs: runs });
  const { email } = await app.addPerson(book.tenantId);
  return { book, email, invoiceId: first.invoice.invoice_id, customerId: customers[0]?.customer_id ?? "" };
}

/** The value that a column of a file is of: `customer_name` is `customer.name` where there is one. */
export function valueInRow(row: Record<string, unknown>, name: string): unknown {
  if (name in row) return row[name];
  const [outer] = Object.keys(row).filter((key) => name.startsWith(`${key}_`) && typeof row[key] === "object");
  const inner = z
    .record(z.string(), z.unknown())
    .nullable()
    .parse(outer === undefined ? null : row[outer]);
  return outer === undefined ? undefined : inner?.[name.slice(outer.length + 1)];
}
