import { expect, test } from "vitest";
import type { FusionItem } from "../../../../src/simulators/fusion/index.ts";
import { idOf, installment, installmentIdOf, invoice, invoices, simulator } from "../support.ts";
import { type Body, column, get, INVOICES, post, RECEIPTS } from "./client.ts";

const ACTION = "application/vnd.oracle.adf.action+json";
const NOW = new Date("2026-11-20T10:11:12.345Z");
const raw = (digits: string) => JSON.rawJSON(digits);

const receipt = (over: FusionItem = {}): FusionItem => ({
  ReceiptNumber: "R-1",
  ReceiptMethod: "Stripe",
  BusinessUnit: "Vision Operations",
  Amount: raw("1250.50"),
  Currency: "USD",
  ReceiptDate: "2026-11-20",
  CustomerAccountNumber: "1006",
  CustomerSite: "4001",
  ...over,
});

async function tenant(items: readonly FusionItem[] = invoices(1, 3)) {
  const erp = await simulator({ credentials: undefined, invoices: items, receiptMethods: ["Stripe"], now: () => NOW });
  const create = (over: FusionItem = {}) => post(erp.url, RECEIPTS, receipt(over));
  const created = async (over: FusionItem = {}) => String((await create(over)).body.StandardReceiptId);
  const act = (id: string, action: string, body: unknown, type = ACTION) =>
    post(erp.url, `${RECEIPTS}/${id}/action/${action}`, body, type);
  const apply = (id: string, over: FusionItem = {}) =>
    act(id, "applyReceipt", { appliedPaymentScheduleId: raw(installmentIdOf(1)), calledFrom: "REST", ...over });
  const read = async (id: string): Promise<Body> => (await get(erp.url, `${RECEIPTS}/${id}`)).body;
  const invoiceOf = async (number: number): Promise<Body> => (await get(erp.url, `${INVOICES}/${idOf(number)}`)).body;
  const installmentsOf = async (number: number): Promise<readonly Body[]> =>
    (await get(erp.url, `${INVOICES}/${idOf(number)}/child/receivablesInvoiceInstallments`)).body.items ?? [];
  const balances = async (number: number) => (await installmentsOf(number)).map((one) => one.InstallmentBalanceDue);
  return { erp, create, created, act, apply, read, invoiceOf, installmentsOf, balances };
}

const codeOf = (body: Body): unknown => {
  const details = body["o:errorDetails"];
  return Array.isArray(details) ? details[0]["o:errorCode"] : undefined;
};

test("a receipt is created, and answered as Oracle's examples have it: amounts as text, states not there yet", async () => {
  const { create, read } = await tenant();
  const { status, body } = await create();
  expect(status).toBe(201);
  expect(body).toMatchObject({ Amount: "1250.5", State: null, Status: null, UnappliedAmount: null });
  expect(body.StandardReceiptId).toMatch(/^\d{18}$/);
  expect(await read(String(body.StandardReceiptId))).toMatchObject({
    ReceiptNumber: "R-1",
    Amount: "1250.5",
    UnappliedAmount: "1250.5",
    State: "Unapplied",
    Status: "Confirmed",
    CustomerName: "Acme Ltd",
    CustomerSite: "4001",
    LastUpdateDate: "2026-11-20T10:11:12.345+00:00",
  });
});

test("receipts are listed, queried and ordered as everything else", async () => {
  const { erp, created } = await tenant();
  const ids = [await created(), await created({ ReceiptNumber: "it's" }), await created({ ReceiptNumber: "R-3" })];
  const ask = async (q: string) =>
    column((await get(erp.url, RECEIPTS, { q, orderBy: "StandardReceiptId:desc" })).body, "StandardReceiptId");
  expect(await ask("ReceiptNumber = 'it''s'")).toEqual([ids[1]]);
  expect(await ask(`StandardReceiptId in (${ids.join(",")})`)).toEqual(ids.toReversed());
  expect(await ask("Amount > 1250.5")).toEqual([]);
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
  ["of less", { Amount: raw("-0.01") }, ""],
  ["of no number", { Amount: "1,250.50" }, ""],
  ["finer than its currency", { Amount: raw("1.005") }, ""],
  ["on no day", { ReceiptDate: "2026-13-01" }, ""],
  ["with too long a number", { ReceiptNumber: "x".repeat(31) }, ""],
  ["with an attribute of no receipt", { Nothing: 1 }, ""],
  ["with references that are no list", { remittanceReferences: {} }, ""],
  ["with a strange reference", { remittanceReferences: [{ Nothing: 1 }] }, ""],
])("a receipt %s is refused", async (_name, over, code) => {
  const { erp, create } = await tenant();
  const { status, body } = await create(over);
  expect([status, codeOf(body)]).toEqual([400, code]);
  expect(erp.receipts).toEqual([]);
});

