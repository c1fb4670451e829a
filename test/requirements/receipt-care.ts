import type { Requirements } from "../requirements.ts";

export default {
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
