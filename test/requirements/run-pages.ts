import type { Requirements } from "../requirements.ts";

export default {
  "pages.run.syncs": "the sync history tells each run's trigger, status, start, duration, figures and error in words",
  "pages.run.live": "a run that is under way is followed by a script; without it the page is read again",
  "pages.run.notices": "a notice about what was begun is gone once that has ended",
  "pages.run.history": "a payment and an invoice have their history from the audit trail, and an invoice its open task",
  "pages.run.foreign": "another workspace's ids look like missing ones on the pages that run a workspace",
  "pages.run.receipts":
    "the page of a payment says why its receipt is not in the ERP, and pushes it again, once for each form",
  "pages.run.held":
    "held receipts are pushed after a confirmation with count and amounts by currency, which holds for exactly those",
  "pages.run.settle": "a receipt is settled by hand with the number that the ERP shows, and that is undone",
  "pages.run.attention":
    "refunds, disputes, overpayments and receipts that need a person are listed with what to do, and resolved",
  "pages.run.links": "payment links are made for installments, for what is available at most, once for each form",
  "pages.run.local-edit":
    "an invoice made in the service is edited, settled elsewhere and voided on a page, once for each form",
  "pages.run.copy": "the address of a link can be selected without JavaScript, and is copied with it",
  "pages.run.withdraw": "before a link is withdrawn the page says what happens to an open checkout and to its mail",
  "pages.run.unchanged":
    "an act that changes nothing, such as a second withdrawal, says so and leaves no entry in the audit trail",
  "pages.run.mail": "the scheduled mail of a link is moved to a time of the workspace's clocks, or cancelled",
  "pages.run.tasks":
    "a task tells why it was opened; its links are made there, and it is dismissed after a confirmation",
  "pages.run.local-invoices":
    "an invoice is created with installments; every error is at its field, at once, and what was typed is kept",
  "pages.run.forms":
    "members are refused every act with 403, forged forms too, and other workspaces' ids look like missing ones",
  "pages.run.preview": "a workflow's preview has its counts, amounts by currency and the mails as customers get them",
  "pages.run.preview-cost": "a preview plans the book once; each mail of it costs what its customer owes",
  "pages.run.workflows":
    "an admin turns a workflow on, changes it and turns it off, with or without its scheduled mails",
  "pages.run.confirm": "much at once is confirmed on the page, by the plan of that moment",
  "pages.run.arrangement": "a rule's assignee, amount and customers are chosen on the page, and a wrong one is named",
  "pages.run.billing-email":
    "a customer's billing email is set, changed and cleared on their page, which says whose counts",
  "pages.run.day":
    "from an empty workspace to its audit trail a day's work is done in the browser, without a terminal and mostly without JavaScript",
} satisfies Requirements;
