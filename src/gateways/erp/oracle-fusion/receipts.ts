import { plainLine } from "../../outside-error.ts";
import { ErpError } from "../gateway.ts";
import type { Application, ErpReceipt, ErpReceipts, NewReceipt, ReceiptState } from "../receipts.ts";
import { applicationRejection, creationRejected, FusionRejection, isDuplicate } from "./errors.ts";
import { type FusionReading, lookUp, readRowsOfIds } from "./paging.ts";
import {
  ActionResult,
  type Attributes,
  amount,
  attributesOf,
  CreatedReceipt,
  date,
  fusionId,
  inForm,
  isId,
  plainDecimal,
  text,
  UnreadableItem,
} from "./schema.ts";

const RECEIPTS_PATH = "/fscmRestApi/resources/11.13.18.05/standardReceipts";

const RECEIPT_LISTING = {
  path: RECEIPTS_PATH,
  idAttribute: "StandardReceiptId",
  toRow: toReceiptRow,
  idOf: (row: ReceiptRow) => row.receiptId,
} as const;

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
      const created = (item: unknown): ErpReceipt => {
        inForm(CreatedReceipt, item);
        return receiptOf(attributesOf(item, "a receipt"));
      };
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
  async function named(receiptNumber: string, signal: AbortSignal) {
    const query = { q: `ReceiptNumber = '${receiptNumber.replaceAll("'", "''")}'` };
    const found = await lookUp(reading, RECEIPT_LISTING, query, signal);
    return found.map(readable).filter((receipt) => receipt.receiptNumber === receiptNumber);
  }

  async function read(ids: readonly string[], signal: AbortSignal, setAside?: (receiptId: string, why: Error) => void) {
    const found = new Map<string, ErpReceipt>();
    for await (const rows of readRowsOfIds(reading, RECEIPT_LISTING, ids, {}, signal))
      for (const row of rows) {
        if ("unreadable" in row && setAside !== undefined) setAside(row.receiptId, row.unreadable);
        else found.set(row.receiptId, readable(row));
      }
    return found;
  }

  return { named, read };
}

/** Of the receipts with a new receipt's number, the one that the ERP says it has. */
function alreadyThere(receipt: NewReceipt, found: readonly ErpReceipt[]) {
  if (found.length === 0) throw new ErpError("erp_rejected", { code: "hidden" }, { outcomeUnknown: true });
  const exact = exactAmount(receipt.amount);
  const same = foremost(found.filter((one) => one.amount === exact && one.currency === receipt.currency));
  if (same !== null) return same;
  throw new ErpError("erp_rejected", { code: "number_taken" });
}

/** The latest that is not reversed, else the latest. */
function foremost(receipts: readonly ErpReceipt[]) {
  return receipts.findLast((receipt) => receipt.state !== "reversed") ?? receipts.at(-1) ?? null;
}

type ReceiptRow = ErpReceipt | { readonly receiptId: string; readonly unreadable: UnreadableItem };

/** A receipt of which one value cannot be taken in is no reason not to read others. */
function toReceiptRow(item: unknown): ReceiptRow {
  const of = attributesOf(item, "a receipt");
  try {
    return receiptOf(of);
  } catch (unreadable) {
    if (!(unreadable instanceof UnreadableItem)) throw unreadable;
    return { receiptId: of("StandardReceiptId", fusionId), unreadable };
  }
}

/** Throws what makes it unreadable. */
function readable(row: ReceiptRow) {
  if ("unreadable" in row) throw row.unreadable;
  return row;
}

const REVERSED = /^(?:rev$|revers|stop|nsf$|non ?sufficient|insufficient)/;
const APPLIED = new Set(["app", "applied"]);

/** `standardReceipts`, the attributes the service reads. An amount is a string in the answer to its creation, a number elsewhere. */
function receiptOf(of: Attributes): ErpReceipt {
  const receipt = {
    receiptId: of("StandardReceiptId", fusionId),
    receiptNumber: of("ReceiptNumber", text(100)),
    amount: of("Amount", amount),
    unappliedAmount: of("UnappliedAmount", amount),
    currency: of("Currency", text(15)),
    receiptDate: of("ReceiptDate", date),
  };
  const [said, status] = [of("State", text(80)), of("Status", text(80))];
  // Not among the documented attributes; kept where an installation shows them.
  const reasons = [of("ReversalReasonCode", text(80)), of("ReversalComments", text(2_000))];
  const state = stateOf(said, status, receipt);
  // Of a returned or stopped payment `State` is the reason; that a receipt was reversed says nothing of it.
  const category = /^rev/i.test(said ?? "") ? null : said;
  const reason = [category, ...reasons].filter((part) => part !== null).join(", ");
  return { ...receipt, state, reversalReason: state === "reversed" ? reason || null : null };
}

/**
 * Fusion says it in `State`, by code or by name, and that it was undone in `Status` as well. Where it gives no state
 * at all, as right after creation, the amounts tell. A state in words not known here is never taken for applied.
 */
function stateOf(
  said: string | null,
  status: string | null,
  receipt: Pick<ErpReceipt, "amount" | "unappliedAmount">,
): ReceiptState {
  const [state = "", undone = ""] = [said, status].map((words) => words?.toLowerCase().replace(/[\s_-]+/g, " "));
  if (REVERSED.test(state) || REVERSED.test(undone)) return "reversed";
  if (APPLIED.has(state)) return "applied";
  return said === null && receipt.unappliedAmount === "0" && receipt.amount !== "0" ? "applied" : "posted";
}

function creationBody(receipt: NewReceipt) {
  const exact = JSON.rawJSON(exactAmount(receipt.amount));
  const { applyMode, invoiceNumber, customerSite } = receipt;
  return {
    ReceiptNumber: receipt.receiptNumber,
    ReceiptMethod: receipt.receiptMethod,
    BusinessUnit: receipt.businessUnit,
    Amount: exact,
    Currency: receipt.currency,
    ReceiptDate: receipt.receiptDate,
    CustomerAccountNumber: receipt.customerNumber,
    ...(customerSite === null ? {} : { CustomerSite: customerSite }),
    ...(applyMode === "automatch" && invoiceNumber !== null
      ? {
          remittanceReferences: [
            { ReceiptMatchBy: "Transaction Number", ReferenceNumber: invoiceNumber, ReferenceAmount: exact },
          ],
        }
      : {}),
  };
}

/** Above zero, without needless zeros. Nothing is sent for anything else. */
function exactAmount(given: string) {
  const exact = plainDecimal(given);
  if (exact !== undefined && exact !== "0" && !exact.startsWith("-")) return exact;
  throw new ErpError("erp_rejected", { code: "no_amount" });
}

function digitsOf(id: string) {
  if (isId(id)) return id;
  throw new ErpError("erp_rejected", { code: "no_id" });
}
