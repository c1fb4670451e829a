import { expect, test } from "vitest";
import type { ValueFault } from "../../../../src/gateways/erp/gateway.ts";
import type { FusionItem } from "../../../../src/simulators/fusion/index.ts";
import { answering, connect, idOf, installment, invoice, signal, simulator } from "../support.ts";

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
