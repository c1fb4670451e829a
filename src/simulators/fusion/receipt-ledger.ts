import type { Decimal } from "decimal.js";
import { FusionFault } from "./answers.ts";
import { amountOf, attributeOf, Exact, rawAmount } from "./exact.ts";
import { type ReceiptSetup, receiptToCreate } from "./receipt-creation.ts";
import { changed, type FusionItem, type FusionRecord, type FusionRecords } from "./records.ts";
import { refusal as periodRefusal } from "./refusals.ts";
import { invoiceResource, receipts, remittanceReferences } from "./resources.ts";
import { balanceOf, findInstallment, type Part, partOf, payInstallment, scheduleOf, timestamp } from "./schedules.ts";

/** A receipt's part in settling an installment. */
interface Application extends Part {
  readonly applicationId: string;
  readonly installmentId: string;
}

/** Why a receipt was undone; Fusion shows it as the receipt's state. */
export const REVERSAL_CATEGORIES = ["REV", "NSF", "STOP"] as const;
export type ReversalCategory = (typeof REVERSAL_CATEGORIES)[number];

const FIRST_ID = 300_100_900_000_000_000n;
/** Room for what belongs to a receipt: those ids follow its own. */
const ID_STEP = 1_000n;
const ZERO = new Exact(0);

/** The receipts of a tenant and what they settle. Refusals are thrown as Fusion words them, nothing done. */
export class ReceiptLedger {
  readonly #records: FusionRecords;
  readonly #setup: ReceiptSetup;
  readonly #now: () => Date;
  readonly #applications = new Map<string, readonly Application[]>();
  /** The last day whose accounting period is closed: nothing dated up to it is taken. Null where all are open. */
  closedThrough: string | null = null;
  #nextId = FIRST_ID;
  #nextApplication = 1;
  #periodRefusals = 0;

  constructor(records: FusionRecords, setup: ReceiptSetup, now: () => Date) {
    this.#records = records;
    this.#setup = setup;
    this.#now = now;
  }

  /** The id that the next receipt gets. */
  get nextId(): bigint {
    return this.#nextId;
  }