test("so is what is no JSON, and what does not say that it is", async () => {
  const { erp } = await tenant();
  for (const [body, type, status] of [
    ["{", "application/json", 400],
    ["[]", "application/json", 400],
    [JSON.stringify(receipt()), "text/plain", 415],
    [JSON.stringify(receipt()), ACTION, 415],
  ] as const) {
    expect((await post(erp.url, RECEIPTS, body, type)).status).toBe(status);
  }
  expect(erp.receipts).toEqual([]);
});

test("the same number, date, amount and customer make a duplicate; any difference makes another receipt", async () => {
  const { create } = await tenant([...invoices(1, 1), invoice(2, { BillToCustomerNumber: "1007" })]);
  expect((await create()).status).toBe(201);
  const again = await create({ Amount: "1250.500", Comments: "again" });
  expect([again.status, codeOf(again.body)]).toEqual([400, "AR_RCP_DUP_NUM"]);
  for (const over of [
    { ReceiptNumber: "R-2" },
    { ReceiptDate: "2026-11-21" },
    { Amount: raw("1250.51") },
    { CustomerAccountNumber: "1007" },
  ]) {
    expect((await create(over)).status).toBe(201);
  }
});

test("applying closes the installment and lowers the invoice; both say when", async () => {
  const { created, apply, read, invoiceOf, installmentsOf } = await tenant();
  const { status, type, body } = await apply(await created(), { amountApplied: raw("1250.50") });
  expect([status, type, body]).toEqual([200, ACTION, { result: "SUCCESS" }]);
  expect(await read("300100900000000000")).toMatchObject({ State: "Applied", UnappliedAmount: "0" });
  const moved = { LastUpdateDate: "2026-11-20T10:11:12.345+00:00" };
  expect(await invoiceOf(1)).toMatchObject({ InvoiceBalanceAmount: "0", ...moved });
  expect(await installmentsOf(1)).toEqual([
    expect.objectContaining({
      InstallmentBalanceDue: "0",
      AmountPaid: "1250.5",
      InstallmentStatus: "Closed",
      InstallmentClosedDate: "2026-11-20",
      ...moved,
    }),
  ]);
  expect(await invoiceOf(2)).toMatchObject({ InvoiceBalanceAmount: "1250.50" });
});

test("without an amount the whole balance is applied; a part leaves the rest on both sides", async () => {
  const { created, apply, read, balances } = await tenant();
  const [part, whole] = [await created({ Amount: 50 }), await created({ Amount: 1200.5, ReceiptNumber: "R-2" })];
  expect((await apply(part, { amountApplied: raw("20.1") })).status).toBe(200);
  expect([await balances(1), (await read(part)).State]).toEqual([["1230.4"], "Unapplied"]);
  expect((await apply(part, { amountApplied: raw("29.9") })).status).toBe(200);
  expect([await balances(1), (await read(part)).State]).toEqual([["1200.5"], "Applied"]);
  expect((await apply(whole)).status).toBe(200);
  expect(await balances(1)).toEqual(["0"]);
});

test("the ledger's currency moves at the rate of the installment", async () => {
  const part = installment(1, 1, { InstallmentBalanceDue: 100, AccountedBalanceDue: 300 });
  const { erp, created, apply, invoiceOf, installmentsOf } = await tenant([
    invoice(1, { InvoiceBalanceAmount: 300 }, [part]),
  ]);
  const id = await created({ Amount: 100 });
  await apply(id, { amountApplied: raw("33.33") });
  expect(await invoiceOf(1)).toMatchObject({ InvoiceBalanceAmount: "200.01" });
  expect(await installmentsOf(1)).toMatchObject([{ InstallmentBalanceDue: "66.67", AccountedBalanceDue: "200.01" }]);
  await apply(id, { amountApplied: raw("66.67") });
  expect(await invoiceOf(1)).toMatchObject({ InvoiceBalanceAmount: "0" });
  erp.reverseReceipt(id);
  expect(await installmentsOf(1)).toMatchObject([{ InstallmentBalanceDue: "100", AccountedBalanceDue: "300" }]);
});

