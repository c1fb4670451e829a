import type { AttentionSummary } from "../../core/attention/list-attention.ts";
import { counted } from "../../core/kernel/counted.ts";
import { money } from "../../core/kernel/money.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import { type Html, html, type Inserted } from "../kit/html.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { BEHIND, type Overview } from "./overview-figures.ts";

/** The text of a line of "What needs you", and its link. */
interface Need {
  readonly what: Inserted;
  readonly why: string;
  readonly path: string | null;
}

const RECEIPTS: Readonly<Record<string, readonly [what: string, why: string, status: string]>> = {
  receipt_failed: ["could not be written to the ERP", "The reason stands beside each payment.", "failed"],
  receipt_reversed: ["reversed in the ERP", "See in the ERP why.", "reversed"],
  receipt_not_applied: ["in the ERP and not applied", "Match them to their invoices there.", "posted"],
  receipt_held: ["held", "Somebody has to push them.", "held"],
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
export function needsYou(overview: Overview, visit: WorkspaceVisit): Html {
  const needs = [...ofConnections(overview, visit), ...ofAttention(overview.attention), ...ofWork(overview)].filter(
    (need) => need !== false,
  );
  if (needs.length === 0)
    return html`<section class="part"><div class="head"><h2>What needs you</h2></div><p class="quiet">Nothing: no receipt, task, mail or connection waits for anybody.</p></section>`;
  return html`<section class="part"><div class="head"><h2>What needs you</h2></div>
<ul class="needs">${needs.map(({ what, why, path }) => html`<li><strong>${path === null ? what : html`<a href="${path.startsWith("/erp") || path.startsWith("/integ") ? path : visit.address(...split(path))}">${what}</a>`}</strong> <span class="quiet">${why}</span></li>`)}</ul></section>`;
}

function split(path: string): [path: string, query: Record<string, string>] {
  const [bare = "", search = ""] = path.split("?");
  return [bare, Object.fromEntries(new URLSearchParams(search))];
}

function ofConnections(overview: Overview, { isAdmin }: WorkspaceVisit): (Need | false)[] {
  const { connections, takesPayments, hasWorkflow, hasInvoices } = overview;
  const refused = connections.filter(({ status }) => status === "requires_reauthentication").length;
  const [erps, providers] = isAdmin ? ["/erp-connections", "/integrations"] : [null, null];
  return [
    refused > 0 && {
      what: `${counted(refused, "ERP")} to reconnect`,
      why: "The password is refused, so figures get old.",
      path: erps,
    },
    hasInvoices &&
      !takesPayments && {
        what: "No payment provider is connected",
        why: "No invoice can be collected until one is.",
        path: providers,
      },
    isAdmin &&
      hasInvoices &&
      takesPayments &&
      !hasWorkflow && {
        what: "No workflow is on",
        why: "Payment links are made and mailed by hand only. A preview shows what one would do.",
        path: "/workflows",
      },
  ];
}

function ofAttention({ counts, oldestItems }: AttentionSummary): (Need | false)[] {
  const countOf = (kind: string): number => [...counts].find(([one]) => one === kind)?.[1] ?? 0;
  const receipts = Object.entries(RECEIPTS).map(([kind, [what, why, status]]): Need | false => {
    const found = countOf(kind);
    const path = status === "held" ? "/payments/held" : `/payments?erp_push_status=${status}`;
    return found > 0 && { what: `${counted(found, "receipt")} ${what}`, why, path };
  });
  const shown = oldestItems.map((entry): Need => {
    const { amount, currency, invoice_number: number } = entry;
    const sum = amount === null || currency === null ? "A payment" : readableMoney(money(amount), currency);
    const about = [number === null ? null : `invoice ${number}`, entry.customer_name].filter((part) => part !== null);
    return {
      what: `${sum} ${ITEMS[entry.kind]}`,
      why: [about.length === 0 ? null : `For ${about.join(", ")}.`, entry.advice.say]
        .filter((part) => part !== null)
        .join(" "),
      path: entry.payment_id === null ? "/attention" : `/payments/${entry.payment_id}`,
    };
  });
  const held = countOf("retirement_held");
  const items = Object.keys(ITEMS).reduce((sum, kind) => sum + countOf(kind), 0);
  const more = items - shown.length;
  const missing: Need | false = held > 0 && {
    what: `${counted(held, "ERP")} no longer ${held === 1 ? "shows" : "show"} many invoices`,
    why: "They are kept until an admin confirms that they are gone.",
    path: "/attention",
  };
  const unread = countOf("invoice_set_aside");
  return [
    missing,
    unread > 0 && {
      what: `${counted(unread, "invoice")} could not be read from the ERP`,
      why: "They stay as they were read last until the value is corrected there.",
      path: "/attention",
    },
    ...receipts,
    ...shown,
    more > 0 && { what: `${more} more payments like these`, why: "", path: "/attention" },
  ];
}

function ofWork({ openTasks, failedMails, withoutEmail }: Overview): (Need | false)[] {
  const to = (path: string, filter: Readonly<Record<string, string>>): string =>
    `${path}?${new URLSearchParams(filter)}`;
  return [
    openTasks > 0 && {
      what: counted(openTasks, "open task"),
      why: "Invoices wait for their payment to be arranged.",
      path: to("/tasks", BEHIND.openTasks),
    },
    failedMails > 0 && {
      what: `${counted(failedMails, "mail")} failed`,
      why: "The customers have not got their payment links.",
      path: to("/payment-links", BEHIND.failedMails),
    },
    withoutEmail > 0 && {
      what: `${counted(withoutEmail, "installment")} without a billing email`,
      why: "Nothing can be collected from their customers until they have one.",
      path: to("/customers", BEHIND.withoutEmail),
    },
  ];
}
