import { z } from "zod";
import { ErpError } from "../../../gateways/erp/gateway.ts";
import { erpGateway } from "../../../gateways/erp/index.ts";
import { MAX_RECEIPT_ROUND } from "../../../gateways/erp/receipt-number.ts";
import type { ErpReceipt } from "../../../gateways/erp/receipts.ts";
import { holdName } from "../../../store/named-lock.ts";
import type { Transaction } from "../../../store/store.ts";
import { TAKEN_BACK } from "../../collection/push-outcome.ts";
import { assertConnected } from "../../erp-access/assert-connected.ts";
import { erpSettings } from "../../erp-access/credential.ts";
import type { Core } from "../../gate/dependencies.ts";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { workStep } from "../../gate/work-step.ts";
import { businessDate } from "../../kernel/calendar.ts";
import { type ErrorDetail, orNotFound } from "../../kernel/error.ts";
import { type Money, money, sum } from "../../kernel/money.ts";
import { validationFailed } from "../../kernel/validation.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { readableDate, readableMoney } from "../../mail/readable.ts";
import { timezoneOf } from "../../workspace/workspace-queries.ts";
import { assertOpen, isOpen, manageReceipt } from "../receipts/manage-receipt.ts";
import { stateForPayment } from "../receipts/push-balance.ts";
import { connectionOfPayment, managedPayment, settledByReceipts } from "../receipts/receipt-queries.ts";

const RECEIPT_NUMBER = "must be 1 to 30 printable characters: the receipt's number in the ERP";

/** The ERP's own number of a receipt: 1 to 30 printable characters. What is far longer is not normalized. */
const ReceiptNumber = z
  .string()
  .trim()
  .refine((given) => given.length <= 400, { error: RECEIPT_NUMBER, abort: true })
  .normalize("NFC")
  .regex(/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,30}$/u, RECEIPT_NUMBER);

/**
 * Notes that the ERP's own users entered a payment's receipt, for people and operators (completions §12). It counts as
 * applied: a sync that starts after this takes the ERP's balance to hold it, and follows it by its number. Only a failed,
 * reversed or held one. With `check` the ERP is asked for the receipt first; one that it has not applied is `posted`. Throws `validation_failed`, `not_found`, `conflict`.
 */
export const settleReceiptByHand = operation({
  id: "settleReceiptByHand",
  summary: "Note that somebody entered the receipt in the ERP; nothing is pushed",
  errors: ["conflict", "connection_disconnected"],
  ...SETTINGS_CHANGE,
  sideEffects: "Nothing is pushed to the ERP for the payment any more.",
  once: (input) => input,
  input: z.strictObject({
    paymentId: Uuid.describe("which payment (see payment list)"),
    receiptNumber: ReceiptNumber.describe("the receipt's number in the ERP"),
    check: z.boolean().default(false),
  }),
  output: z.strictObject({
    payment_id: Uuid,
    erp_push_status: z.enum(["applied", "posted"]),
    erp_receipt_number: z.string(),
    /** What the ERP shows for the number, where it was asked. */
    in_the_erp: z
      .strictObject({
        amount: z.string().nullable(),
        currency: z.string().nullable(),
        receipt_date: z.string().nullable(),
        state: z.string(),
      })
      .nullable(),
  }),
  prepare: async ({ actor, core, signal }, { paymentId, receiptNumber, check }) =>
    check ? lookUpReceipt(core, actor.tenantId, { paymentId, receiptNumber }, signal) : null,
  async run(context, { paymentId, receiptNumber }, seen) {
    const { now, tx, actor } = context;
    if (seen !== null) {
      // Another payment may have been settled by it while the ERP was asked.
      await holdName(tx, `receipt ${receiptNumber} of ${actor.tenantId}`);
      assertCovers(await settlingOf(tx, actor.tenantId, { paymentId, receiptNumber }), seen);
    }
    const { change } = await manageReceipt(context, paymentId, (payment) => {
      const { erp_push_status: status, receipt_round: round } = payment;
      assertOpen(payment);
      const isApplied = seen === null || stateForPayment(seen, payment.amount) === "applied";
      return {
        erp_push_status: isApplied ? "applied" : "posted",
        erp_push_error: isApplied ? null : { code: TAKEN_BACK },
        erp_receipt_id: seen?.receiptId ?? null,
        erp_receipt_number: receiptNumber,
        applied_at: isApplied ? now : null,
        reflected_at: null,
        settled_by_hand_at: now,
        // The reversed one keeps its number in the ERP: should this prove a mistake, the next is another.
        receipt_round: status === "reversed" ? Math.min(round + 1, MAX_RECEIPT_ROUND) : round,
        push_anyway: false,
        push_retryable: false,
        next_attempt_at: null,
        next_look_at: null,
      };
    });
    return {
      payment_id: paymentId,
      erp_push_status: change.erp_push_status === "posted" ? ("posted" as const) : ("applied" as const),
      erp_receipt_number: receiptNumber,
      in_the_erp: seen && {
        ...{ amount: seen.amount, currency: seen.currency, receipt_date: seen.receiptDate, state: seen.state },
      },
    };
  },
});

