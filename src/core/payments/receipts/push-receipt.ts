import type { ErpReason } from "../../../erp-reasons.ts";
import { ErpError } from "../../../gateways/erp/gateway.ts";
import type { ErpReceipt, ErpReceipts } from "../../../gateways/erp/receipts.ts";
import type { PushOutcome } from "../../collection/push-outcome.ts";
import { businessDate } from "../../kernel/calendar.ts";
import { money } from "../../kernel/money.ts";
import type { BegunPush } from "./claimed-push.ts";
import { type BalanceGateway, heldByBalance } from "./push-balance.ts";

/** What of an ERP's gateway a push needs. */
type PushGateway = ErpReceipts & BalanceGateway;

/** A receipt that the ERP has, or the outcome that ends the attempt. */
type Step = { readonly receipt: ErpReceipt } | { readonly ended: PushOutcome };

/**
 * Brings a receipt into the ERP and applies it (completions §7), with no transaction open. It is looked up first, always: so it is
 * never created twice, and `failed` means that nothing was sent. Nothing is created on top of a balance that seems to hold the money
 * (completions §12). Rejects with the signal's reason, with the outcome unknown.
 */
export async function attemptPush(
  gateway: PushGateway,
  push: BegunPush,
  options: { readonly signal: AbortSignal },
): Promise<PushOutcome> {
  const step = await presentReceipt(gateway, push, options);
  return "ended" in step ? step.ended : apply(gateway, push, step.receipt, options);
}

async function presentReceipt(gateway: PushGateway, push: BegunPush, options: Options): Promise<Step> {
  const { erp_receipt_id: receiptId, receiptNumber } = push;
  try {
    const receipt =
      receiptId === null
        ? await gateway.findReceipt(receiptNumber, options)
        : await gateway.readReceipt(receiptId, options);
    if (receipt !== null)
      return isThisPayment(receipt, push) ? { receipt } : { ended: failed({ code: "number_taken" }) };
    if (receiptId === null && push.invoice_currency !== push.currency)
      return { ended: failed({ code: "billed_otherwise" }) };
    // Anyway: a person said to push it although the ERP's balance seems to hold the money.
    const held = receiptId === null && !push.push_anyway ? await heldByBalance(gateway, push, options) : null;
    if (held !== null) {
      // An earlier attempt of unknown outcome may have arrived since the first read, and be what the balance holds. Without one
      // nothing more is asked: if the ERP fell silent now, what its balance shows would be forgotten.
      const arrived = push.mayHaveArrived ? await gateway.findReceipt(receiptNumber, options) : null;
      if (arrived !== null && isThisPayment(arrived, push)) return { receipt: arrived };
      return { ended: { ...failed(held), retry: held.code === "invoice_not_shown" } };
    }
  } catch (error) {
    return { ended: outcomeOfError(push, erpError(error)) };
  }
  if (receiptId === null) return create(gateway, push, options);
  return { ended: answered({ status: "posted", receiptId, error: { code: "not_shown" }, erpMessage: null }) };
}

async function create(gateway: ErpReceipts, push: BegunPush, options: Options): Promise<Step> {
  const { business_unit: businessUnit, customer_number: customerNumber } = push;
  if (businessUnit === null) return { ended: failed({ code: "no_business_unit" }) };
  if (customerNumber === null) return { ended: failed({ code: "no_customer" }) };
  const receipt = {
    receiptNumber: push.receiptNumber,
    amount: push.amount,
    currency: push.currency,
    // The day of the payment in the workspace's timezone (completions §12).
    receiptDate: businessDate(new Date(push.paid_at), push.timezone),
    receiptMethod: push.receipt_method,
    businessUnit,
    customerNumber,
    customerSite: push.customer_site,
    invoiceNumber: push.invoice_number,
    applyMode: push.apply_mode,
  };
  try {
    return { receipt: await gateway.createReceipt(receipt, options) };
  } catch (thrown) {
    const error = erpError(thrown);
    const found = error.outcomeUnknown ? await gateway.findReceipt(push.receiptNumber, options).catch(unread) : null;
    if (found !== null && found !== undefined) return { receipt: found };
    return { ended: outcomeOfError({ ...push, mayHaveArrived: found === undefined }, error) };
  }
}

async function apply(
  gateway: ErpReceipts,
  push: BegunPush,
  { receiptId, state }: ErpReceipt,
  options: Options,
): Promise<PushOutcome> {
  const { erp_installment_id: erpInstallmentId, amount } = push;
  const inErp = (status: ErpReceipt["state"], error: ErpReason | null = null, erpMessage: string | null = null) =>
    answered({ status, receiptId, error, erpMessage });
  if (state !== "posted") return inErp(state);
  if (push.apply_mode === "automatch")
    return inErp("posted", push.invoice_number === null ? { code: "no_number" } : null);
  if (erpInstallmentId === null) return inErp("posted", { code: "no_installment" });
  try {
    const application = await gateway.applyReceipt({ receiptId, erpInstallmentId, amount }, options);
    return application.outcome === "applied"
      ? inErp("applied")
      : inErp("posted", application.reason, application.erpMessage);
  } catch (thrown) {
    const error = erpError(thrown);
    const now = error.outcomeUnknown ? await gateway.readReceipt(receiptId, options).catch(unread) : null;
    return now != null && now.state !== "posted"
      ? inErp(now.state)
      : outcomeOfError({ ...push, erp_receipt_id: receiptId }, error);
  }
}

type Options = { readonly signal: AbortSignal };

function isThisPayment(receipt: ErpReceipt, push: BegunPush) {
  const { amount, currency } = receipt;
  return (amount === null || money(amount).equals(money(push.amount))) && (currency ?? push.currency) === push.currency;
}

/** The outcome of an attempt that an error ended. */
export function outcomeOfError(
  { erp_receipt_id: receiptId, mayHaveArrived }: Pick<BegunPush, "erp_receipt_id" | "mayHaveArrived">,
  error: ErpError,
): PushOutcome {
  return {
    status: receiptId !== null ? "posted" : mayHaveArrived ? "processing" : "failed",
    receiptId,
    error: error.reason,
    erpMessage: error.erpMessage,
    retry: error.kind === "erp_unreachable",
    contact: error.kind,
  };
}

/** The outcome of an attempt that the ERP answered: the service does not retry it, as a rule. */
function answered(outcome: Pick<PushOutcome, "status" | "receiptId" | "error" | "erpMessage">): PushOutcome {
  return { ...outcome, retry: false, contact: "answered" };
}

const failed = (error: ErpReason) => answered({ status: "failed", receiptId: null, error, erpMessage: null });

/** What a gateway promises to reject with; anything else goes on. */
function erpError(thrown: unknown) {
  if (thrown instanceof ErpError) return thrown;
  throw thrown;
}

/** A receipt that the ERP could not be asked for. */
function unread(thrown: unknown): undefined {
  erpError(thrown);
}
