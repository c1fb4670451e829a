import type { Requirements } from "../requirements.ts";

export default {
  "completions.12.receipt-history":
    "the outcome of each push and what the ERP did to a receipt stand on its payment and in the audit trail: by whom, when, and the ERP's reason",
  "completions.7.push":
    "automatic mode pushes on confirmation: the receipt is created, then applied to the installment",
  "service.3.3.pending": "pending: the push is queued, the ERP has not been told",
  "service.3.3.processing": "processing: the push is in flight",
  "service.3.3.posted": "posted: the ERP accepted the receipt and has not allocated it",
  "service.3.3.applied": "applied: the ERP accepted and allocated the receipt",
  "service.3.3.failed": "failed: the receipt never reached the ERP",
  "service.3.3.reversed": "reversed: the receipt arrived and the ERP undid it",
  "service.8.push-retry": "a push that met an unreachable ERP is retried every 15 minutes for 24 hours",
  "service.3.3.waits": "a push that failed for any other cause waits for a person",
  "completions.7.push-found": "a push cut off at any moment is looked up by its number and never created twice",
  "completions.7.push-mode": "held receipts wait until they are pushed, whatever the mode becomes",
  "completions.5.push-held": "held payments are pushed, all of a connection's or those that are named, all or none",
  "completions.5.push-held-errors": "a payment that is not held is a conflict, one that is not there is not found",
  "completions.5.push-held-one-of": "exactly one of connection_id and payment_ids, 1 to 100 of them",
  "completions.9.push-none": "pushing held payments of a connection that has none answers an empty list",
  "completions.9.push-key": "a push names its request: REST without the header and a tool without the argument say so",
  "completions.2.receipts-push": "pushing receipts takes an admin key, or an admin with the scope receipts:push",
  "completions.7.automatch": "with apply_mode automatch the ERP applies the receipt itself, and a later read tells",
  "completions.9.refused-application":
    "a receipt the ERP took and would not apply is posted, and erp_push_error says why",
  "completions.9.retired-followed": "receipts of a retired invoice are still followed",
  "completions.7.push-status":
    "401 and 403 ask for reauthentication, no answer is unavailability, a good push connects",
  "completions.6.reflected-once": "no payment is counted twice or left out at any step from payment to reflection",
  "completions.6.reversed": "a reversed receipt is not reflected",
  "completions.6.in-doubt":
    "an applied receipt that the ERP does not show, on an installment that owes more, is not reflected until it is shown",
  "service.2.3.push-silent": "updated_at does not move when only a push does",
  "completions.7.receipt-number": "a receipt's number is derived from the payment's id and has at most 30 characters",
  "facts.fusion.ledger": "an invoice's own balance is not read where it may be in the ledger's currency",
  "facts.fusion.duplicate": "AR_RCP_DUP_NUM means that the receipt is there, not that it failed",
  "facts.fusion.look-before":
    "a receipt whose creation has an unclear outcome is not sent again unasked, and is found by its number",
  "completions.12.erp-words":
    "erp_push_error is a sentence of the service's own, then the ERP's: cleaned, at most 300 characters, marked; the log has it whole, without credentials",
  "completions.12.erp-reasons": "each documented refusal says in the service's words what is wrong and what to do",
  "completions.12.receipt-date": "a receipt's date is the day of paid_at in the workspace's timezone",
  "completions.12.retry-payment": "a failed, reversed or unapplied receipt is pushed again, one settled by hand too",
  "completions.12.retry-round": "a reversed receipt is followed by one of a number of its own, never two of a round",
  "completions.12.by-hand":
    "a receipt settled by hand has the ERP's number, and the ERP's balance holds it from the next sync on",
  "completions.12.manager": "people who are admins and operators do it, each time audited, and nobody else",
  "completions.12.not-on-top": "nothing is pushed on top of a balance that shows the money, unless a person says so",
  "completions.12.own-receipts": "what the service's own receipts took off the balance stops no other receipt",
  "completions.7.push-released": "a push whose own work fails is given back at once, and blocks its ERP no longer",
  "completions.12.by-hand-reversed":
    "a receipt settled by hand that the ERP reverses later needs a person; its customer is asked for nothing till then",
  "contract.admin.payment": "payment list, retry and settle-by-hand at the terminal",
  "facts.fusion.office": "the simulated ERP's users close periods, enter receipts by hand and reverse them",
  "service.8.wrong-clock":
    "what a clock that was wrong for a while put off or leased waits no longer than any pause or lease lasts; times that were chosen stay",
} satisfies Requirements;
