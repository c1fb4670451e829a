import { counted } from "../../core/kernel/counted.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import { aside, html, type Inserted, link, muted, part, points } from "../kit/markup.ts";
import type { WorkspaceVisit } from "../kit/page.ts";
import { aboutInvoice } from "../receivables/terms.ts";
import { BEHIND, type Overview } from "./overview-figures.ts";

/** A line of "What needs you": what leads on, and why it matters. */
type Need = readonly [what: Inserted, why: string];

/** Receipts, by kind; what the list of payments shows them by, but for those held, which have a page. */
const RECEIPTS: Readonly<Record<string, readonly [what: string, why: string, status: string | null]>> = {
  receipt_failed: ["could not be written to the ERP", "The reason stands beside each payment.", "failed"],
  receipt_reversed: ["reversed in the ERP", "See in the ERP why.", "reversed"],
  receipt_not_applied: ["in the ERP and not applied", "Match them to their invoices there.", "posted"],
  receipt_held: ["held", "Somebody has to push them.", null],
  receipt_late: ["not written for a day or longer", "They are retried; see that the ERP answers.", "pending"],
};
const ITEMS: Readonly<Record<string, string>> = {
  payment_refunded: "refunded at the payment provider",
  refund_failed: "not refunded after all",
  payment_disputed: "disputed at the payment provider",
  payment_over_owed: "paid beyond what was owed",
  payment_in_other_currency: "paid in another currency",
};

/** Work that waits for a person: members see it too, but only admins can act on it. */
export function needsYou(overview: Overview, visit: WorkspaceVisit) {
  const found = [...ofConnections(overview, visit), ...ofAttention(overview, visit), ...ofWork(overview, visit)];
  const items = found
    .filter((need) => need !== false)
    .map(([what, why]) => html`<strong>${what}</strong> ${aside(why)}`);
  const none = muted("Nothing: no receipt, task, mail or connection waits for anybody.");
  return part("What needs you", items.length === 0 ? none : points(items, "needs"));
}

function ofConnections(overview: Overview, visit: WorkspaceVisit): (Need | false)[] {
  const { connections, takesPayments, hasWorkflow, hasInvoices } = overview;
  const refused = connections.filter(({ status }) => status === "requires_reauthentication").length;
  const forAdmins = (path: string, what: string) => (visit.isAdmin ? link(path, what) : what);
  return [
    refused > 0 && [
      forAdmins("/erp-connections", `${counted(refused, "ERP")} to reconnect`),
      "The password is refused, so figures get old.",
    ],
    hasInvoices &&
      !takesPayments && [
        forAdmins("/integrations", "No payment provider is connected"),
        "No invoice can be collected until one is.",
      ],
    visit.isAdmin &&
      hasInvoices &&
      takesPayments &&
      !hasWorkflow && [
        visit.link("/workflows", "No workflow is on"),
        "Payment links are made and mailed by hand only. A preview shows what one would do.",
      ],
  ];
}

function ofAttention({ attention: { counts, oldestItems } }: Overview, visit: WorkspaceVisit): (Need | false)[] {
  const byKind: ReadonlyMap<string, number> = counts;
  const countOf = (kind: string) => byKind.get(kind) ?? 0;
  const receipts = Object.entries(RECEIPTS).map(([kind, [words, why, status]]): Need | false => {
    const found = countOf(kind);
    const what = `${counted(found, "receipt")} ${words}`;
    const path = status === null ? "/payments/held" : "/payments";
    return found > 0 && [visit.link(path, what, { erp_push_status: status }), why];
  });
  const shown = oldestItems.map((entry): Need => {
    const { amount, currency, payment_id: payment, advice } = entry;
    const sum = amount === null || currency === null ? "A payment" : readableMoney(amount, currency);
    const about = aboutInvoice(entry);
    const path = payment === null ? "/attention" : `/payments/${payment}`;
    const why = about.length === 0 ? advice.say : `For ${about.join(", ")}. ${advice.say}`;
    return [visit.link(path, `${sum} ${ITEMS[entry.kind]}`), why];
  });
  const [held, unread] = [countOf("retirement_held"), countOf("invoice_set_aside")];
  const more = Object.keys(ITEMS).reduce((sum, kind) => sum + countOf(kind), 0) - shown.length;
  const toAll = (what: string) => visit.link("/attention", what);
  return [
    held > 0 && [
      toAll(`${counted(held, "ERP")} no longer ${held === 1 ? "shows" : "show"} many invoices`),
      "They are kept until an admin confirms that they are gone.",
    ],
    unread > 0 && [
      toAll(`${counted(unread, "invoice")} could not be read from the ERP`),
      "They stay as they were read last until the value is corrected there.",
    ],
    ...receipts,
    ...shown,
    more > 0 && [toAll(`${more} more payments like these`), ""],
  ];
}

function ofWork({ openTasks, failedMails, withoutEmail }: Overview, visit: WorkspaceVisit): (Need | false)[] {
  return [
    openTasks > 0 && [
      visit.link("/tasks", counted(openTasks, "open task"), BEHIND.openTasks),
      "Invoices wait for their payment to be arranged.",
    ],
    failedMails > 0 && [
      visit.link("/payment-links", `${counted(failedMails, "mail")} failed`, BEHIND.failedMails),
      "The customers have not got their payment links.",
    ],
    withoutEmail > 0 && [
      visit.link("/customers", `${counted(withoutEmail, "installment")} without a billing email`, BEHIND.withoutEmail),
      "Nothing can be collected from their customers until they have one.",
    ],
  ];
}
