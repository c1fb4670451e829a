import fc from "fast-check";
import { expect, test } from "vitest";
import { createFusionSimulator } from "../../../../src/simulators/fusion/index.ts";
import { served } from "../../../support/served.ts";
import { connect, failure, idOf, invoice, invoices, readAll, signal, simulator } from "../support.ts";

const numbers = (read: readonly { invoiceNumber: string | null }[]): string[] =>
  read.map((one) => one.invoiceNumber ?? "");
const expected = (to: number): string[] => Array.from({ length: to }, (_, index) => `INV-${index + 1}`);

test.each([0, 1, 2, 3, 4, 5, 9, 10, 23])("reads each of %i invoices once, in the order of their ids", async (count) => {
  const { url } = await simulator({ invoices: invoices(1, count).toReversed() });
  expect(numbers(await readAll(connect(url, { pageSize: 4 })))).toEqual(expected(count));
});

test("asks as Fusion needs to be asked", async () => {
  const erp = await simulator({ invoices: invoices(1, 5) });
  await readAll(connect(erp.url, { pageSize: 3 }));
  expect(erp.requests.map((request) => request.query)).toEqual(
    ["0", "2", "4"].map((offset) => ({
      onlyData: "true",
      expand: "receivablesInvoiceInstallments",
      orderBy: "CustomerTransactionId:asc",
      limit: "3",
      offset,
    })),
  );
  expect(erp.requests[0]?.headers["rest-framework-version"]).toBe("4");
  expect(erp.requests[0]?.path).toBe("/fscmRestApi/resources/11.13.18.05/receivablesInvoices");
});

test("never asks for more than Fusion gives without erring", async () => {
  const erp = await simulator({ invoices: invoices(1, 1_010) });
  const read = await readAll(connect(erp.url, { pageSize: 10_000 }));
  expect(read).toHaveLength(1_010);
  expect(erp.requests.map((request) => [request.query.limit, request.query.offset])).toEqual([
    ["499", "0"],
    ["499", "498"],
    ["499", "996"],
  ]);
});

test("reads on where the server's cap is below the page size", async () => {
  const erp = await simulator({ invoices: invoices(1, 1_010) });
  const url = await served(async (request, response) => {
    const target = new URL(request.url ?? "", erp.url);
    target.searchParams.set("limit", "300");
    const headers = { authorization: request.headers.authorization ?? "", "rest-framework-version": "4" };
    response.end(await (await fetch(target, { headers })).text());
  });
  expect(await readAll(connect(url))).toHaveLength(1_010);
});

test("takes only what is dated pullFrom or later", async () => {
  const dates = ["2025-12-31", "2026-01-01", "2026-01-02"];
  const { url } = await simulator({ invoices: dates.map((date, index) => invoice(index, { TransactionDate: date })) });
  const read = [];
  for await (const page of connect(url).readInvoicePages({ pullFrom: "2026-01-01", signal }))
    read.push(...page.invoices);
  expect(read.map((one) => one.invoiceDate)).toEqual(["2026-01-01", "2026-01-02"]);
});

const between = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

test("whatever is added and removed meanwhile, what stays is read exactly once and in order", async () => {
  type Step = { add?: number[]; remove?: number[] };
  const some = fc.array(fc.nat(60), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.nat(60)),
      fc.array<Step>(fc.record({ add: some, remove: some })),
      fc.integer({ min: 2, max: 7 }),
      async (start, steps, pageSize) => {
        const erp = createFusionSimulator({ invoices: start.map((number) => invoice(number)) });
        await erp.listen();
        try {
          const stayed = new Set(start);
          const read = await readAll(connect(erp.url, { pageSize }), (_page, number) => {
            const { add = [], remove = [] } = steps[number - 1] ?? {};
            erp.putInvoices(...add.map((id) => invoice(id)));
            erp.removeInvoices(...remove.map(idOf));
            for (const id of remove) stayed.delete(id);
          });
          const ids = read.map((one) => BigInt(one.erpInvoiceId));
          expect(ids).toEqual([...new Set(ids)].sort((a, b) => (a < b ? -1 : 1)));
          for (const number of stayed) expect(ids).toContain(BigInt(idOf(number)));
        } finally {
          await erp.close();
        }
      },
    ),
    {
      numRuns: 60,
      examples: [
        // Whole pages before it vanish, or all before the last page.
        [between(1, 60), [...between(1, 20).map(() => ({})), { remove: between(1, 38) }], 3],
        [between(1, 6), [{ remove: between(1, 5) }], 5],
        // More rows come in before it than many pages hold.
        [between(21, 23), [{ add: between(1, 20) }], 2],
      ],
    },
  );
});

