import { z } from "zod";
import type { Answer } from "./answers.ts";
import { attributeOf, Exact } from "./exact.ts";
import { REVERSAL_CATEGORIES, type ReceiptLedger } from "./receipt-ledger.ts";
import type { FusionRecords } from "./records.ts";
import { invoiceResource, receipts } from "./resources.ts";
import { scheduleOf } from "./schedules.ts";

const Text = z.string().min(1);

/** A receipt that one of the ERP's users enters: for an invoice and, of several installments, the one of that number. */
export const EnteredReceipt = z.strictObject({
  invoice: Text,
  installment: z.int().min(1).default(1),
  amount: z.string().regex(/^\d+(?:\.\d+)?$/),
  number: Text.max(30),
  date: z.iso.date().optional(),
});

/** A receipt that one of them undoes, by number. */
const Reversal = z.strictObject({ number: Text, category: z.enum(REVERSAL_CATEGORIES).default("REV") });

/** The last day of the accounting periods that are closed; null opens them all. */
const Periods = z.strictObject({ closed_through: z.iso.date().nullable() });

/** What the ERP's own users do in it, by `POST /_enter-receipt`, `/_reverse-receipt` and `/_close-periods`. */
export class Office {
  readonly #records: FusionRecords;
  readonly #ledger: ReceiptLedger;
  readonly #now: () => Date;

  constructor(records: FusionRecords, ledger: ReceiptLedger, now: () => Date) {
    this.#records = records;
    this.#ledger = ledger;
    this.#now = now;
  }

  /** The answer to a request of a path of its own; undefined for any other path. Throws what the ledger refuses. */
  answer(path: string, body: unknown): Answer | undefined {
    switch (path) {
      case "/_enter-receipt":
        return { status: 201, body: { receipt_id: this.enter(EnteredReceipt.parse(body)) } };
      case "/_reverse-receipt": {
        const { number, category } = Reversal.parse(body);
        const found = this.#records.all(receipts).findLast((one) => attributeOf(one, "ReceiptNumber") === number);
        if (found === undefined) return { status: 404, body: "no receipt has this number" };
        this.#ledger.reverse(found.id, category);
        return { status: 200, body: { receipt_id: found.id } };
      }
      case "/_close-periods":
        this.#ledger.closedThrough = Periods.parse(body).closed_through;
        return { status: 200, body: { closed_through: this.#ledger.closedThrough } };
      default:
        return undefined;
    }
  }

  /** Enters a receipt and applies it, in closed periods too, as an ERP's user may. Answers its id. */
  enter({
    invoice: number,
    installment,
    amount,
    number: receiptNumber,
    date,
  }: z.output<typeof EnteredReceipt>): string {
    const invoice = this.#records.all(invoiceResource).find((one) => attributeOf(one, "TransactionNumber") === number);
    const part = invoice === undefined ? undefined : scheduleOf(invoice)[installment - 1];
    if (invoice === undefined || part === undefined) throw new RangeError("no such invoice, or no such installment");
    const of = (attribute: string) => attributeOf(invoice, attribute);
    const id = this.#ledger.nextId;
    this.#ledger.put({
      StandardReceiptId: id,
      ReceiptNumber: receiptNumber,
      ReceiptDate: date ?? this.#now().toISOString().slice(0, 10),
      ReceiptMethod: "Manual",
      BusinessUnit: of("BusinessUnit"),
      Amount: JSON.rawJSON(amount),
      Currency: of("InvoiceCurrencyCode"),
      CustomerName: of("BillToCustomerName"),
      CustomerAccountNumber: of("BillToCustomerNumber"),
      CustomerSite: of("BillToSite"),
    });
    this.#ledger.apply(String(id), part.id, new Exact(amount), { byHand: true });
    return String(id);
  }
}
