import fc from "fast-check";
import { expect, test } from "vitest";
import type { ErpGateway } from "../../../../src/gateways/erp/gateway.ts";
import { parseLossless } from "../../../../src/gateways/erp/lossless-json.ts";
import { plainDecimal, sumOf } from "../../../../src/gateways/erp/oracle-fusion/schema.ts";
import { endlessErp } from "../../../support/endless-server.ts";
import { served } from "../../../support/served.ts";
import {
  answering,
  connect,
  failure,
  installment,
  invoice,
  readAll,
  scaled,
  signal,
  simulator,
  written,
} from "../support.ts";

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

/** The same number in millionths: what two decimals are compared by. */
function millionths(decimal: string): bigint {
  const [whole = "", fraction = ""] = decimal.replace("-", "").split(".");
  return BigInt(whole + fraction.padEnd(6, "0")) * (decimal.startsWith("-") ? -1n : 1n);
}

test("a plain decimal has the value of what it was made of, and one spelling", () => {
  fc.assert(
    fc.property(scaled, (number) => {
      const plain = plainDecimal(written(number));
      expect(plain).toMatch(/^(?:0|-?(?:0\.\d*[1-9]|[1-9]\d*(?:\.\d*[1-9])?))$/);
      expect(millionths(plain ?? "")).toBe(millionths(written(number)));
      expect(plainDecimal(plain ?? "")).toBe(plain);
    }),
  );
});

test("an exponent only moves the point", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
      fc.nat(6),
      fc.constantFrom("e", "E"),
      (units, digits, e) => {
        expect(plainDecimal(`${units}${e}-${digits}`)).toBe(plainDecimal(written({ units, digits })));
        expect(plainDecimal(`${units}${e}+${digits}`)).toBe(plainDecimal(String(units * 10n ** BigInt(digits))));
      },
    ),
  );
});

test("sums are exact", () => {
  fc.assert(
    fc.property(fc.array(scaled), (numbers) => {
      const sum = sumOf(numbers.map((number) => plainDecimal(written(number)) ?? ""));
      expect(millionths(sum)).toBe(numbers.reduce((total, number) => total + millionths(written(number)), 0n));
    }),
  );
});

test.each([
  "",
  " 1",
  "1 ",
  "+1",
  ".5",
  "5.",
  "1,5",
  "1_000",
  "0x10",
  "NaN",
  "Infinity",
  "1e",
  "1e9999",
  "1e31",
  "1e-21",
  "--1",
  "１",
])("%j is no amount", (text) => {
  expect(plainDecimal(text)).toBeUndefined();
});

test("any text is a number or refused, never an error", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+.\deE]*$/)), (text) => {
      expect(plainDecimal(text) ?? "0").toMatch(/^-?\d+(?:\.\d+)?$/);
    }),
  );
});

test("JSON numbers arrive with the digits they were sent with, wherever they stand", () => {
  fc.assert(
    fc.property(fc.array(scaled), fc.jsonValue({ noUnicodeString: false }), (numbers, other) => {
      const digits = numbers.map(written);
      const text = `{"numbers":[${digits.join(",")}],"deep":{"one":${digits[0] ?? "0"}},"other":${JSON.stringify(other)}}`;
      expect(parseLossless(text, (source) => source)).toMatchObject({
        numbers: digits,
        deep: { one: digits[0] ?? "0" },
      });
      expect(parseLossless(JSON.stringify(other), Number)).toEqual(JSON.parse(JSON.stringify(other)));
    }),
  );
});
