import type { Transaction } from "../../store/store.ts";
import type { WorkflowRow } from "../../store/tables.ts";
import { businessDate } from "../calendar.ts";
import type { Core } from "../core.ts";
import { ServiceError } from "../error.ts";
import { formatMoney, fromMinor, type Money, ZERO } from "../money.ts";
import { readBook } from "../payment-links/locked-book.ts";
import { timezoneOf } from "../workspace/workspace-queries.ts";
import { decide } from "./decision.ts";
import { collectibleInstallments, type InvoiceToPlan, openInvoicesAfter, tasksOf } from "./run-queries.ts";
import { nextTimeOfDay } from "./send-time.ts";

const BATCH = 1_000;
/** So many recipients are named. */
const NAMED = 10;

interface PlannedAmount {
  currency: string;
  links: number;
  /** Exact decimal in major units. */
  amount: string;
}

/** What a workspace's workflows would do now, before any of it is done. All amounts are per currency. */
export interface WorkflowPlan {
  /** Tasks that Payment Arrangement opens; its assignee gets a mail for each. */
  tasks: number;
  /** Links that Auto Generate makes, of those a provider takes. */
  links: number;
  amounts: PlannedAmount[];
  /** Emails that disabling the workflow cancelled and that are scheduled again, for links that are live. */
  emails_again: number;
  /** Emails to customers: one for each customer and address. */
  messages: number;
  /** When they go out; null without any. */
  send_at: string | null;
  /** The workspace's. */
  timezone: string;
  /** The first ten, those with most links before the others. */
  recipients: { customer: string | null; email: string; links: number; amounts: PlannedAmount[] }[];
  more_recipients: number;
  /** Links that would be refused, and why; they are tried again for about a day. */
  refused: { reason: string; links: number }[];
  /** Invoices that a task keeps Auto Generate from. */
  held_by_task: number;
  /** Invoices with a link that a person withdrew and that is not made again. */
  withdrawn_by_person: number;
  /** Invoices that fall due later and come into the window by themselves. */
  later: number;
}

/** Sums by currency, never across two. */
class Sums {
  readonly #sums = new Map<string, { links: number; amount: Money }>();
  links = 0;

  add(currency: string, amount: Money): void {
    const sum = this.#sums.get(currency) ?? { links: 0, amount: ZERO };
    this.#sums.set(currency, { links: sum.links + 1, amount: sum.amount.plus(amount) });
    this.links += 1;
  }

  list(): PlannedAmount[] {
    return [...this.#sums]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, { links, amount }]) => ({ currency, links, amount: formatMoney(amount, currency) }));
  }
}

interface Recipient {
  readonly customer: string | null;
  readonly email: string;
  readonly sums: Sums;
}

/**
 * What workflows with these settings would do with every open invoice at this moment. It follows the run's own decision
 * (`decide`) and the rules that links are reserved by, and writes nothing.
 */
export async function planWorkflows(
  tx: Transaction,
  core: Core,
  tenantId: string,
  workflows: readonly WorkflowRow[],
): Promise<WorkflowPlan> {
  const timezone = await timezoneOf(tx, tenantId);
  const draft = new Draft(core, tx, { tenantId, workflows, today: businessDate(core.clock.now(), timezone) });
  let after: string | null = null;
  for (;;) {
    const invoices: InvoiceToPlan[] = await openInvoicesAfter(tx, tenantId, { after, limit: BATCH });
    await draft.addInvoices(invoices);
    after = invoices.at(-1)?.invoice_id ?? null;
    if (invoices.length < BATCH) break;
  }
  const sendAt = workflows.find((workflow) => workflow.type === "auto_generate")?.send_at ?? null;
  const next = sendAt === null ? null : nextTimeOfDay(core.clock.now(), timezone, sendAt);
  return draft.plan({ sendAt: next, timezone });
}

interface Scope {
  readonly tenantId: string;
  readonly workflows: readonly WorkflowRow[];
  readonly today: string;
}

/** A plan while invoices are added to it. */
class Draft {
  readonly #core: Core;
  readonly #tx: Transaction;
  readonly #scope: Scope;
  readonly #total = new Sums();
  readonly #recipients = new Map<string, Recipient>();
  readonly #refused = new Map<string, number>();
  #tasks = 0;
  #heldByTask = 0;
  #withdrawn = 0;
  #later = 0;

