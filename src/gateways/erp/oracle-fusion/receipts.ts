import type { z } from "zod";
import { plainLine } from "../../quotable.ts";
import { ErpError } from "../gateway.ts";
import type { Application, CreatedReceipt, ErpReceipt, ErpReceipts, NewReceipt, ReceiptState } from "../receipts.ts";
import { FusionRejection } from "./errors.ts";
import { type FusionReading, lookUp, readRowsOfIds } from "./paging.ts";
import { applicationRejection, creationRejected, isDuplicate } from "./receipt-rejections.ts";
import {
  ActionResult,
  CreatedReceiptForm,
  checked,
  FusionId,
  inForm,
  plainDecimal,
  Receipt,
  UnreadableItem,
} from "./schema.ts";

const RECEIPTS_PATH = "/fscmRestApi/resources/11.13.18.05/standardReceipts";

const RECEIPT_LISTING = { path: RECEIPTS_PATH, idAttribute: "StandardReceiptId", toRow: toReceiptRow } as const;

const JSON_ITEM = "application/json";
const ACTION = "application/vnd.oracle.adf.action+json";

/** The receipts of Fusion, which are read by queries only: it does not document the key that an address would need. */
export function fusionReceipts(reading: FusionReading): ErpReceipts {
  const { http } = reading;
  const { named, read } = receiptQueries(reading);

  return {
    findReceipt: async (receiptNumber, { signal }) => foremost(await named(receiptNumber, signal)),

    async createReceipt(receipt, { signal }) {
      const posting = { contentType: JSON_ITEM, body: creationBody(receipt) };
      const created = (item: unknown): CreatedReceipt => ({
        outcome: "created",
        receipt: toErpReceipt(toFusionReceipt(inForm(CreatedReceiptForm, item))),
      });
      try {
        return await http.post(RECEIPTS_PATH, posting, created, signal);
      } catch (error) {
        if (!(error instanceof FusionRejection)) throw error;
        if (!isDuplicate(error)) throw creationRejected(error);
      }
      // Any failure of the look-up leaves open what the ERP holds.
      const found = await named(receipt.receiptNumber, signal).catch((error: unknown) => {
        throw error instanceof ErpError ? error.afterSending() : error;
      });
      return alreadyThere(receipt, found);
    },

    async applyReceipt({ receiptId, erpInstallmentId, amount }, { signal }) {
      const path = `${RECEIPTS_PATH}/${digitsOf(receiptId)}/action/applyReceipt`;
      const body = {
        appliedPaymentScheduleId: JSON.rawJSON(digitsOf(erpInstallmentId)),
        amountApplied: JSON.rawJSON(exactAmount(amount)),
        calledFrom: "REST",
      };
      const resultOf = (answer: unknown) => inForm(ActionResult, answer).result;
      const answer = await http.post(path, { contentType: ACTION, body }, resultOf, signal).then(
        (result): Application =>
          result === "SUCCESS"
            ? { outcome: "applied" }
            : { outcome: "refused", reason: { code: "no_success" }, erpMessage: result && plainLine(result) },
        (error: unknown): Application => {
          if (!(error instanceof FusionRejection)) throw error;
          return { outcome: "refused", reason: applicationRejection(error), erpMessage: error.erpMessage };
        },
      );
      if (answer.outcome === "applied") return answer;
      // An earlier attempt whose answer was lost makes the ERP reject this one.
      const now = (await read([receiptId], signal)).get(receiptId);
      return now?.state === "applied" ? { outcome: "applied" } : answer;
    },

    readReceipt: async (receiptId, { signal }) => (await read([receiptId], signal)).get(receiptId) ?? null,
    readReceipts: (receiptIds, { signal, setAside }) => read(receiptIds, signal, setAside),
  };
}

function receiptQueries(reading: FusionReading) {
  /** All of that number, in the order of their ids. */
  async function named(receiptNumber: string, signal: AbortSignal): Promise<ErpReceipt[]> {
    const query = { q: `ReceiptNumber = '${receiptNumber.replaceAll("'", "''")}'` };
    const found = await lookUp(reading, RECEIPT_LISTING, query, signal);
    return found.map(toErpReceipt).filter((receipt) => receipt.receiptNumber === receiptNumber);
  }

  async function read(
    ids: readonly string[],
    signal: AbortSignal,
    setAside?: (receiptId: string, why: Error) => void,
  ): Promise<Map<string, ErpReceipt>> {
    const found = new Map<string, ErpReceipt>();
    for await (const rows of readRowsOfIds(reading, RECEIPT_LISTING, ids, {}, signal))
      for (const row of rows) {
        const { StandardReceiptId: id } = row;
        if ("unreadable" in row && setAside !== undefined) setAside(id, row.unreadable);
        else found.set(id, toErpReceipt(row));
      }
    return found;
  }

  return { named, read };
}

