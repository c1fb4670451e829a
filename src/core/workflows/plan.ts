import type { Transaction } from "../../store/store.ts";
import type { WorkflowRow } from "../../store/tables/workflows.ts";
import type { Core } from "../gate/dependencies.ts";
import { businessDate } from "../kernel/calendar.ts";
import { ServiceError } from "../kernel/error.ts";
import { formatMoney, fromMinor, type Money, money, ZERO } from "../kernel/money.ts";
import { DEFAULT_SEND_AT, nextTimeOfDay } from "../payment-links/emails/send-time.ts";
import { readBook } from "../payment-links/issuing/locked-book.ts";
import { timezoneOf } from "../workspace/workspace-queries.ts";
import { decide } from "./auto-generate.ts";
import type { WorkflowPlan } from "./plan-schema.ts";
import { byLinks, type DraftMessage, type PlannedLink, type PlannedMessage, PlannedSums } from "./planned-messages.ts";
import type { ResumedEmail } from "./reschedule-emails.ts";
import {
  type Addressee,
  addresseeOf,
  collectibleInstallments,
  type InvoiceToPlan,
  openInvoicesAfter,
  tasksOf,
} from "./run-queries.ts";
import { chargeability } from "./settings-queries.ts";

const BATCH = 1_000;
/** Recipients that a plan names. */
const NAMED = 10;

interface Planned {
  readonly workflows: readonly WorkflowRow[];
  readonly again: readonly ResumedEmail[];
}

/**
 * What workflows with these settings would do with every open invoice at this moment, and with emails that are scheduled
 * again. It follows the run's own decision (`decide`) and the rules that links are reserved by, and writes nothing.
 */
export async function planWorkflows(
  tx: Transaction,
  core: Core,
  tenantId: string,
  { changed, ...planned }: Planned & { changed: WorkflowRow },
): Promise<WorkflowPlan> {
  const draft = await draftOf(tx, core, tenantId, { ...planned, addressee: null });
  return draft.plan(await chargeability(tx, tenantId, changed));
}

/**
 * The message of such a plan that asks for an installment, with its links; undefined without one. Only invoices of its addressee
 * are looked at, so that it costs the same in a book of any size.
 */
export async function planMessage(
  tx: Transaction,
  core: Core,
  tenantId: string,
  { installmentId, ...planned }: Planned & { installmentId: string },
): Promise<PlannedMessage | undefined> {
  const resumed = planned.again.find((email) => email.installment_id === installmentId);
  const addressee =
    resumed === undefined
      ? await addresseeOf(tx, tenantId, installmentId)
      : { customerId: resumed.customer_id, email: resumed.to };
  if (addressee === undefined) return undefined;
  const again = planned.again.filter((one) => one.customer_id === addressee.customerId && one.to === addressee.email);
  const draft = await draftOf(tx, core, tenantId, { ...planned, again, addressee });
  return draft.messages().find(({ links }) => links.some((link) => link.installmentId === installmentId));
}

async function draftOf(
  tx: Transaction,
  core: Core,
  tenantId: string,
  { workflows, again, addressee }: Planned & { addressee: Addressee | null },
): Promise<Draft> {
  const timezone = await timezoneOf(tx, tenantId);
  const now = core.clock.now();
  const sendAt = workflows.find((workflow) => workflow.type === "auto_generate")?.send_at ?? DEFAULT_SEND_AT;
  const sendsAt = nextTimeOfDay(now, timezone, sendAt);
  const today = businessDate(now, timezone);
  const keepsLinks = addressee !== null;
  const draft = new Draft(core, tx, { tenantId, workflows, today, timezone, sendsAt, keepsLinks });
  let after: string | null = null;
  for (;;) {
    const invoices: InvoiceToPlan[] = await openInvoicesAfter(tx, tenantId, { after, limit: BATCH, addressee });
    await draft.addInvoices(invoices);
    after = invoices.at(-1)?.invoice_id ?? null;
    if (invoices.length < BATCH) break;
  }
  for (const email of again) draft.addAgain(email);
  return draft;
}

