import type { Requirements } from "../requirements.ts";

export default {
  "completions.7.pull": "a sync pulls every invoice from pull_invoice_date_from on, page by page",
  "facts.fusion.ids": "ids of 18 digits, beyond 2^53, keep every digit",
  "completions.4.reasons-pulled": "each reason not to collect is reached by what an ERP delivers",
  "completions.7.unchanged": "a row that did not change costs no write",
  "service.2.3.customer": "an invoice is of the customer that the ERP has it of now",
  "service.2.3.last-synced": "last_synced_at is when the invoice was last read, whether or not anything had changed",
  "service.2.3.updated-at": "updated_at moves with the invoice's own data alone, created_at never",
  "service.2.4.customer-key": "one customer per workspace, connection and ERP customer id",
  "service.2.4.no-id":
    "customer.id is null only for invoices created in the service: where the ERP gives no id, its account number stands in, else one key of the connection",
  "service.2.4.contact-name": "contact_name is null when the workspace switched that pull field off",
  "service.1.text": "text from an ERP is data: control and bidi characters are stripped, the rest is kept",
  "completions.6.reflected": "a payment is reflected once applied and read by a run that began after that",
  "service.3.2.retired": "an invoice that a complete sync no longer finds stops being collected",
  "service.3.2.resumed": "collection resumes if a later sync finds the invoice again",
  "completions.7.confirmed": "what pages left out is asked for by id before it is retired",
  "completions.7.failed-retires-nothing": "a failed pull retires nothing",
  "completions.12.brake":
    "a complete pull that would retire more than ten and more than a fifth of what still owes retires nothing, and says what",
  "completions.12.brake-confirmed":
    "what a person confirmed is retired by the next complete pull, nothing that was not shown is",
  "service.2.2.pull-from": "pull_invoice_date_from bounds what is imported, and never removes what was",
  "service.3.4.not-needed": "a task is not needed once its invoice is retired or not owed in the ERP",
  "completions.9.task-again": "an invoice that came back gets a new task; there is one open task at most",
  "completions.7.bounds":
    "a reading of an ERP that meets a bound (installments, rows, pages, bytes, time, invoices of the workspace) ends with its name; what was delivered stays, nothing is retired, and memory does not grow with a run",
  "completions.7.receipt-unreadable":
    "a receipt that cannot be read keeps no other from being followed, and is told of",
  "completions.7.set-aside":
    "one invoice that cannot be read is set aside: the others are delivered, it keeps what it had and is not retired, the run counts it, and people are told its field and value",
  "completions.7.other-currencies":
    "an invoice in a currency that ISO 4217 does not have is delivered as long as its workspace has a hundred such at most, else set aside",
  "completions.7.form":
    "a success that is not the JSON the resource is documented to answer means that the ERP was not reached, for reads, receipts, applications and look-ups",
  "completions.7.status": "401 and 403 ask for reauthentication, no answer and 5xx is unavailability, success connects",
  "completions.4.interrupted": "a run cut off reads failed, interrupted",
  "service.2.2.interval": "a connection is pulled on the first check after its interval has passed",
  "completions.7.first-sync": "the first sync of a new connection starts at once, and erp sync waits for it",
  "service.2.2.auto-sync": "automatic pulls can be off while manual ones work",
  "service.4.6.background": "a started run continues in the background",
  "service.3.5.one-in-flight": "one run in flight per connection",
  "service.2.2.no-credentials": "a connection never shows its credential, which is encrypted at rest",
  "completions.1.audit-operator": "what an operator does leaves one audit entry in the same transaction",
  "service.4.6.errors": "a start is refused as sync_disabled, connection_disconnected, conflict or not_found",
  "service.3.1.disconnected": "a connection that is switched off pulls nothing, and holds no credential",
  "completions.6.stored": "stored figures are what deriving them anew gives, whatever moved them",
  "completions.7.smtp": "mail goes out by SMTP, text and HTML parts, exactly as composed, to one recipient",
  "completions.7.outbox":
    "without an SMTP URL messages land in the outbox folder, once each, whole, for the service alone",
  "facts.email.errors": "4xx and lost connections are temporary, 5xx is permanent",
  "pages.news.chosen": "a member chooses on a page of their own what they are told by mail, and when; an entry says so",
  "pages.news.morning":
    "news come in one mail at 8:00 of the workspace's clocks, or within a few minutes, and none where nothing happened",
  "pages.news.failures":
    "who has not chosen and is an admin is told of mails and receipts that failed for good and ERPs that refuse a password",
  "pages.news.overdue": "what fell overdue and is still owed is told on the next day",
  "pages.news.bounded": "a mail with news has ten lines of a topic at most, and says how many more there are",
  "pages.news.role": "news are for the role that a member has as they are sent, and for nobody who was removed",
  "pages.news.crash": "news are told once and in one mail, however many processes look and whenever one is lost",
  "pages.news.outage": "no news are lost, and none told twice, while no mail server takes anything",
  "pages.news.cost": "to look for news costs the same however much happened before",
  "completions.7.mail-inert": "no text from outside can become a link in a mail to a member, of any kind",
  "completions.7.mail-injection": "no value can add a recipient, a header or markup to a message",
} satisfies Requirements;
