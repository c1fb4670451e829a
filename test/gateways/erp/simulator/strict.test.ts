import { expect, test } from "vitest";
import type { FusionItem, FusionSimulator } from "../../../../src/simulators/fusion/index.ts";
import { idOf, installmentIdOf, invoice, invoices, PASSWORD, simulator, USER } from "../support.ts";

const RESOURCES = "/fscmRestApi/resources/11.13.18.05";
const INVOICES = `${RESOURCES}/receivablesInvoices`;
const RECEIPTS = `${RESOURCES}/standardReceipts`;
const ACTION = "application/vnd.oracle.adf.action+json";
const HEADERS = { "REST-Framework-Version": "4", Accept: "application/json" };

const open = (items: readonly FusionItem[] = invoices(1, 3)) =>
  simulator({ credentials: undefined, invoices: items, receiptMethods: ["Stripe"] });
const ask = (erp: FusionSimulator, path: string, query: Record<string, string> = {}) =>
  fetch(`${erp.url}${path}?${new URLSearchParams(query)}`, { headers: HEADERS });
const post = (erp: FusionSimulator, path: string, sent: unknown, type = "application/json") =>
  fetch(`${erp.url}${path}`, {
    method: "POST",
    headers: { ...HEADERS, "Content-Type": type },
    body: typeof sent === "string" ? sent : JSON.stringify(sent),
  });

const receipt = (over: FusionItem = {}): FusionItem => ({
  ReceiptNumber: "R-1",
  ReceiptMethod: "Stripe",
  BusinessUnit: "Vision Operations",
  Amount: JSON.rawJSON("1250.50"),
  Currency: "USD",
  ReceiptDate: "2026-11-20",
  CustomerAccountNumber: "1006",
  CustomerSite: "4001",
  ...over,
});

test.each([
  { q: "TransactionNumber='A';DueDate='2026-01-01'" },
  { q: "Nothing = 1" },
  { q: "constructor = 1" },
  { q: "EnteredAmount = 'many'" },
  { q: "DueDate > 'soon'" },
  { q: "DueDate > 20260101" },
  { q: "(EnteredAmount = 1" },
  { q: "EnteredAmount in ()" },
  { q: "TransactionNumber = 'open" },
  { q: "TransactionNumber = bare" },
  { q: "EnteredAmount = 1 and" },
  { q: `${"(".repeat(500)}EnteredAmount = 1${")".repeat(500)}` },
  { orderBy: "Nothing:asc" },
  { orderBy: "DueDate:up" },
  { fields: "Nothing" },
  { expand: "nothing" },
  { limit: "0" },
  { limit: "many" },
  { offset: "-1" },
  { finder: "invoiceSearch;x=1" },
])("%j is a bad request, as at Fusion", async (query) => {
  const answer = await ask(await open(), INVOICES, query);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    title: "Bad Request",
    status: "400",
    "o:errorDetails": [{ detail: expect.any(String) }],
  });
});

test("a condition is read with its quotes, precedence and wildcards", async () => {
  const names = ["O'Brien", "Ab", "A.b", " and 1=1 or '"];
  const erp = await open(names.map((TransactionNumber, index) => invoice(index, { TransactionNumber })));
  const found = async (q: string) => {
    const { items }: { items: FusionItem[] } = JSON.parse(await (await ask(erp, INVOICES, { q })).text());
    return items.map((item) => item.TransactionNumber);
  };
  expect(await found("TransactionNumber = 'O''Brien'")).toEqual(["O'Brien"]);
  expect(await found("TransactionNumber = ' and 1=1 or '''")).toEqual([" and 1=1 or '"]);
  expect(await found("TransactionNumber like 'A.%'")).toEqual(["A.b"]);
  expect(await found("TransactionNumber='Ab' or TransactionNumber='A.b' and DueDate is null")).toEqual(["Ab"]);
  expect(await found("(TransactionNumber='Ab' or TransactionNumber='A.b') and DueDate is null")).toEqual([]);
});

test("nobody gets in without the right credentials, and nothing but what is documented is there", async () => {
  const guarded = await simulator();
  const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
  const entering = async (Authorization: string, method = "GET") =>
    (await fetch(`${guarded.url}${INVOICES}`, { method, headers: { Authorization } })).status;
  expect(await entering(basic("x:y"))).toBe(401);
  expect(await entering(basic(`${USER}:${PASSWORD}`), "DELETE")).toBe(405);
  for (const path of [`${INVOICES}/1`, `${INVOICES}/${idOf(1)}/child/nothing`, `${RESOURCES}/accounts`, "/"]) {
    expect((await ask(await open(), path)).status, path).toBe(404);
  }
});

