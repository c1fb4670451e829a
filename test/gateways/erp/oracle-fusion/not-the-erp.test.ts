import { expect, test } from "vitest";
import { served } from "../../../support/served.ts";
import { answering, connect, failure, newReceipt, readAll, signal } from "../support.ts";

/** Successes that are not the ERP's: another form than the resource is documented to have. */
const PAGES = [
  ["a sign-in page", "<html><title>Sign in</title></html>", 200],
  ["nothing", "", 200],
  ["no content", "", 204],
  ["half an object", '{"items":[', 200],
  ["an empty object", {}, 200],
  ["a bare list", [], 200],
  ["items that are no list", { items: {} }, 200],
  ["text for hasMore", { items: [], hasMore: "no" }, 200],
  ["a redirect", "<html>", 302],
  ["not modified", "", 304],
] as const;

test.each(PAGES)("%s is not the ERP's answer to any read [completions.7.form]", async (_name, body, status) => {
  const gateway = connect(await answering(body, status, status === 302 ? { Location: "/login" } : {}));
  const reads = [
    readAll(gateway),
    Array.fromAsync(gateway.findInvoices(["1"], { signal })),
    gateway.readBillingContacts(["1"], { signal }),
    gateway.findReceipt("PAY-1", { signal }),
    gateway.readReceipt("1", { signal }),
    gateway.readReceipts(["1"], { signal }),
  ];
  for (const read of reads) {
    const error = await failure(read);
    expect([error.kind, error.outcomeUnknown]).toEqual(["erp_unreachable", false]);
    expect(error.publicMessage).toMatch(/^Something other than the ERP answered at its address: /);
  }
});

test("a list is the ERP's by its form [completions.7.form]", async () => {
  expect(await readAll(connect(await answering({ items: [] }, 203)))).toEqual([]);
});

test("bytes that are not UTF-8 are not the ERP's answer", async () => {
  const url = await served((_request, response) => void response.end(Buffer.from([0x22, 0xff, 0xfe, 0x22])));
  expect(await failure(readAll(connect(url)))).toMatchObject({
    kind: "erp_unreachable",
    publicMessage: expect.stringContaining("not UTF-8"),
  });
});

const create = (url: string) => connect(url).createReceipt(newReceipt(1), { signal });
const apply = (url: string) =>
  connect(url).applyReceipt({ receiptId: "7", erpInstallmentId: "1", amount: "1250.50" }, { signal });

test.each([
  ["a sign-in page", "<html>", 200, "erp_unreachable"],
  ["nothing", "", 201, "erp_unreachable"],
  ["no id", {}, 201, "erp_unreachable"],
  ["a strange id", { StandardReceiptId: "x" }, 201, "erp_unreachable"],
  ["a strange amount", { StandardReceiptId: 7, Amount: "lots" }, 201, "erp_rejected"],
  ["no content", "", 204, "erp_unreachable"],
  ["a redirect", "", 302, "erp_unreachable"],
] as const)(
  "an answer to a creation that is %s leaves the outcome open [completions.7.form]",
  async (_name, body, status, kind) => {
    const url = await answering(body, status);
    expect(await failure(create(url))).toMatchObject({ kind, outcomeUnknown: true });
  },
);

test("a receipt in the answer was created", async () => {
  const url = await answering({ StandardReceiptId: 7 }, 202);
  expect(await create(url)).toMatchObject({ receiptId: "7" });
});

test.each([
  ["a page", "<html>", 200],
  ["nothing", "", 200],
  ["no content", "", 204],
  ["an empty object", {}, 200],
  ["another's JSON", { result: { ok: true } }, 200],
  ["a redirect", "", 302],
])(
  "an answer to an application that is %s leaves the outcome open [completions.7.form]",
  async (_name, body, status) => {
    const url = await answering(body, status);
    expect(await failure(apply(url))).toMatchObject({ kind: "erp_unreachable", outcomeUnknown: true });
  },
);