interface Scope {
  readonly tenantId: string;
  readonly workflows: readonly WorkflowRow[];
  readonly today: string;
  readonly timezone: string;
  /** When new links are mailed. */
  readonly sendsAt: string;
  /** Messages know their links one by one. */
  readonly keepsLinks: boolean;
}

/** A plan while invoices are added to it. */
class Draft {
  readonly #core: Core;
  readonly #tx: Transaction;
  readonly #scope: Scope;
  readonly #total = new PlannedSums();
  readonly #messages = new Map<string, DraftMessage>();
  readonly #refused = new Map<string, number>();
  #again = 0;
  #tasks = 0;
  #heldByTask = 0;
  #withdrawn = 0;
  readonly #erpDisconnected = new Set<string>();
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
      if (decision.isErpDisconnected) this.#erpDisconnected.add(id);
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
      const to = invoice.customer_email;
      this.#addToMessage({ ...invoice, to, sendAt: this.#scope.sendsAt }, { ...amount, installmentId });
    }
  }

  /** An email of a live link, which goes out with those of new ones. */
  addAgain(email: ResumedEmail): void {
    if (email.is_erp_disconnected) {
      this.#erpDisconnected.add(email.invoice_id);
      return;
    }
    this.#again += 1;
    const { installment_id: installmentId, provider, currency } = email;
    this.#addToMessage(email, { installmentId, provider, currency, amount: money(email.amount) });
  }

  #addToMessage(
    link: Pick<InvoiceToPlan, "customer_id" | "customer_name"> & { to: string; sendAt: string },
    { installmentId, provider, currency, amount }: Asked & { installmentId: string },
  ): void {
    const { customer_id: customerId, customer_name: customer, to: email, sendAt } = link;
    const key = `${customerId ?? ""} ${email} ${businessDate(new Date(sendAt), this.#scope.timezone)}`;
    const message = this.#messages.get(key) ?? {
      customer,
      email,
      sendAt,
      installmentId,
      sums: new PlannedSums(),
      links: [],
    };
    this.#messages.set(key, message);
    if (sendAt < message.sendAt) message.sendAt = sendAt;
    message.sums.add(currency, amount);
    if (this.#scope.keepsLinks)
      message.links.push({ installmentId, provider, currency, amount: formatMoney(amount, currency) });
  }

  /** Those with most links first. */
  messages(): DraftMessage[] {
    return [...this.#messages.values()].sort(byLinks);
  }

  plan(chargeable: Pick<WorkflowPlan, "provider_connected" | "not_chargeable">): WorkflowPlan {
    const messages = this.messages();
    const times = messages.map(({ sendAt }) => sendAt).sort();
    return {
      tasks: this.#tasks,
      links: this.#total.links,
      amounts: this.#total.list(),
      emails_again: this.#again,
      messages: messages.length,
      send_at: times[0] ?? null,
      last_send_at: times.at(-1) ?? null,
      timezone: this.#scope.timezone,
      recipients: messages.slice(0, NAMED).map(({ customer, email, sendAt, sums, installmentId }) => ({
        customer,
        email,
        installment_id: installmentId,
        send_at: sendAt,
        links: sums.links,
        amounts: sums.list(),
      })),
      more_recipients: Math.max(0, messages.length - NAMED),
      ...chargeable,
      refused: [...this.#refused].map(([reason, links]) => ({ reason, links })),
      held_by_task: this.#heldByTask,
      withdrawn_by_person: this.#withdrawn,
      erp_disconnected: this.#erpDisconnected.size,
      later: this.#later,
    };
  }
}

type Allot = Awaited<ReturnType<typeof readBook>>["allot"];

/** What a link asks for, and at which provider. */
interface Asked extends Pick<PlannedLink, "provider" | "currency"> {
  readonly amount: Money;
}

/** What a link would ask for, or why it would be refused. */
function allotted(allot: () => ReturnType<Allot>): Asked | { refused: string } {
  try {
    const answer = allot();
    if ("code" in answer) return { refused: answer.message };
    const { amountMinor, currency, integration } = answer;
    return { currency, amount: fromMinor(amountMinor, currency) ?? ZERO, provider: integration.provider };
  } catch (error) {
    if (error instanceof ServiceError) return { refused: error.message };
    throw error;
  }
}
