import { expect, test } from "vitest";
import type { ErpGateway } from "../../../../src/gateways/erp/gateway.ts";
import { endlessErp } from "../../../support/endless-server.ts";
import { served } from "../../../support/served.ts";
import { answering, connect, failure, installment, invoice, readAll, signal, simulator } from "../support.ts";

const readPages = (erp: ErpGateway) => Array.fromAsync(erp.readInvoicePages({ pullFrom: null, signal }));
const INSTALLMENTS = "2000 installments of an invoice (MAX_INSTALLMENTS_PER_INVOICE)";
const ROWS = "1000 rows of a look-up";

test.each<["schedule" | "book" | "customers" | "receipts", string, (erp: ErpGateway) => Promise<unknown>, string]>([
  ["schedule", "a pull", readPages, INSTALLMENTS],
  ["schedule", "a look-up", (erp) => Array.fromAsync(erp.findInvoices(["1"], { signal })), INSTALLMENTS],
  ["book", "a look-up", (erp) => Array.fromAsync(erp.findInvoices(["1"], { signal })), ROWS],
  ["customers", "a look-up of contacts", (erp) => erp.readBillingContacts(["1"], { signal }), ROWS],
  ["receipts", "a look-up by number", (erp) => erp.findReceipt("PAY-1", { signal }), ROWS],
  ["receipts", "a look-up by id", (erp) => erp.readReceipt("1", { signal }), ROWS],
  ["receipts", "a poll", (erp) => erp.readReceipts(["1", "2"], { signal }), ROWS],
])("an endless %s ends %s, which names the bound [completions.7.bounds]", async (endless, _name, read, bound) => {
  const { url, requests } = await endlessErp(endless);
  expect(await failure(read(connect(url)))).toMatchObject({
    kind: "erp_rejected",
    publicMessage: `The ERP went beyond a bound of the service: ${bound}.`,
  });
  expect(requests.length).toBeLessThan(10);
});

test("an operator may set another bound for installments [completions.7.bounds]", async () => {
  const parts = Array.from({ length: 30 }, (_, index) => installment(1, index + 1));
  const erp = await simulator({ invoices: [invoice(1, {}, parts)] });
  expect(await readAll(connect(erp.url, { installmentsOfInvoice: 30 }))).toMatchObject([
    { installments: parts.map(() => ({})) },
  ]);
  const error = await failure(readAll(connect(erp.url, { installmentsOfInvoice: 29 })));
  expect(error.publicMessage).toContain("29 installments of an invoice");
  // All of them with their invoice.
  const short = await simulator({ invoices: [invoice(1, {}, parts.slice(0, 20))] });
  const whole = await failure(readAll(connect(short.url, { installmentsOfInvoice: 19 })));
  expect(whole.publicMessage).toContain("19 installments of an invoice");
});

/** Answers each request after a while with one row more than the last. */
const dripping = () =>
  served((request, response) => {
    const url = new URL(request.url ?? "/", "http://erp");
    const offset = Number(url.searchParams.get("offset"));
    const id = (index: number) => ({ CustomerTransactionId: index, StandardReceiptId: index, InstallmentId: index });
    const row = { receivablesInvoiceInstallments: { items: [], hasMore: true } };
    const isSchedule = url.pathname.endsWith("Installments");
    const items = [offset, offset + 1].map((index) => ({ ...id(index + 1), ...(isSchedule ? {} : row) }));
    setTimeout(() => response.end(JSON.stringify({ items, hasMore: true })), 10);
  });

test.each<[string, (erp: ErpGateway) => Promise<unknown>]>([
  ["pull", readPages],
  ["look-up", (erp) => erp.findReceipt("PAY-1", { signal })],
])("a %s without progress is given up after a time, which it names [completions.7.bounds]", async (_name, read) => {
  const start = performance.now();
  const error = await failure(read(connect(await dripping(), { minutesWithoutProgress: 0.005 })));
  expect([error.kind, error.publicMessage]).toEqual([
    "erp_rejected",
    "The ERP went beyond a bound of the service: 0.005 minutes without progress.",
  ]);
  expect(performance.now() - start).toBeLessThan(5_000);
});

test("a reading that makes progress is not given up, however long its caller takes [completions.7.bounds]", async () => {
  const erp = await simulator({ invoices: Array.from({ length: 6 }, (_, index) => invoice(index + 1)) });
  const pages = connect(erp.url, { pageSize: 3, minutesWithoutProgress: 0.02 }).readInvoicePages({
    pullFrom: null,
    signal,
  });
  let read = 0;
  for await (const { invoices } of pages) {
    read += invoices.length;
    if (read === 3) await new Promise((resolve) => setTimeout(resolve, 1_500));
  }
  expect(read).toBe(6);
});

test("a page of long schedules is handed over invoice by invoice [completions.7.bounds]", async () => {
  const parts = (number: number) => Array.from({ length: 1_500 }, (_, index) => installment(number * 100, index + 1));
  const erp = await simulator({
    invoices: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => invoice(number, {}, parts(number))),
  });
  const pages = await readPages(connect(erp.url));
  expect(pages.map(({ invoices }) => invoices.length)).toEqual(Array.from({ length: 9 }, () => 1));
});

test("so is one of schedules that are set aside: they were read as well [completions.7.bounds]", async () => {
  const part = { InstallmentId: 1, InstallmentDueDate: "soon" };
  const items = [1, 2, 3].map((id) => ({
    CustomerTransactionId: id,
    receivablesInvoiceInstallments: { items: Array.from({ length: 1_500 }, () => part), hasMore: false },
  }));
  const pages = await readPages(connect(await answering(JSON.stringify({ items, hasMore: false }))));
  expect(pages.map(({ unreadable }) => unreadable.length)).toEqual([1, 1, 1]);
});
