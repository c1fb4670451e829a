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
} satisfies Requirements;
