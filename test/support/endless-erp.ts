import type { ServerResponse } from "node:http";

/** What an ERP can go on with for ever: page after page, ids ever greater, each page in the form of its resource. */
export const ENDLESS = ["schedule", "book", "customers", "receipts"] as const;
export type Endless = (typeof ENDLESS)[number];

const RESOURCES: readonly (readonly [path: RegExp, endless: Endless, item: (id: number, url: URL) => object])[] = [
  [/\/child\/receivablesInvoiceInstallments$/, "schedule", installment],
  [/\/receivablesInvoices$/, "book", invoice],
  [/\/accounts$/, "customers", (id) => ({ PartyId: id, PrimaryContactEmail: `ap@customer-${id}.example` })],
  [/\/standardReceipts$/, "receipts", receipt],
];

function installment(id: number): object {
  return { InstallmentId: id, InstallmentDueDate: "2026-10-31", OriginalAmount: 1, InstallmentBalanceDue: 1 };
}

function invoice(id: number): object {
  return {
    CustomerTransactionId: id,
    TransactionNumber: `ENDLESS-${id}`,
    TransactionDate: "2026-10-01",
    InvoiceCurrencyCode: "USD",
    EnteredAmount: 1,
    InvoiceStatus: "Complete",
    // The first customer comes again on each page.
    BillToPartyId: id % 499 === 1 ? 1 : id,
    BillToCustomerName: `Customer ${id}`,
    receivablesInvoiceInstallments: { items: [installment(id)], hasMore: false },
  };
}

function receipt(id: number, url: URL): object {
  const [, number = ""] = /ReceiptNumber = '(.*)'/.exec(url.searchParams.get("q") ?? "") ?? [];
  return { StandardReceiptId: id, ReceiptNumber: number, Amount: 1, Currency: "USD", State: "Unapplied" };
}

/** Answers a request as an ERP does whose `endless` has no end, and which otherwise has one invoice. */
export function answerEndless(endless: Endless, url: URL, response: ServerResponse): void {
  const [limit, offset] = ["limit", "offset"].map((name) => Number(url.searchParams.get(name)));
  const [, kind, itemOf] = RESOURCES.find(([path]) => path.test(url.pathname)) ?? [];
  const one = {
    ...invoice(1),
    ...(endless === "schedule" ? { receivablesInvoiceInstallments: { hasMore: true, items: [] } } : {}),
  };
  const isEndless = kind === endless && limit !== undefined && offset !== undefined;
  const items = isEndless
    ? Array.from({ length: limit }, (_, index) => itemOf?.(offset + index + 1, url))
    : kind === "book" && offset === 0
      ? [one]
      : [];
  response.writeHead(200, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ items, hasMore: isEndless }));
}
