import { expect, test } from "vitest";
import type { ErpInvoice } from "../../../../src/gateways/erp/gateway.ts";
import { type BookProfile, generateBook } from "../../../../src/simulators/fusion/book.ts";
import { connect, readAll, signal, simulator } from "../support.ts";

const PROFILE: BookProfile = { seed: 7, today: "2026-11-20", invoices: 300 };

async function read(profile: BookProfile) {
  const book = generateBook(profile);
  const { url } = await simulator(book);
  const erp = connect(url);
  const invoices = await readAll(erp);
  const parties = invoices.map(({ customer }) => customer.erpCustomerId).filter((id) => id !== null);
  const contacts = await erp.readBillingContacts(parties, { signal });
  const byId = new Map(invoices.map((invoice) => [invoice.erpInvoiceId, invoice]));
  const specimen = (name: Parameters<typeof book.specimens.get>[0]): ErpInvoice => {
    const found = byId.get(book.specimens.get(name) ?? "");
    if (found === undefined) throw new Error(`no ${name}`);
    return found;
  };
  return { invoices, contacts, specimen };
}

test("the same profile makes the same book, another seed another", () => {
  const text = (profile: BookProfile) =>
    JSON.stringify(generateBook(profile), (_key, value) => (typeof value === "bigint" ? String(value) : value));
  expect(text(PROFILE)).toBe(text({ ...PROFILE }));
  expect(text(PROFILE)).not.toBe(text({ ...PROFILE, seed: 8 }));
});

test("every peculiar kind comes through the connector as what it is", async () => {
  const { invoices, contacts, specimen } = await read(PROFILE);
  expect(invoices).toHaveLength(300);
  const first = (name: Parameters<typeof specimen>[0]) => specimen(name).installments[0];
  expect(first("dueToday")?.dueDate).toBe("2026-11-20");
  expect(first("overdue91")?.dueDate).toBe("2026-08-21");
  expect(specimen("fourInstallments").installments).toHaveLength(4);
  expect(specimen("manyInstallments").installments).toHaveLength(30);
  expect(first("settled")).toMatchObject({ outstanding: "0", closed: true });
  expect(first("settledWithBalance")?.outstanding).not.toBe("0");
  expect(first("zeroBalance")).toMatchObject({ outstanding: "0", closed: false });
  expect(first("credit")?.outstanding).toMatch(/^-/);
  expect(first("disputed")?.disputed).toBe(true);
  expect(first("excluded")?.excluded).toBe(true);
  expect([specimen("incomplete").finalised, specimen("frozen").finalised, specimen("open").finalised]).toEqual([
    false,
    false,
    true,
  ]);
  expect(specimen("withoutInstallments")).toMatchObject({ installments: [], dueDate: "2026-10-18" });
  expect(specimen("withoutInstallments").openBalance).not.toBeNull();
  expect(first("withoutDueDates")?.dueDate).toBeNull();
  expect(specimen("withoutCurrency").currency).toBeNull();
  expect(specimen("withoutCustomer").customer).toEqual({ erpCustomerId: null, number: null, name: null, site: null });
  const unreachable = specimen("withoutEmail").customer.erpCustomerId ?? "";
  expect(contacts.get(unreachable)?.email ?? null).toBeNull();
  expect(contacts.get(specimen("open").customer.erpCustomerId ?? "")?.email).toMatch(/@customers\.example$/);
  expect(specimen("ledgerInOtherCurrency").openBalance).toBe(first("ledgerInOtherCurrency")?.outstanding);
  expect(specimen("veryOld").invoiceDate).toMatch(/^2000-/);
  expect(specimen("future").invoiceDate).toBe("2027-01-04");
});

test("names that are easy to get wrong, one of them twice; customers with every kind of contact", async () => {
  const { invoices, contacts } = await read(PROFILE);
  const customers = new Map(
    invoices.flatMap(({ customer: { erpCustomerId, name } }): [string, string | null][] =>
      erpCustomerId === null ? [] : [[erpCustomerId, name]],
    ),
  );
  const names = [...customers.values()];
  for (const sign of ["%", "_", "'", '"', "<b>", "株", "ش", "\\"]) expect(names.join("\n")).toContain(sign);
  expect(names.filter((name) => name === "Meridian Supplies")).toHaveLength(2);
  const kinds = [...customers.keys()].map((id) => contacts.get(id));
  expect(kinds).toContain(undefined);
  expect(kinds).toContainEqual({ contactName: expect.any(String), email: null });
  expect(kinds).toContainEqual({ contactName: null, email: expect.any(String) });
});
