import type { Requirements } from "../requirements.ts";

export default {
  "completions.1.member-audit": "what is done to members is audited: by whom, and to whom",
  "contract.pages.last-admin": "a workspace keeps an admin, whatever is done on its pages at once",
  "contract.pages.invitations":
    "an invitation lets the owner of an address in, once, for seven days, and takes no account over",
  "contract.pages.members": "an admin invites people by mail, changes roles and removes members, whose assistants stop",
  "service.1.person-acts": "connecting an ERP, what it syncs, reconnecting it and switching sync on are done on a page",
  "service.3.1.words": "a connection's status, and the freshness of its figures, are told in words",
  "contract.pages.erp-twin":
    "an ERP is connected again, as any user, only when that is confirmed, and its page says so",
  "contract.pages.erp-left":
    "an ERP whose invoices stayed after it was disconnected is connected again only when that is confirmed",
  "contract.pages.erp-moved":
    "payments and payment links follow a connection to another address only when that is confirmed",
  "contract.pages.erp-retire":
    "an admin sees what a held pull would retire, by business unit and amount, and confirms or leaves it",
  "contract.pages.erp-connections": "an admin connects ERPs of their workspaces; no page shows a credential",
  "contract.erp.checked": "an ERP is asked before its connection is kept, unless whoever connects it says otherwise",
  "contract.pages.erp-hosts": "whoever is no operator names public https hosts alone, and in a demo this machine",
  "service.1.connecting-made-easy":
    "the address tells a browser how each common assistant is connected, as the README does",
  "facts.mcp.get": "GET is a page for a browser alone: for clients 401 without a token comes before 405",
  "facts.pages.accessible":
    "axe and html-validate find nothing on any page, light and dark, at 320, 390, 768 and 1280 px; nothing scrolls sideways",
  "facts.pages.keyboard": "every page can be used with only a keyboard, and shows where one is",
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
  "pages.run.preview-contact": "a preview says that its mails name nobody to ask, where the workspace has no contact",
  "pages.run.preview-cost": "a preview plans the book once; each mail of it costs what its customer owes",
  "pages.run.workflows":
    "an admin turns a workflow on, changes it and turns it off, with or without its scheduled mails",
  "pages.run.confirm": "much at once is confirmed on the page, by the plan of that moment",
  "pages.run.arrangement": "a rule's assignee, amount and customers are chosen on the page, and a wrong one is named",
  "pages.run.double-click": "a double click sends a form once: what its answer shows once is seen",
  "pages.run.unseen":
    "a page that was opened before, or shown again by Back, undoes nothing that somebody else set meanwhile",
  "pages.run.billing-email":
    "a customer's billing email is set, changed and cleared on their page, which says whose counts",
  "pages.run.kept":
    "what somebody typed in a form that its session did not outlast is there, but for secrets, for them alone after their sign-in",
  "pages.run.day":
    "from an empty workspace to its audit trail a day's work is done in the browser, without a terminal and mostly without JavaScript",
  "pages.look.figures": "every figure of a list on the pages is the API's for the same filter, its totals too",
  "pages.look.overview":
    "the overview has the API's figures, its bars lead to their rows, and it names what waits for a person",
  "pages.look.bridge":
    "the bridge leads from the ERP's balance to what is aged and can be collected: its steps add up, and each figure leads to rows that come to it",
  "pages.look.expected-weeks":
    "the overview says what is expected in each of eight weeks, by due date and by habit, and what is past its habit",
  "pages.look.money-in":
    "the overview says what was paid through links this week, this month and in those before, by the workspace's days, and leads to the payments",
  "pages.look.new": "a new workspace sees what to set up in the place of zeros",
  "pages.look.copy": "addresses, commands and keys are copied at a button",
  "pages.look.statement": "a statement prints as tables, of what the customer owes and nothing internal",
  "pages.look.statement-sent":
    "a statement has the workspace's letterhead and contact, invoice and due dates, original and open amounts, the payments since a chosen day and one pay link for each open installment that has an active one",
  "pages.look.history":
    "a customer's page has their mails, links, payments with receipts, tasks, changes of address and notes, newest first, paged, and a mail's text is one click away",
  "pages.run.notes":
    "a person writes a note about a customer, which needs a person from its day on until it is marked as done, and which neither assistants nor the API are shown",
  "pages.look.sheets": "each sheet of a print says of which workspace, when and in which zone it is, and its filters",
  "pages.look.turns": "pages of one person take turns with those of others",
  "pages.look.downloads": "downloads that nobody takes to their end hold up no other workspace's",
  "pages.look.workbooks":
    "each list is a workbook too, in which amounts, days and times are exact numbers, and texts are texts",
  "pages.look.csv": "each list is a file of exact values, with its number of rows and without formulas",
  "pages.look.expected":
    "what is expected by habit is filtered by, and stands in the list, its file and with the customer",
  "pages.look.filters": "filters and sorts stand in the address; one that is refused is named beside its field",
  "pages.look.roles": "members read, strangers sign in, and ids of other workspaces are not found",
  "pages.look.settings": "the settings are one list in groups; beside each page they say where it is",
  "pages.look.names": "an ERP has one name on all pages and in the audit trail, and members see no hosts",
  "pages.look.search":
    "one box on every page finds customers, invoices and payments by what names them, within the workspace, and the only exact one is opened",
  "pages.look.search-key": "the key / leads to the box, but not while somebody types; without JavaScript it is a form",
  "pages.look.workspaces": "somebody in several workspaces switches between them",
  "service.5.1.keys": "an admin of the workspace creates keys, each shown exactly once, and revokes them",
} satisfies Requirements;
