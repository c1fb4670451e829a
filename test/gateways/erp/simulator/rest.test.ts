import { expect, test } from "vitest";
import type { FusionItem } from "../../../../src/simulators/fusion/index.ts";
import { idOf, installment, invoice, invoices, PASSWORD, simulator, USER } from "../support.ts";
import { ACCOUNTS, column, get, INVOICES } from "./client.ts";

const CREDENTIALS = { Authorization: `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString("base64")}` };

async function tenant(items: readonly FusionItem[] = invoices(1, 60), accounts: readonly FusionItem[] = []) {
  const { url } = await simulator({ invoices: items, accounts });
  return (path: string, query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    get(url, path, query, { ...CREDENTIALS, ...headers });
}

test("a list comes in Fusion's envelope, 25 at a time", async () => {
  const ask = await tenant();
  const { status, body } = await ask(INVOICES);
  expect(status).toBe(200);
  expect(body).toMatchObject({ count: "25", hasMore: true, limit: "25", offset: "0" });
  expect(body.items).toHaveLength(25);
  expect(body).not.toHaveProperty("totalResults");
  expect(body.links).toEqual([
    expect.objectContaining({ rel: "self", name: "receivablesInvoices", kind: "collection" }),
  ]);
});

test("limit and offset page through it; the total comes when asked for", async () => {
  const ask = await tenant();
  const { body } = await ask(INVOICES, { limit: "7", offset: "55", totalResults: "true" });
  expect(body).toMatchObject({ count: "5", hasMore: false, limit: "7", offset: "55", totalResults: "60" });
  expect(column(body, "TransactionNumber")).toEqual([56, 57, 58, 59, 60].map((number) => `INV-${number}`));
  expect((await ask(INVOICES, { offset: "60" })).body).toMatchObject({ items: [], count: "0", hasMore: false });
});

test("no page holds more than 500", async () => {
  const ask = await tenant(invoices(1, 501));
  expect((await ask(INVOICES, { limit: "9999" })).body).toMatchObject({ count: "500", limit: "500", hasMore: true });
});

test("orderBy sorts by value, several attributes, what has none last", async () => {
  const amounts = ["10", "9", "9.0", "1e1", null];
  const items = amounts.map((amount, index) =>
    invoice(index, { EnteredAmount: amount === null ? null : JSON.rawJSON(amount) }),
  );
  const ask = await tenant(items);
  const sorted = async (orderBy: string) => column((await ask(INVOICES, { orderBy })).body, "TransactionNumber");
  expect(await sorted("EnteredAmount:asc,CustomerTransactionId:desc")).toEqual([
    "INV-2",
    "INV-1",
    "INV-3",
    "INV-0",
    "INV-4",
  ]);
  expect(await sorted("CustomerTransactionId:desc")).toEqual(["INV-4", "INV-3", "INV-2", "INV-1", "INV-0"]);
});

test("numbers are written with the digits they were given with", async () => {
  const ask = await tenant([
    invoice(1, { CustomerTransactionId: JSON.rawJSON("300100180148289123"), EnteredAmount: JSON.rawJSON("0.10") }),
  ]);
  const { text } = await ask(INVOICES, { fields: "CustomerTransactionId,EnteredAmount", onlyData: "true" });
  expect(text).toContain('"items":[{"CustomerTransactionId":300100180148289123,"EnteredAmount":0.10}]');
});

test("fields choose, onlyData leaves out the links, fields win over expand", async () => {
  const ask = await tenant(invoices(1, 1));
  const chosen = (await ask(INVOICES, { fields: "TransactionNumber", expand: "receivablesInvoiceInstallments" })).body;
  expect(Object.keys(chosen.items?.[0] ?? {})).toEqual(["TransactionNumber", "links"]);
  const data = (await ask(INVOICES, { onlyData: "true" })).body.items?.[0] ?? {};
  expect(data).not.toHaveProperty("links");
  expect(data).not.toHaveProperty("receivablesInvoiceInstallments");
});

test("children expand into a collection of 25 at most, before framework version 3 into a bare list", async () => {
  const parts = Array.from({ length: 30 }, (_, index) => installment(1, index + 1));
  const ask = await tenant([invoice(1, {}, parts)]);
  const expand = { expand: "receivablesInvoiceInstallments", onlyData: "true" };
  const children = async (version: string) =>
    (await ask(INVOICES, expand, { "REST-Framework-Version": version })).body.items?.[0]
      ?.receivablesInvoiceInstallments;
  expect(await children("4")).toMatchObject({ count: "25", hasMore: true, limit: "25", offset: "0" });
  expect(await children("3")).toHaveProperty("items");
  expect(await children("2")).toHaveLength(25);
});

test("items and children have addresses of their own", async () => {
  const parts = [1, 2, 3].map((sequence) => installment(1, sequence));
  const ask = await tenant([invoice(1, {}, parts)]);
  const children = `${INVOICES}/${idOf(1)}/child/receivablesInvoiceInstallments`;
  expect((await ask(`${INVOICES}/${idOf(1)}`)).body.TransactionNumber).toBe("INV-1");
  expect((await ask(children, { limit: "2", offset: "1" })).body).toMatchObject({ count: "2", hasMore: false });
  expect((await ask(children, { q: "InstallmentSequenceNumber > 2" })).body).toMatchObject({ count: "1" });
  expect((await ask(`${children}/${BigInt(idOf(1)) + 2n}`)).body.InstallmentSequenceNumber).toBe("2");
});

test.each([
  `${INVOICES}/1`,
  `${INVOICES}/${idOf(1)}/child/nothing`,
  `${INVOICES}/${idOf(1)}/parent/receivablesInvoiceInstallments`,
  `${INVOICES}/${idOf(1)}/child/receivablesInvoiceInstallments/1`,
  "/fscmRestApi/resources/11.13.18.05/receivablesReceipts",
  "/fscmRestApi/resources/11.13.18.05/accounts",
  "/elsewhere",
  "/",
])("%s is not there", async (path) => {
  const ask = await tenant();
  expect((await ask(path)).status).toBe(404);
});

test("accounts are on the CRM's base path", async () => {
  const account = { PartyId: 5, PrimaryContactEmail: "a@b.example" };
  const ask = await tenant([], [account]);
  expect((await ask(ACCOUNTS, { q: "PartyId in (5, 6)" })).body.items).toHaveLength(1);
  expect((await ask(`${ACCOUNTS}/5`)).body.PrimaryContactEmail).toBe("a@b.example");
});

test.each([
  { q: "TransactionNumber='A';DueDate='2026-01-01'" },
  { q: "Nothing = 1" },
  { q: "constructor = 1" },
  { q: "EnteredAmount = 'many'" },
  { q: "DueDate > 'soon'" },
  { q: "DueDate > 20260101" },
  { orderBy: "Nothing:asc" },
  { orderBy: "DueDate:up" },
  { fields: "Nothing" },
  { expand: "nothing" },
  { limit: "0" },
  { limit: "many" },
  { offset: "-1" },
  { finder: "invoiceSearch;x=1" },
])("%j is a bad request", async (query) => {
  const ask = await tenant();
  const { status, body } = await ask(INVOICES, query);
  expect(status).toBe(400);
  expect(body).toMatchObject({
    title: "Bad Request",
    status: "400",
    "o:errorDetails": [{ detail: expect.any(String) }],
  });
});

test("errors are JSON from framework version 4 on for who accepts it, else plain text", async () => {
  const ask = await tenant();
  const asked = async (version: string, accept: string) =>
    (await ask(INVOICES, { q: "x" }, { "REST-Framework-Version": version, Accept: accept })).type;
  expect(await asked("4", "application/json")).toBe("application/vnd.oracle.adf.error+json");
  expect(await asked("6", "application/vnd.oracle.adf.error+json")).toBe("application/vnd.oracle.adf.error+json");
  expect(await asked("4", "*/*")).toMatch("text/plain");
  expect(await asked("3", "application/json")).toMatch("text/plain");
  expect((await ask(INVOICES, {}, { "REST-Framework-Version": "12" })).status).toBe(400);
});

test("without a version it is version 1, where conditions are joined by semicolons", async () => {
  const { url } = await simulator({ invoices: invoices(1, 9) });
  const query = new URLSearchParams({ q: "TransactionNumber!='INV-1';TransactionNumber!='INV-2'" });
  const response = await fetch(`${url}${INVOICES}?${query}`, { headers: CREDENTIALS });
  expect(await response.json()).toMatchObject({ count: 7 });
});

test("nobody gets in without the right credentials", async () => {
  const { url } = await simulator({ invoices: invoices(1, 1) });
  for (const headers of [{}, { Authorization: "Basic eA==" }, { Authorization: "Bearer x" }]) {
    const response = await fetch(`${url}${INVOICES}`, { headers });
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, 'Basic realm="fusion"']);
  }
});

