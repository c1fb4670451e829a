import { FusionFault } from "./answers.ts";
import { fusionDigits } from "./book-invoice.ts";
import { amountOf, attributeOf, rawAmount } from "./exact.ts";
import { dateIn, knownItem, numberIn, readItem, textIn } from "./posted-item.ts";
import type { FusionItem, FusionRecords } from "./records.ts";
import { invoiceResource, receipts, remittanceReferences } from "./resources.ts";
import { timestamp } from "./schedules.ts";

const REQUIRED = ["Amount", "BusinessUnit", "Currency", "ReceiptDate", "ReceiptMethod"] as const;
const MAX_NUMBER = 30;
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
const ACCEPTED = ["application/json", "application/vnd.oracle.adf.resourceitem+json"];

/** What a tenant has set up, apart from its book. */
export interface ReceiptSetup {
  /** The receipt methods there are; any, where absent. */
  readonly receiptMethods?: readonly string[] | undefined;
}

/** The item that a POST to `standardReceipts` asks for, checked as Fusion does; throws its refusals. */
export function receiptToCreate(
  posted: { readonly contentType: string; readonly body: string },
  records: FusionRecords,
  setup: ReceiptSetup,
  id: bigint,
  now: Date,
): FusionItem {
  const known = [...Object.keys(receipts.attributes), remittanceReferences.name];
  const item = readItem(posted.contentType, ACCEPTED, posted.body, known);
  for (const name of REQUIRED) {
    if ((item[name] ?? "") === "") {
      throw new FusionFault(400, `You must provide a value for ${name}.`, "FND_CMN_REQ_ATTRIB_API_SERV");
    }
  }
  const made = { ...checkedAttributes(item, records, setup), LastUpdateDate: timestamp(now) };
  checkNotThere(made, records);
  const references = referencesOf(item[remittanceReferences.name], id);
  return { StandardReceiptId: id, CreationDate: timestamp(now), ...made, [remittanceReferences.name]: references };
}

function checkedAttributes(item: FusionItem, records: FusionRecords, { receiptMethods }: ReceiptSetup): FusionItem {
  const currency = textIn(item, "Currency", 15);
  const amount = numberIn(item, "Amount");
  if (currency === null || !CURRENCIES.has(currency)) {
    throw new FusionFault(400, "The currency code is not valid.", "AR_RAPI_CURR_CODE_INVALID");
  }
  if (amount === null || !amount.gt(0)) throw new FusionFault(400, "The receipt amount must be above zero.");
  if (amount.decimalPlaces() > fusionDigits(currency)) {
    throw new FusionFault(400, `The receipt amount has more decimals than ${currency} has.`);
  }
  const method = textIn(item, "ReceiptMethod", 30);
  if (receiptMethods !== undefined && !receiptMethods.includes(method ?? "")) {
    throw new FusionFault(400, "The receipt method is not valid.", "AR_INVAL_RECEIPT_MTH_ID");
  }
  const book = records.all(invoiceResource);
  const businessUnit = textIn(item, "BusinessUnit", 240);
  if (!book.some((invoice) => attributeOf(invoice, "BusinessUnit") === businessUnit)) {
    throw new FusionFault(400, "The business unit is not valid.", "AR_RAPI_BU_INVALID");
  }
  const customer = textIn(item, "CustomerAccountNumber", 30);
  const billed = book.filter((invoice) => attributeOf(invoice, "BillToCustomerNumber") === customer);
  if (customer !== null && billed.length === 0) {
    throw new FusionFault(400, "The customer account number is not valid.", "AR_RAPI_CUS_NUM_INVALID");
  }
  const site = textIn(item, "CustomerSite", 150);
  if (site !== null && !billed.some((invoice) => attributeOf(invoice, "BillToSite") === site)) {
    throw new FusionFault(400, "The customer site is not valid.", "AR_RAPI_CUS_LOC_INVALID");
  }
  const date = dateIn(item, "ReceiptDate");
  const [name = null] = billed.map((invoice) => attributeOf(invoice, "BillToCustomerName"));
  return {
    ReceiptNumber: textIn(item, "ReceiptNumber", MAX_NUMBER),
    BusinessUnit: businessUnit,
    ReceiptMethod: method,
    ReceiptDate: date,
    AccountingDate: dateIn(item, "AccountingDate") ?? date,
    Amount: rawAmount(amount),
    Currency: currency,
    CustomerName: customer === null ? null : name,
    CustomerAccountNumber: customer,
    CustomerSite: site,
    RemittanceBankAccountNumber: textIn(item, "RemittanceBankAccountNumber"),
    Comments: textIn(item, "Comments"),
  };
}

/** Number, date, amount and customer together are what Fusion takes for the same receipt. */
function checkNotThere(made: FusionItem, records: FusionRecords): void {
  const there = records.all(receipts).some((receipt) => {
    const same = (name: string): boolean => attributeOf(receipt, name) === made[name];
    const amount = amountOf(receipt, "Amount");
    return (
      ["ReceiptNumber", "ReceiptDate", "CustomerAccountNumber"].every(same) &&
      amount !== null &&
      JSON.stringify(rawAmount(amount)) === JSON.stringify(made.Amount)
    );
  });
  if (!there || made.ReceiptNumber === null) return;
  const detail = "A receipt with this number, date, amount and customer already exists. Enter a unique receipt number.";
  throw new FusionFault(400, detail, "AR_RCP_DUP_NUM");
}

function referencesOf(sent: unknown, receiptId: bigint): FusionItem[] {
  if (sent === undefined || sent === null) return [];
  if (!Array.isArray(sent)) throw new FusionFault(400, "remittanceReferences must be a list.");
  return sent.map((entry: unknown, index) => {
    const reference = knownItem(entry, Object.keys(remittanceReferences.attributes));
    const amount = numberIn(reference, "ReferenceAmount");
    return {
      RemittanceReferenceId: receiptId + BigInt(index + 1),
      ReceiptMatchBy: textIn(reference, "ReceiptMatchBy", 30),
      ReferenceNumber: textIn(reference, "ReferenceNumber", 50),
      ReferenceAmount: amount === null ? null : rawAmount(amount),
      CustomerReason: textIn(reference, "CustomerReason", 30),
      CustomerReference: textIn(reference, "CustomerReference", 100),
    };
  });
}
