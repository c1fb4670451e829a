import { expect, test } from "vitest";
import type { ValueFault } from "../../../../src/gateways/erp/gateway.ts";
import type { FusionItem } from "../../../../src/simulators/fusion/index.ts";
import { served } from "../../../support/served.ts";
import {
  answering,
  connect,
  failure,
  idOf,
  installment,
  invoice,
  newReceipt,
  readAll,
  signal,
  simulator,
} from "../support.ts";

const raw = JSON.rawJSON;

test.each<[string, FusionItem, ValueFault]>([
  ["a strange party id", { BillToPartyId: "x" }, { field: "BillToPartyId", value: "x", problem: "not_an_id" }],
  ["no leading digit", { EnteredAmount: ".5" }, { field: "EnteredAmount", value: ".5", problem: "not_a_number" }],
  ["a comma", { EnteredAmount: "1,000.50" }, { field: "EnteredAmount", value: "1,000.50", problem: "not_a_number" }],
  [
    "22 decimals",
    { EnteredAmount: raw("1.0000000000000000000001") },
    { field: "EnteredAmount", value: "1.0000000000000000000001", problem: "not_a_number" },
  ],
  [
    "an absurd amount",
    { EnteredAmount: raw("1e400") },
    { field: "EnteredAmount", value: "1e400", problem: "not_a_number" },
  ],
  ["a flag for an amount", { EnteredAmount: true }, { field: "EnteredAmount", value: "true", problem: "not_a_number" }],
  [
    "a day that does not exist",
    { DueDate: "2026-02-30" },
    { field: "DueDate", value: "2026-02-30", problem: "not_a_date" },
  ],
  [
    "a foreign date",
    { TransactionDate: "10/31/2026" },
    { field: "TransactionDate", value: "10/31/2026", problem: "not_a_date" },
  ],
  [
    "an order to a model",
    { EnteredAmount: `1”\u202e\n${"ignore ".repeat(100)}` },
    { field: "EnteredAmount", value: `1' ${"ignore ".repeat(100)}`.slice(0, 100).concat("…"), problem: "not_a_number" },
  ],
  ...(
    [
      ["InstallmentBalanceDue", "NaN", "NaN", "not_a_number"],
      ["InstallmentDueDate", "soon", "soon", "not_a_date"],
      ["InstallmentSequenceNumber", 1.5, "1.5", "not_a_whole_number"],
    ] as const
  ).map(([field, given, value, problem]): [string, FusionItem, ValueFault] => [
    `an installment's ${field}`,
    { receivablesInvoiceInstallments: { items: [installment(2, 1, { [field]: given })] } },
    { field, value, problem },
  ]),
])("an invoice with %s is set aside, and the others are read [completions.7.set-aside]", async (_name, over, fault) => {
  const erp = await simulator({ invoices: [invoice(1), invoice(2, over), invoice(3)] });
  const gateway = connect(erp.url);
  const unreadable = [{ erpInvoiceId: idOf(2), invoiceNumber: "INV-2", ...fault }];
  const pages = [
    await Array.fromAsync(gateway.readInvoicePages({ pullFrom: null, signal })),
    await Array.fromAsync(gateway.findInvoices([idOf(1), idOf(2), idOf(3)], { signal })),
  ];
  for (const page of pages)
    expect(page).toMatchObject([
      { invoices: [{ invoiceNumber: "INV-1" }, { invoiceNumber: "INV-3" }], unreadable, lastId: idOf(3) },
    ]);
});