test("anybody does where none are set", async () => {
  const erp = await simulator({ credentials: undefined });
  expect((await get(erp.url, INVOICES)).status).toBe(200);
});

test("what is not a read is not allowed", async () => {
  const { url } = await simulator();
  for (const method of ["POST", "PATCH", "DELETE"]) {
    expect((await fetch(`${url}${INVOICES}`, { method, headers: CREDENTIALS })).status).toBe(405);
  }
});

test("the book can be changed while it is served", async () => {
  const erp = await simulator({ invoices: invoices(1, 3) });
  const numbers = async () => column((await get(erp.url, INVOICES, {}, CREDENTIALS)).body, "TransactionNumber");
  erp.putInvoices(invoice(2, { TransactionNumber: "changed" }), invoice(4));
  erp.removeInvoices(idOf(1), "unknown");
  expect(await numbers()).toEqual(["changed", "INV-3", "INV-4"]);
  erp.putAccounts({ PartyId: 1 }, { PartyId: 2 });
  erp.removeAccounts("1");
  expect(column((await get(erp.url, ACCOUNTS, {}, CREDENTIALS)).body, "PartyId")).toEqual(["2"]);
});

test("an item without its key is refused", async () => {
  const erp = await simulator();
  expect(() => erp.putInvoices({ TransactionNumber: "x" })).toThrow("CustomerTransactionId");
  expect(() => erp.putInvoices({ CustomerTransactionId: 1, Comments: { a: 1 } })).toThrow("Comments");
});

test("requests are remembered, control aside", async () => {
  const erp = await simulator();
  await fetch(`${erp.url}/_control`, { method: "POST", body: "{}" });
  await get(erp.url, INVOICES, { limit: "3" });
  expect(erp.requests).toEqual([expect.objectContaining({ method: "GET", path: INVOICES, query: { limit: "3" } })]);
  erp.forgetRequests();
  expect(erp.requests).toEqual([]);
});
