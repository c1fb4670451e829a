import type { AuthApp } from "./auth-app.ts";
import { openBook } from "./book.ts";

/** A workspace in Auckland with a customer who owes, an admin's and a member's browser, and the customer's page. */
export async function officeOf(app: AuthApp) {
  const { store } = app.core;
  const book = await openBook(store, { name: "Acme", timezone: "Pacific/Auckland" });
  const customer = await book.customer({ name: "Globex" });
  await book.invoice({ customer, invoice_number: "INV-0" }, [{}]);
  const { browser } = await app.newcomer("admin", book.tenantId);
  const { browser: member } = await app.newcomer("member", book.tenantId);
  return { store, book, customer, browser, member, path: `/customers/${customer.customer_id}` };
}