const row = (id: number) => ({
  CustomerTransactionId: id,
  receivablesInvoiceInstallments: { items: [], hasMore: false },
});
const saying = (pages: readonly unknown[]) => {
  let asked = 0;
  const address = served((_request, response) => {
    response.end(JSON.stringify(pages[Math.min(asked, pages.length - 1)]));
    asked += 1;
  });
  return { address, asked: () => asked };
};

test.each([
  ["ends where hasMore is claimed for ever after the last row", [[1, 2], [2]], true, 2],
  ["ends at an empty page that claims more", [[]], true, 0],
  ["reads on after a full page that claims to be the last", [[1, 2], [2, 3], [3]], false, 3],
  ["takes a row that is sent twice on a page once", [[1, 1, 2], [2]], false, 2],
])("%s", async (_name, pages, hasMore, count) => {
  const { address } = saying(pages.map((ids) => ({ items: ids.map(row), hasMore })));
  expect(await readAll(connect(await address, { pageSize: 2 }))).toHaveLength(count);
});

test("refuses a server that sends the same page for ever", async () => {
  const { address, asked } = saying([{ items: [row(1), row(2), row(3)], hasMore: true }]);
  const error = await failure(readAll(connect(await address, { pageSize: 3 })));
  expect(error.kind).toBe("erp_rejected");
  expect(asked()).toBeLessThan(20);
});

test("refuses a server whose pages stop fitting together", async () => {
  let asked = 0;
  const address = await served((request, response) => {
    asked += 1;
    const offset = Number(new URL(request.url ?? "", "http://x").searchParams.get("offset"));
    const first = asked <= 100 ? offset + 1 : 1_000 + asked;
    response.end(JSON.stringify({ items: [row(first), row(first + 1)], hasMore: true }));
  });
  const error = await failure(readAll(connect(address, { pageSize: 2 })));
  expect([error.kind, error.publicMessage]).toEqual([
    "erp_rejected",
    "The ERP's answer cannot be used: its pages do not fit together.",
  ]);
  expect(asked).toBe(151);
});

test("refuses rows out of order, for it would lose some", async () => {
  const { address } = saying([{ items: [row(2), row(1)], hasMore: false }]);
  const error = await failure(readAll(connect(await address)));
  expect([error.kind, error.publicMessage]).toEqual([
    "erp_rejected",
    "The ERP's answer cannot be used: it is not in the order of CustomerTransactionId.",
  ]);
});

test("finds those of the ids that are still there, in batches, whatever their date", async () => {
  const erp = await simulator({ invoices: [...invoices(1, 9), invoice(10, { TransactionDate: "1999-01-01" })] });
  const asked = [1, 2, 3, 10, 11, 12].map(idOf);
  const ids = [...asked, idOf(1), "x' or '1'='1"];
  const pages = await Array.fromAsync(connect(erp.url, { idsPerQuery: 2 }).findInvoices(ids, { signal }));
  const found = pages.flatMap((page) => page.invoices);
  expect(numbers(found)).toEqual(["INV-1", "INV-2", "INV-3", "INV-10"]);
  expect(erp.requests.map((request) => request.query.q)).toEqual([
    `CustomerTransactionId in (${idOf(1)},${idOf(2)})`,
    `CustomerTransactionId in (${idOf(3)},${idOf(10)})`,
    `CustomerTransactionId in (${idOf(11)},${idOf(12)})`,
  ]);
  expect(found[0]?.installments).toHaveLength(1);
});

test("asks for nothing when there is nothing to find", async () => {
  const erp = await simulator();
  expect(await Array.fromAsync(connect(erp.url).findInvoices([], { signal }))).toEqual([]);
  expect(erp.requests).toEqual([]);
});