  /** Takes in a receipt that a POST describes. */
  create(posted: { readonly contentType: string; readonly body: string }): FusionRecord {
    const item = receiptToCreate(posted, this.#records, this.#setup, this.#nextId, this.#now());
    this.#checkOpen(String(item.AccountingDate ?? ""));
    this.#nextId += ID_STEP;
    this.put(item);
    return this.#refreshed(this.#receipt(String(item.StandardReceiptId)));
  }

  /** Adds a receipt unchanged, without allocating it; later ones get other ids. */
  put(item: FusionItem): void {
    const id = BigInt(String(item.StandardReceiptId));
    if (id >= this.#nextId) this.#nextId = id + ID_STEP;
    this.#records.put(receipts, [item]);
  }

  /** Allocates a receipt to an installment; without an amount, to the whole of its balance. */
  apply(receiptId: string, installmentId: string, asked: Decimal | null, { byHand = false } = {}): void {
    const receipt = this.#receipt(receiptId);
    if (!byHand) this.#checkOpen(attributeOf(receipt, "AccountingDate") ?? attributeOf(receipt, "ReceiptDate") ?? "");
    const found = findInstallment(this.#records, installmentId);
    if (found === undefined) throw refusal("The transaction's payment schedule does not exist.");
    const { invoice, installment } = found;
    if (isReversed(receipt)) throw refusal("A reversed receipt cannot be applied.");
    if (attributeOf(invoice, "InvoiceStatus") !== "Complete") throw refusal("The transaction is not complete.");
    if (attributeOf(receipt, "Currency") !== attributeOf(invoice, "InvoiceCurrencyCode")) {
      throw refusal("The receipt and the transaction have different currencies.");
    }
    const customer = attributeOf(receipt, "CustomerAccountNumber");
    if (customer === null || customer !== attributeOf(invoice, "BillToCustomerNumber")) {
      throw refusal("The transaction is not one of the receipt's customer.");
    }
    const balance = balanceOf(installment);
    const amount = asked ?? balance;
    if (!amount.gt(0)) throw refusal("The amount applied must be above zero.");
    if (amount.gt(this.unapplied(receipt))) throw refusal("The amount applied exceeds the receipt's unapplied amount.");
    if (amount.gt(balance)) throw refusal("The amount applied exceeds the transaction's balance.");
    this.#allocate(receiptId, installment, amount);
  }

  /** Takes an allocation back: the one of that id, or all to that installment. */
  unapply(receiptId: string, installmentId: string, applicationId: string | null): void {
    const receipt = this.#receipt(receiptId);
    const undone = this.applicationsOf(receiptId).filter(
      (one) => one.installmentId === installmentId && (applicationId === null || one.applicationId === applicationId),
    );
    if (isReversed(receipt) || undone.length === 0) throw refusal("The receipt is not applied to this transaction.");
    this.#takeBack(receiptId, undone);
    this.#refreshed(receipt);
  }

  /** Undoes a receipt and all it settled. */
  reverse(receiptId: string, category: string): void {
    const receipt = this.#receipt(receiptId);
    if (isReversed(receipt)) throw refusal("The receipt has already been reversed.");
    if (!REVERSAL_CATEGORIES.some((known) => known === category)) throw refusal("The reversal category is not valid.");
    this.#takeBack(receiptId, this.applicationsOf(receiptId));
    this.#refreshed(changed(receipt, { State: category, Status: "Reversed" }));
  }

  /** Deletes a receipt, and takes back what it settled. */
  remove(receiptId: string): void {
    this.#takeBack(receiptId, this.applicationsOf(receiptId));
    this.#records.remove(receipts, [receiptId]);
  }

  /** Applies what remittance references name, as far as it can be; answers to how many installments. */
  autoMatch(): number {
    let applied = 0;
    for (const receipt of this.#records.all(receipts)) {
      const references = receipt.children.get(remittanceReferences.name) ?? [];
      for (const reference of references) applied += isReversed(receipt) ? 0 : this.#match(receipt, reference);
    }
    return applied;
  }

  applicationsOf(receiptId: string): readonly Application[] {
    return this.#applications.get(receiptId) ?? [];
  }

  /** What of a receipt is not allocated. */
  unapplied(receipt: FusionRecord): Decimal {
    if (isReversed(receipt)) return ZERO;
    return this.applicationsOf(receipt.id).reduce(
      (rest, one) => rest.minus(one.amount),
      amountOf(receipt, "Amount") ?? ZERO,
    );
  }

  #checkOpen(accountingDate: string): void {
    const closed = this.closedThrough !== null && accountingDate <= this.closedThrough;
    if (closed) throw periodRefusal("closed_period", this.#periodRefusals++);
  }

  #match(receipt: FusionRecord, reference: FusionRecord): number {
    if (attributeOf(reference, "ReceiptMatchBy") !== "Transaction Number") return 0;
    const number = attributeOf(reference, "ReferenceNumber");
    const invoice = this.#records.all(invoiceResource).find((one) => attributeOf(one, "TransactionNumber") === number);
    let rest = amountOf(reference, "ReferenceAmount") ?? this.unapplied(receipt);
    let applied = 0;
    for (const installment of invoice === undefined ? [] : scheduleOf(invoice)) {
      const amount = Exact.min(rest, this.unapplied(receipt), balanceOf(installment));
      if (!amount.gt(0)) continue;
      try {
        this.apply(receipt.id, installment.id, amount);
      } catch (error) {
        if (error instanceof FusionFault) return applied;
        throw error;
      }
      rest = rest.minus(amount);
      applied += 1;
    }
    return applied;
  }

  #allocate(receiptId: string, installment: FusionRecord, amount: Decimal): void {
    const part = partOf(installment, amount);
    const application = { ...part, applicationId: String(this.#nextApplication), installmentId: installment.id };
    this.#nextApplication += 1;
    this.#applications.set(receiptId, [...this.applicationsOf(receiptId), application]);
    payInstallment(this.#records, installment.id, part, this.#now());
    this.#refreshed(this.#receipt(receiptId));
  }

  #takeBack(receiptId: string, undone: readonly Application[]): void {
    this.#applications.set(
      receiptId,
      this.applicationsOf(receiptId).filter((one) => !undone.includes(one)),
    );
    for (const { installmentId, amount, accounted } of undone) {
      payInstallment(this.#records, installmentId, { amount: amount.neg(), accounted: accounted.neg() }, this.#now());
    }
  }

  /** Stores a receipt with the figures that follow from what it settles. */
  #refreshed(receipt: FusionRecord): FusionRecord {
    const unapplied = this.unapplied(receipt);
    const identified = attributeOf(receipt, "CustomerAccountNumber") !== null;
    const state = !identified ? "Unidentified" : unapplied.isZero() ? "Applied" : "Unapplied";
    const figures = isReversed(receipt) ? {} : { State: state, Status: "Confirmed" };
    const fresh = changed(receipt, {
      ...figures,
      UnappliedAmount: rawAmount(unapplied),
      LastUpdateDate: timestamp(this.#now()),
    });
    this.#records.replace(receipts, fresh);
    return fresh;
  }

  #receipt(receiptId: string): FusionRecord {
    const receipt = this.#records.get(receipts, receiptId);
    if (receipt === undefined) throw new FusionFault(404, "The receipt does not exist.");
    return receipt;
  }
}

const isReversed = (receipt: FusionRecord): boolean => attributeOf(receipt, "Status") === "Reversed";

const refusal = (detail: string): FusionFault => new FusionFault(400, detail);
