import type { Requirements } from "../requirements.ts";

export default {
  "completions.6.model":
    "whatever links, payments, pushes, pulls, failures and time do to each other, every stored figure is what a simple model derives",
  "completions.12.model":
    "refunds, disputes, lost, late and foreign notifications, overpayments, receipts entered by hand, retries and withdrawals by people: no figure, link, receipt or concern differs from a simple model's",
  "completions.12.lanes":
    "two lanes of work at once, whatever fails meanwhile: once they rest, Stripe, the ERP, the mailboxes and the store tell the same",
  "completions.5.never-exceeds": "no step makes an installment's live links ask for more than is outstanding of it",
  "service.1.assistant-may":
    "an admin's assistant issues and withdraws links, manages their emails, dismisses tasks and pushes held receipts; that is all",
  "service.1.assistant-never":
    "no tool or argument sends words of an assistant's own, moves money, changes people, providers or keys, or deletes anything",
  "service.1.no-resource":
    "what an assistant has beside tools reads, and changes nothing: prompts, resources and completions",
  "service.1.members-read": "a person who is no admin sees and calls no tool that changes anything",
  "service.1.demotion": "a demotion takes effect on the next call",
  "service.1.step-up": "a missing scope is answered HTTP 403 with a challenge that names it, and nothing is done",
} satisfies Requirements;