interface Settling {
  readonly paymentId: string;
  readonly receiptNumber: string;
}

/** Somebody waits for the answer. */
const PATIENCE_MS = 20_000;

/**
 * Finds the receipt of that number in the ERP of a payment's invoice. Null for a payment that is not to be
 * settled by hand. Throws `not_found` without such a payment, `connection_disconnected`, and `validation_failed` where the ERP has no such receipt, has
 * reversed it, has less money in it than it is to settle, or cannot be asked.
 */
export async function lookUpReceipt(
  core: Core,
  tenantId: string,
  { paymentId, receiptNumber }: Settling,
  signal?: AbortSignal,
) {
  const kept = await lookAtPayment(core, tenantId, { paymentId, receiptNumber });
  if (kept === null) return null;
  const { connection } = kept;
  assertConnected(connection);
  const patience = AbortSignal.timeout(PATIENCE_MS);
  try {
    const gateway = erpGateway(connection.provider, erpSettings(core, connection));
    const found = await gateway.findReceipt(receiptNumber, {
      signal: signal === undefined ? patience : AbortSignal.any([signal, patience]),
    });
    if (found === null) throw faulty(`is unknown: the ERP has no receipt ${receiptNumber}`);
    if (found.state === "reversed") throw faulty("was reversed in the ERP");
    assertCovers(kept, found);
    return found;
  } catch (error) {
    if (error instanceof ErpError) throw faulty(`cannot be looked up: ${error.publicMessage.slice(0, -1)}`, NOT_ASKED);
    if (!patience.aborted || signal?.aborted) throw error;
    throw faulty(`cannot be looked up: the ERP did not answer within ${PATIENCE_MS / 1_000} seconds`, NOT_ASKED);
  }
}

const lookAtPayment = workStep({
  in: "workspace",
  async run({ tx, tenantId }, settling: Settling) {
    const { paymentId } = settling;
    if (!isOpen(orNotFound(await managedPayment(tx, { tenantId, paymentId }), "payment"))) return null;
    return settlingOf(tx, tenantId, settling);
  },
});

/** The ERP of a payment, and the other payments that receipts of the number settle. */
async function settlingOf(tx: Transaction, tenantId: string, { paymentId, receiptNumber }: Settling) {
  const connection = orNotFound(await connectionOfPayment(tx, tenantId, paymentId), "payment of an ERP's invoice");
  const others = await settledByReceipts(tx, connection, receiptNumber);
  return { connection, others, timezone: await timezoneOf(tx, tenantId) };
}

/** A receipt of less money than it is to settle, others' payments included, is another one, or a mistyped number. */
function assertCovers(
  { connection: { amount, currency }, others, timezone }: Awaited<ReturnType<typeof settlingOf>>,
  found: ErpReceipt,
) {
  if (found.currency !== null && found.currency !== currency)
    throw faulty(`is a receipt in ${found.currency}, and the payment is in ${currency}`);
  if (found.amount === null) return;
  // Customers may have receipts of one number; of those that were settled unseen the id is not known yet.
  const those = others.filter(({ erp_receipt_id: id }) => id === null || id === found.receiptId);
  const left = money(found.amount).minus(sum(those.map((one) => money(one.amount))));
  if (left.greaterThanOrEqualTo(money(amount))) return;
  const shown = (figure: Money) => readableMoney(figure, currency);
  const taken = those.map(
    ({ amount: part, invoice_number: number, paid_at: at }) =>
      `${shown(money(part))} for invoice ${number ?? "without a number"}, paid on ${readableDate(businessDate(new Date(at), timezone))}`,
  );
  const other = taken.length === 0 ? ": it" : `, and another payment's already (${taken.join("; ")}): it`;
  throw faulty(
    `is a receipt of ${shown(money(found.amount))}${other} cannot hold this payment's ${shown(money(amount))}`,
  );
}

const NOT_ASKED = { code: "not_asked" } as const;

function faulty(message: string, more: Pick<ErrorDetail, "code"> = {}) {
  return validationFailed([{ field: "receiptNumber", message, ...more }]);
}
