import type { Decimal } from "decimal.js";
import { type Answer, FusionFault, type FusionRequest } from "./answers.ts";
import { itemBody } from "./collection.ts";
import { attributeOf } from "./exact.ts";
import { readParameters } from "./parameters.ts";
import { numberIn, readItem, textIn } from "./posted-item.ts";
import type { ReceiptLedger } from "./receipt-ledger.ts";
import { changed, type FusionItem } from "./records.ts";
import { receipts } from "./resources.ts";

const ACTION_TYPE = "application/vnd.oracle.adf.action+json";

/** `POST standardReceipts`. In its answer, as in Oracle's examples, amounts are text and the states are not there yet. */
export function creation(ledger: ReceiptLedger, request: FusionRequest): Answer {
  const parameters = readParameters(receipts, request.url.searchParams, request.frameworkVersion);
  const receipt = ledger.create(request);
  const amount = attributeOf(receipt, "Amount");
  const shown = changed(receipt, { Amount: amount, State: null, Status: null, UnappliedAmount: null });
  const href = `${request.url.origin}${request.url.pathname.replace(/\/+$/, "")}/${receipt.id}`;
  return {
    status: 201,
    body: itemBody(receipts, shown, parameters, href),
    headers: { "Content-Type": "application/vnd.oracle.adf.resourceitem+json", Location: href },
  };
}

/** What an action takes, and what it does to the receipt of that id. */
interface Action {
  readonly parameters: readonly string[];
  run(ledger: ReceiptLedger, receiptId: string, sent: FusionItem): void;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  applyReceipt: {
    parameters: ["appliedPaymentScheduleId", "amountApplied"],
    run: (ledger, receiptId, sent) =>
      ledger.apply(receiptId, idIn(sent, "appliedPaymentScheduleId"), numberIn(sent, "amountApplied")),
  },
  unapplyReceipt: {
    parameters: ["appliedPaymentScheduleId", "receivableApplicationId"],
    run(ledger, receiptId, sent) {
      const applicationId = numberIn(sent, "receivableApplicationId")?.toFixed() ?? null;
      ledger.unapply(receiptId, idIn(sent, "appliedPaymentScheduleId"), applicationId);
    },
  },
  reverseReceipt: {
    parameters: ["reversalCategoryCode", "reversalReasonCode"],
    run(ledger, receiptId, sent) {
      needed(textIn(sent, "reversalReasonCode"), "reversalReasonCode");
      ledger.reverse(receiptId, needed(textIn(sent, "reversalCategoryCode"), "reversalCategoryCode"));
    },
  },
};

/** `POST standardReceipts/{id}/action/{name}` */
export function action(ledger: ReceiptLedger, receiptId: string, name: string, request: FusionRequest): Answer {
  const known = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (known === undefined) throw new FusionFault(404, `The action ${name} does not exist.`);
  const { contentType, body } = request;
  known.run(ledger, receiptId, readItem(contentType, [ACTION_TYPE], body, [...known.parameters, "calledFrom"]));
  return { status: 200, body: { result: "SUCCESS" }, headers: { "Content-Type": ACTION_TYPE } };
}

function idIn(sent: FusionItem, name: string): string {
  const id: Decimal = needed(numberIn(sent, name), name);
  return id.toFixed();
}

function needed<T>(value: T | null, name: string): T {
  if (value !== null) return value;
  throw new FusionFault(400, `You must provide a value for ${name}.`, "FND_CMN_REQ_ATTRIB_API_SERV");
}