  constructor(core: Core, tx: Transaction, scope: Scope) {
    this.#core = core;
    this.#tx = tx;
    this.#scope = scope;
  }

  async addInvoices(invoices: readonly InvoiceToPlan[]): Promise<void> {
    const { tenantId, workflows, today } = this.#scope;
    const ids = invoices.map((invoice) => invoice.invoice_id);
    const installments = Map.groupBy(
      await collectibleInstallments(this.#tx, tenantId, ids),
      ({ invoice_id: id }) => id,
    );
    const tasks = Map.groupBy(await tasksOf(this.#tx, tenantId, ids), ({ invoice_id: id }) => id);
    const wanted: { invoice: InvoiceToPlan; installmentId: string }[] = [];
    for (const invoice of invoices) {
      const { invoice_id: id } = invoice;
      const states = (tasks.get(id) ?? []).map(({ state }) => state);
      const decision = decide(workflows, { invoice, installments: installments.get(id) ?? [], tasks: states }, today);
      if (decision.arranging !== null) this.#tasks += 1;
      if (decision.isHeldByTask) this.#heldByTask += 1;
      else if (decision.withdrawnAt !== null) this.#withdrawn += 1;
      if (decision.nextDay !== null) this.#later += 1;
      for (const installmentId of decision.wanted) wanted.push({ invoice, installmentId });
    }
    await this.#addLinks(wanted);
  }

  async #addLinks(wanted: readonly { invoice: InvoiceToPlan; installmentId: string }[]): Promise<void> {
    const invoices = [...new Set(wanted.map(({ invoice }) => invoice))];
    const installmentIds = wanted.map((link) => link.installmentId);
    const book = await readBook(this.#tx, this.#core, this.#scope.tenantId, { invoices, installmentIds });
    for (const { invoice, installmentId } of wanted) {
      const amount = allotted(() => book.allot({ invoiceId: invoice.invoice_id, installmentId, amountMinor: null }));
      if ("refused" in amount) this.#refused.set(amount.refused, (this.#refused.get(amount.refused) ?? 0) + 1);
      if ("refused" in amount || invoice.customer_email === null) continue;
      this.#total.add(amount.currency, amount.amount);
      const { customer_id: customerId, customer_name: customer, customer_email: email } = invoice;
      const key = `${customerId ?? ""} ${email}`;
      const recipient = this.#recipients.get(key) ?? { customer, email, sums: new Sums() };
      this.#recipients.set(key, recipient);
      recipient.sums.add(amount.currency, amount.amount);
    }
  }

  plan({ sendAt, timezone }: { sendAt: string | null; timezone: string }): WorkflowPlan {
    const recipients = [...this.#recipients.values()].sort(byLinks);
    return {
      tasks: this.#tasks,
      links: this.#total.links,
      amounts: this.#total.list(),
      emails_again: 0,
      messages: recipients.length,
      send_at: recipients.length === 0 ? null : sendAt,
      timezone,
      recipients: recipients
        .slice(0, NAMED)
        .map(({ customer, email, sums }) => ({ customer, email, links: sums.links, amounts: sums.list() })),
      more_recipients: Math.max(0, recipients.length - NAMED),
      refused: [...this.#refused].map(([reason, links]) => ({ reason, links })),
      held_by_task: this.#heldByTask,
      withdrawn_by_person: this.#withdrawn,
      later: this.#later,
    };
  }
}

type Allot = Awaited<ReturnType<typeof readBook>>["allot"];

/** What a link would ask for, or why it would be refused. */
function allotted(allot: () => ReturnType<Allot>): { currency: string; amount: Money } | { refused: string } {
  try {
    const answer = allot();
    if ("code" in answer) return { refused: answer.message };
    return { currency: answer.currency, amount: fromMinor(answer.amountMinor, answer.currency) ?? ZERO };
  } catch (error) {
    if (error instanceof ServiceError) return { refused: error.message };
    throw error;
  }
}

function byLinks(one: Recipient, other: Recipient): number {
  const [a, b] = [one, other].map(({ customer, email }) => customer ?? email);
  return other.sums.links - one.sums.links || ((a ?? "") < (b ?? "") ? -1 : 1);
}