test.each<[string, FusionItem, string]>([
  ...["Amount", "BusinessUnit", "Currency", "ReceiptDate", "ReceiptMethod"].map(
    (name): [string, FusionItem, string] => [`without ${name}`, { [name]: null }, "FND_CMN_REQ_ATTRIB_API_SERV"],
  ),
  ["in no currency", { Currency: "XQX" }, "AR_RAPI_CURR_CODE_INVALID"],
  ["of another business unit", { BusinessUnit: "Elsewhere" }, "AR_RAPI_BU_INVALID"],
  ["of an unknown method", { ReceiptMethod: "Cash" }, "AR_INVAL_RECEIPT_MTH_ID"],
  ["of an unknown customer", { CustomerAccountNumber: "9" }, "AR_RAPI_CUS_NUM_INVALID"],
  ["of an unknown site", { CustomerSite: "9" }, "AR_RAPI_CUS_LOC_INVALID"],
  ["of nothing", { Amount: 0 }, ""],
  ["finer than its currency", { Amount: JSON.rawJSON("1.005") }, ""],
  ["on no day", { ReceiptDate: "2026-13-01" }, ""],
  ["with too long a number", { ReceiptNumber: "x".repeat(31) }, ""],
  ["with an attribute of no receipt", { Nothing: 1 }, ""],
  ["with a strange reference", { remittanceReferences: [{ Nothing: 1 }] }, ""],
])("a receipt %s is refused", async (_name, over, code) => {
  const erp = await open();
  const answer = await post(erp, RECEIPTS, receipt(over));
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ "o:errorDetails": [{ "o:errorCode": code }] });
  expect(erp.receipts).toEqual([]);
});

test("a receipt is JSON that says so, and is created once", async () => {
  const erp = await open();
  expect((await post(erp, RECEIPTS, "{")).status).toBe(400);
  expect((await post(erp, RECEIPTS, receipt(), ACTION)).status).toBe(415);
  expect((await post(erp, RECEIPTS, receipt())).status).toBe(201);
  expect((await post(erp, RECEIPTS, receipt({ Amount: "1250.500" }))).status).toBe(400);
  expect((await post(erp, RECEIPTS, receipt({ Amount: JSON.rawJSON("1250.51") }))).status).toBe(201);
});

test.each<[string, FusionItem, FusionItem, FusionItem]>([
  ["more than the receipt has", {}, {}, { amountApplied: JSON.rawJSON("1250.51") }],
  ["more than is owed", { Amount: 2000 }, {}, { amountApplied: 2000 }],
  ["less than nothing", {}, {}, { amountApplied: -1 }],
  ["to no installment", {}, {}, { appliedPaymentScheduleId: 1 }],
  ["with an unknown parameter", {}, {}, { amount: 1 }],
  ["to another currency", { Currency: "EUR" }, {}, {}],
  ["for nobody known", { CustomerAccountNumber: null, CustomerSite: null }, {}, {}],
  ["to a draft", {}, { InvoiceStatus: "Incomplete" }, {}],
])("applying %s is refused, and nothing moves", async (_name, receiptOver, invoiceOver, sent) => {
  const erp = await open([invoice(1, invoiceOver)]);
  await post(erp, RECEIPTS, receipt(receiptOver));
  const action = `${RECEIPTS}/${erp.receipts[0]?.receiptId}/action/applyReceipt`;
  const body = { appliedPaymentScheduleId: JSON.rawJSON(installmentIdOf(1)), calledFrom: "REST", ...sent };
  expect((await post(erp, action, body, ACTION)).status).toBe(400);
  expect(erp.receipts).toMatchObject([{ applications: [] }]);
});

test("the ERP's users enter receipts, reverse them and close periods by requests of their own [facts.fusion.office]", async () => {
  const erp = await open(invoices(1, 1));
  const act = async (name: string, body: unknown) => (await post(erp, `/_${name}`, body)).status;
  const balance = async () => {
    const path = `${INVOICES}/${idOf(1)}/child/receivablesInvoiceInstallments`;
    const { items }: { items: FusionItem[] } = JSON.parse(await (await ask(erp, path)).text());
    return items[0]?.InstallmentBalanceDue;
  };
  expect(await act("enter-receipt", { invoice: "INV-1", amount: "250.5", number: "CHK-1" })).toBe(201);
  expect(erp.receipts).toMatchObject([{ receiptNumber: "CHK-1", amount: "250.5", state: "Applied" }]);
  expect(await balance()).toBe(1000);
  expect(await act("reverse-receipt", { number: "CHK-1", category: "NSF" })).toBe(200);
  expect(await balance()).toBe(1250.5);
  expect(erp.receipts).toMatchObject([{ state: "NSF" }]);

  const create = async (ReceiptDate: string) => (await post(erp, RECEIPTS, receipt({ ReceiptDate }))).status;
  expect(await act("close-periods", { closed_through: "2026-10-31" })).toBe(200);
  expect([await create("2026-10-31"), await create("2026-11-01")]).toEqual([400, 201]);
  expect(await act("close-periods", { closed_through: null })).toBe(200);
  expect(await create("2026-10-31")).toBe(201);

  expect(await act("enter-receipt", { invoice: "INV-9", amount: "1", number: "CHK-2" })).toBe(400);
  expect(await act("enter-receipt", { invoice: "INV-1", amount: "-1", number: "CHK-2" })).toBe(400);
  expect(await act("reverse-receipt", { number: "CHK-9" })).toBe(404);
  expect(await act("nothing", {})).toBe(404);
});