test.each<[string, FusionItem, FusionItem, FusionItem]>([
  ["more than the receipt has", {}, {}, { amountApplied: raw("1250.51") }],
  ["more than is owed", { Amount: 2000 }, {}, { amountApplied: 2000 }],
  ["nothing", {}, {}, { amountApplied: 0 }],
  ["less than nothing", {}, {}, { amountApplied: -1 }],
  ["a number that is none", {}, {}, { amountApplied: "x" }],
  ["to no installment", {}, {}, { appliedPaymentScheduleId: 1 }],
  ["to what is not named", {}, {}, { appliedPaymentScheduleId: null }],
  ["with an unknown parameter", {}, {}, { amount: 1 }],
  ["to another currency", { Currency: "EUR" }, {}, {}],
  ["for nobody known", { CustomerAccountNumber: null, CustomerSite: null }, {}, {}],
  ["to a draft", {}, { InvoiceStatus: "Incomplete" }, {}],
])("applying %s is refused, and nothing moves", async (_name, receiptOver, invoiceOver, sent) => {
  const { erp, created, apply, balances } = await tenant([invoice(1, invoiceOver)]);
  const id = await created(receiptOver);
  expect((await apply(id, sent)).status).toBe(400);
  expect(erp.receipts).toMatchObject([{ applications: [] }]);
  expect(await balances(1)).toEqual(["1250.50"]);
});

test("applying another customer's invoice is refused", async () => {
  const { created, apply } = await tenant([invoice(1), invoice(2, { BillToCustomerNumber: "1007", BillToSite: "1" })]);
  expect((await apply(await created({ CustomerAccountNumber: "1007", CustomerSite: "1" }))).status).toBe(400);
});

test("what is settled twice is refused the second time", async () => {
  const { created, apply, balances } = await tenant();
  const id = await created();
  expect([(await apply(id)).status, (await apply(id)).status]).toEqual([200, 400]);
  expect((await apply(await created({ ReceiptNumber: "R-2" }))).status).toBe(400);
  expect(await balances(1)).toEqual(["0"]);
});

test.each([
  ["REV", "User error"],
  ["NSF", "Returned"],
  ["STOP", "Stopped"],
])("reversing as %s undoes all it settled, once", async (reversalCategoryCode, reversalReasonCode) => {
  const { created, act, apply, read, invoiceOf, installmentsOf } = await tenant();
  const id = await created();
  await apply(id);
  const body = { reversalCategoryCode, reversalReasonCode, calledFrom: "REST" };
  expect((await act(id, "reverseReceipt", body)).body).toEqual({ result: "SUCCESS" });
  expect(await read(id)).toMatchObject({ State: reversalCategoryCode, Status: "Reversed", UnappliedAmount: "0" });
  expect(await invoiceOf(1)).toMatchObject({ InvoiceBalanceAmount: "1250.5" });
  expect(await installmentsOf(1)).toMatchObject([
    { InstallmentBalanceDue: "1250.5", AmountPaid: "0", InstallmentStatus: "Open", InstallmentClosedDate: null },
  ]);
  expect((await act(id, "reverseReceipt", body)).status).toBe(400);
  expect((await apply(id)).status).toBe(400);
});

test("a reversal needs a known category and a reason", async () => {
  const { created, act } = await tenant();
  const id = await created();
  for (const body of [
    { reversalCategoryCode: "REV" },
    { reversalReasonCode: "x" },
    { reversalCategoryCode: "WRONG", reversalReasonCode: "x" },
  ]) {
    expect((await act(id, "reverseReceipt", body)).status).toBe(400);
  }
});

test("taking an allocation back restores the balance, and the receipt can be applied again", async () => {
  const { created, act, apply, read, balances } = await tenant();
  const id = await created();
  await apply(id);
  const body = { appliedPaymentScheduleId: raw(installmentIdOf(1)), receivableApplicationId: 1, calledFrom: "REST" };
  expect((await act(id, "unapplyReceipt", { ...body, receivableApplicationId: 7 })).status).toBe(400);
  expect((await act(id, "unapplyReceipt", body)).status).toBe(200);
  expect([await balances(1), (await read(id)).State]).toEqual([["1250.5"], "Unapplied"]);
  expect((await act(id, "unapplyReceipt", body)).status).toBe(400);
  expect((await apply(id)).status).toBe(200);
});

test("an action needs its content type, and has to be one", async () => {
  const { erp, created, act } = await tenant();
  const id = await created();
  const body = { appliedPaymentScheduleId: raw(installmentIdOf(1)) };
  expect((await act(id, "applyReceipt", body, "application/json")).status).toBe(415);
  expect((await act(id, "refundReceipt", body)).status).toBe(404);
  expect((await act(id, "toString", body)).status).toBe(404);
  expect((await act("1", "applyReceipt", body)).status).toBe(404);
  expect((await get(erp.url, `${RECEIPTS}/${id}/action/applyReceipt`)).status).toBe(405);
  expect((await post(erp.url, `${RECEIPTS}/${id}`, {})).status).toBe(405);
  expect(erp.receipts).toMatchObject([{ applications: [] }]);
});

