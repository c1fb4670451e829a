import type { Requirements } from "../requirements.ts";

export default {
  "completions.6.outstanding": "outstanding is the ERP's balance less the payments it does not reflect, never negative",
  "completions.6.replaced": "payments on installments that were replaced settle the live ones, the earliest due first",
  "completions.6.status": "paid, open or inactive follow from what was collected, what is left and what is collectible",
  "completions.6.due-date": "collection_due_date is the earliest due date among collectible installments",
  "completions.6.push-state": "erp_push_state is the worst of the pushes, a held one counting as pending",
  "completions.4.reasons": "not_collectible_reason is the first that holds, in the listed order",
  "completions.9.removed": "an invoice whose installments were all removed has nothing outstanding",
  "completions.9.rounded-to-zero": "what rounds to zero in the minor unit is not collectible",
  "service.3.2.paid": "paid means collected through the service and nothing left, whatever the ERP still shows",
  "completions.6.integrations": "connecting or disconnecting an integration derives the figures anew at once",
  "completions.7.override": "the workspace's own billing email wins over the ERP's",
  "completions.7.billing-email-form":
    "one check says what mail can be sent to; harmless decoration is cleaned, anything else is no billing email",
  "service.3.3.worst": "the invoice's push state is the worst across its pushes",
  "completions.13.local-number":
    "an invoice made in the service has a number of its own, folded as in searches; one of the ERP's, and an old due date, are taken when confirmed",
  "completions.13.local-edit":
    "an invoice made in the service is edited until something was collected; links that ask too much go",
  "completions.13.local-installment": "an invoice made without installments is one, and can be collected",
  "completions.13.local-void":
    "a void invoice owes nothing: links are withdrawn and mails cancelled, and nothing changes it again",
  "completions.13.settled-elsewhere":
    "money that came another way lowers what is owed in lists and aging to the cent, and is not collected",
  "contract.invoice-create": "an invoice of the service's own has figures like any other, and bad input is named",
} satisfies Requirements;