/** Of the receipts with a new receipt's number, the one that the ERP says it has. */
function alreadyThere(receipt: NewReceipt, found: readonly ErpReceipt[]): CreatedReceipt {
  if (found.length === 0) {
    throw new ErpError("erp_rejected", { code: "hidden" }, { outcomeUnknown: true });
  }
  const amount = exactAmount(receipt.amount);
  const same = foremost(found.filter((one) => one.amount === amount && one.currency === receipt.currency));
  if (same !== null) return { outcome: "already_there", receipt: same };
  throw new ErpError("erp_rejected", { code: "number_taken" });
}

/** The latest that is not reversed, else the latest. */
function foremost(receipts: readonly ErpReceipt[]): ErpReceipt | null {
  return receipts.findLast((receipt) => receipt.state !== "reversed") ?? receipts.at(-1) ?? null;
}

type FusionReceipt = z.output<typeof Receipt>;

function toFusionReceipt(item: unknown): FusionReceipt {
  return checked(Receipt, item, "a receipt");
}

/** A receipt of which one value cannot be taken in is no reason not to read others. */
function toReceiptRow(item: unknown) {
  try {
    return toFusionReceipt(item);
  } catch (unreadable) {
    const named = CreatedReceiptForm.safeParse(item);
    if (!(unreadable instanceof UnreadableItem) || !named.success) throw unreadable;
    return { StandardReceiptId: named.data.StandardReceiptId, unreadable };
  }
}

/** Throws what makes it unreadable. */
function toErpReceipt(receipt: ReturnType<typeof toReceiptRow>): ErpReceipt {
  if ("unreadable" in receipt) throw receipt.unreadable;
  const state = stateOf(receipt);
  return {
    receiptId: receipt.StandardReceiptId,
    receiptNumber: receipt.ReceiptNumber,
    amount: receipt.Amount,
    currency: receipt.Currency,
    receiptDate: receipt.ReceiptDate,
    state,
    reversalReason: state === "reversed" ? reversalReasonOf(receipt) : null,
    unappliedAmount: receipt.UnappliedAmount,
  };
}

const REVERSED = /^(?:rev$|revers|stop|nsf$|non ?sufficient|insufficient)/;
const APPLIED = new Set(["app", "applied"]);

/**
 * Fusion says it in `State`, by code or by name, and that it was undone in `Status` as well. Where it gives no state
 * at all, as right after creation, the amounts tell. A state in words not known here is never taken for applied.
 */
function stateOf({ State, Status, Amount, UnappliedAmount }: FusionReceipt): ReceiptState {
  const [state, status] = [State, Status].map((text) => (text ?? "").toLowerCase().replace(/[\s_-]+/g, " "));
  if (REVERSED.test(state ?? "") || REVERSED.test(status ?? "")) return "reversed";
  if (APPLIED.has(state ?? "")) return "applied";
  return State === null && UnappliedAmount === "0" && Amount !== "0" ? "applied" : "posted";
}

/** Of a returned or stopped payment `State` is the reason; that a receipt was reversed says nothing of it. */
function reversalReasonOf({ State, ReversalReasonCode, ReversalComments }: FusionReceipt): string | null {
  const category = /^rev/i.test(State ?? "") ? null : State;
  return [category, ReversalReasonCode, ReversalComments].filter((part) => part !== null).join(", ") || null;
}

function creationBody(receipt: NewReceipt): Readonly<Record<string, unknown>> {
  const amount = JSON.rawJSON(exactAmount(receipt.amount));
  const { applyMode, invoiceNumber, customerSite } = receipt;
  return {
    ReceiptNumber: receipt.receiptNumber,
    ReceiptMethod: receipt.receiptMethod,
    BusinessUnit: receipt.businessUnit,
    Amount: amount,
    Currency: receipt.currency,
    ReceiptDate: receipt.receiptDate,
    CustomerAccountNumber: receipt.customerNumber,
    ...(customerSite === null ? {} : { CustomerSite: customerSite }),
    ...(applyMode === "automatch" && invoiceNumber !== null
      ? {
          remittanceReferences: [
            { ReceiptMatchBy: "Transaction Number", ReferenceNumber: invoiceNumber, ReferenceAmount: amount },
          ],
        }
      : {}),
  };
}

/** Above zero, without needless zeros. Nothing is sent for anything else. */
function exactAmount(amount: string): string {
  const exact = plainDecimal(amount);
  if (exact !== undefined && exact !== "0" && !exact.startsWith("-")) return exact;
  throw new ErpError("erp_rejected", { code: "no_amount" });
}

function digitsOf(id: string): string {
  if (FusionId.safeParse(id).success) return id;
  throw new ErpError("erp_rejected", { code: "no_id" });
}