const REFERENCE = { ReceiptMatchBy: "Transaction Number", ReferenceNumber: "INV-1", ReferenceAmount: raw("1250.50") };

test("AutoMatch applies what remittance references name, when it runs and not before", async () => {
  const { erp, created, read, balances } = await tenant();
  const id = await created({ remittanceReferences: [REFERENCE] });
  const references = await get(erp.url, `${RECEIPTS}/${id}/child/remittanceReferences`);
  expect(references.body.items).toMatchObject([{ ReferenceNumber: "INV-1", ReferenceAmount: "1250.5" }]);
  expect((await read(id)).State).toBe("Unapplied");
  expect((await post(erp.url, "/_automatch", "")).body).toEqual({ applied: "1" });
  expect([(await read(id)).State, await balances(1)]).toEqual(["Applied", ["0"]]);
  expect(erp.runAutoMatch()).toBe(0);
  expect((await get(erp.url, "/_automatch")).status).toBe(405);
});

test("it goes through the installments in their order, as far as the money lasts", async () => {
  const parts = [2, 1, 3].map((sequence) => installment(1, sequence, { InstallmentBalanceDue: 100 }));
  const { erp, created, installmentsOf } = await tenant([invoice(1, {}, parts)]);
  await created({ Amount: 150, remittanceReferences: [{ ...REFERENCE, ReferenceAmount: 150 }] });
  expect(erp.runAutoMatch()).toBe(2);
  expect((await installmentsOf(1)).map((one) => [one.InstallmentSequenceNumber, one.InstallmentBalanceDue])).toEqual([
    ["2", "50"],
    ["1", "0"],
    ["3", "100"],
  ]);
});

test.each<[string, FusionItem]>([
  ["an unknown invoice", { remittanceReferences: [{ ...REFERENCE, ReferenceNumber: "INV-9" }] }],
  ["something else", { remittanceReferences: [{ ...REFERENCE, ReceiptMatchBy: "Purchase Order" }] }],
  ["nothing", {}],
  ["an invoice in another currency", { Currency: "EUR", remittanceReferences: [REFERENCE] }],
])("a receipt that refers to %s stays unapplied", async (_name, over) => {
  const { erp, created, read } = await tenant();
  const id = await created(over);
  expect(erp.runAutoMatch()).toBe(0);
  expect((await read(id)).State).toBe("Unapplied");
});

test("a reversed receipt is not matched", async () => {
  const { erp, created } = await tenant();
  erp.reverseReceipt(await created({ remittanceReferences: [REFERENCE] }), "STOP");
  expect(erp.runAutoMatch()).toBe(0);
});

test("receipts can be seen, put, reversed, unapplied and deleted from a program", async () => {
  const { erp, created, apply, balances } = await tenant();
  const id = await created();
  await apply(id);
  const seen = { receiptId: id, receiptNumber: "R-1", amount: "1250.5", currency: "USD" };
  const applications = [{ installmentId: installmentIdOf(1), amount: "1250.5" }];
  expect(erp.receipts).toEqual([{ ...seen, state: "Applied", unappliedAmount: "0", applications }]);
  erp.unapplyReceipt(id, installmentIdOf(1));
  expect(erp.receipts).toEqual([{ ...seen, state: "Unapplied", unappliedAmount: "1250.5", applications: [] }]);
  expect(() => erp.unapplyReceipt(id, installmentIdOf(1))).toThrow("not applied");
  await apply(id);
  erp.reverseReceipt(id);
  expect(erp.receipts).toEqual([{ ...seen, state: "REV", unappliedAmount: "0", applications: [] }]);
  expect(() => erp.reverseReceipt(id)).toThrow("already");
  erp.putReceipts({ StandardReceiptId: 7, ReceiptNumber: "old", Amount: 5, State: "Applied" });
  expect(erp.receipts.map((one) => one.receiptNumber)).toEqual(["R-1", "old"]);
  const other = await created({ ReceiptNumber: "R-2" });
  await apply(other);
  erp.removeReceipts(other);
  expect(await balances(1)).toEqual(["1250.5"]);
  expect((await get(erp.url, `${RECEIPTS}/${other}`)).status).toBe(404);
});