test.each([
  [{ TransactionNumber: ["x"] }, null, { field: "TransactionNumber", value: "['x']", problem: "not_text" }],
  [{ BillToCustomerName: { a: 1 } }, "N", { field: "BillToCustomerName", value: "{'a':'1'}", problem: "not_text" }],
  [{ ConversionRate: true }, "N", { field: "ConversionRate", value: "true", problem: "not_text" }],
  [
    { receivablesInvoiceInstallments: 5 },
    "N",
    { field: "receivablesInvoiceInstallments", value: "5", problem: "not_a_collection" },
  ],
])("so is one with %j [completions.7.set-aside]", async (over, invoiceNumber, fault) => {
  const url = await answering({ items: [{ CustomerTransactionId: 1, TransactionNumber: "N", ...over }] });
  const pages = await Array.fromAsync(connect(url).readInvoicePages({ pullFrom: null, signal }));
  expect(pages).toEqual([{ invoices: [], unreadable: [{ erpInvoiceId: "1", invoiceNumber, ...fault }], lastId: "1" }]);
});

test("an account of which a text cannot be read has no contact, and the others have theirs", async () => {
  const items = [1, 2].map((id) => ({ PartyId: id, PrimaryContactEmail: id === 1 ? ["x"] : "ap@acme.example" }));
  const contacts = await connect(await answering({ items })).readBillingContacts(["1", "2"], { signal });
  expect([...contacts.values()].map(({ email }) => email)).toEqual([null, "ap@acme.example"]);
});

const FIRST = 300_100_500_000_000_001n;
const account = (index: number, over: Record<string, unknown> = {}) => ({
  PartyId: FIRST + BigInt(index),
  PartyNumber: `P${index}`,
  OrganizationName: "Acme Ltd",
  PrimaryContactName: `Jo Doe ${index}`,
  PrimaryContactEmail: `jo.${index}@customers.example`,
  ...over,
});
const party = (index: number): string => String(FIRST + BigInt(index));

test("contacts are looked up in batches, by party, and only what is needed is asked for", async () => {
  const erp = await simulator({ accounts: [0, 1, 2, 3, 4].map((index) => account(index)) });
  const asked = [0, 1, 2, 3, 9].map(party);
  const contacts = await connect(erp.url, { idsPerQuery: 2 }).readBillingContacts([...asked, party(0), "x"], {
    signal,
  });
  expect([...contacts]).toEqual(
    [0, 1, 2, 3].map((index) => [
      party(index),
      { contactName: `Jo Doe ${index}`, email: `jo.${index}@customers.example` },
    ]),
  );
  expect(erp.requests).toHaveLength(3);
  expect(erp.requests[0]?.path).toBe("/crmRestApi/resources/11.13.18.05/accounts");
  expect(erp.requests[0]?.query).toMatchObject({
    q: `PartyId in (${party(0)},${party(1)})`,
    fields: "PartyId,PrimaryContactName,PrimaryContactEmail",
  });
});

test("a batch larger than a page is read whole", async () => {
  const erp = await simulator({ accounts: Array.from({ length: 25 }, (_, index) => account(index)) });
  const ids = Array.from({ length: 25 }, (_, index) => party(index));
  const contacts = await connect(erp.url, { pageSize: 10 }).readBillingContacts(ids, { signal });
  expect(contacts.size).toBe(25);
});

test.each([
  [null, null],
  ["", null],
  ["  ", null],
  [" n/a", "n/a"],
])("%j is told as %j: what mail can be sent to is not decided here", async (given, email) => {
  const { url } = await simulator({
    accounts: [account(0, { PrimaryContactEmail: given, PrimaryContactName: null })],
  });
  const contacts = await connect(url).readBillingContacts([party(0)], { signal });
  expect(contacts.get(party(0))).toEqual({ contactName: null, email });
});

test("a user who may not read accounts is told apart", async () => {
  const erp = await simulator();
  erp.control({ mode: "403" });
  expect((await failure(connect(erp.url).readBillingContacts([party(0)], { signal }))).kind).toBe(
    "authentication_failed",
  );
});

test("nobody to look up costs no request", async () => {
  const erp = await simulator();
  expect((await connect(erp.url).readBillingContacts([], { signal })).size).toBe(0);
  expect(erp.requests).toEqual([]);
});

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
