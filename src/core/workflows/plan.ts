import type { Transaction } from "../../store/store.ts";
import type { WorkflowRow } from "../../store/tables/workflows.ts";
import type { Core } from "../gate/dependencies.ts";
import { byInvoice } from "../invoices/recompute.ts";
import { businessDate } from "../kernel/calendar.ts";
import { ServiceError } from "../kernel/error.ts";
import { formatMoney, type Money, money } from "../kernel/money.ts";
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
  /** How many recipients come before those that the plan names; none by default. */
  readonly skip?: number;
}

/**
 * What workflows with these settings would do with every open invoice at this moment, and with emails that are scheduled
 * again. It follows the run's own decision (`decide`) and the rules that links are reserved by, and writes nothing.
 */
export async function planWorkflows(
  tx: Transaction,
  core: Core,
  tenantId: string,
  { changed, skip = 0, ...planned }: Planned & { changed: WorkflowRow },
): Promise<WorkflowPlan> {
  const draft = await draftOf(tx, core, tenantId, { ...planned, addressee: null });
  const messages = [...draft.messages.values()].sort(byLinks);
  const times = messages.map(({ sendAt }) => sendAt).sort();
  return {
    tasks: draft.tasks,
    links: draft.total.links,
    amounts: draft.total.list(),
    emails_again: draft.again,
    emails_moved: draft.moved,
    messages: messages.length,
    send_at: times[0] ?? null,
    last_send_at: times.at(-1) ?? null,
    timezone: draft.timezone,
    recipients: messages
      .slice(skip, skip + NAMED)
      .map(({ customer, customerId, email, sendAt, sums, installmentId }) => ({
        customer,
        customer_id: customerId,
        email,
        installment_id: installmentId,
        send_at: sendAt,
        links: sums.links,
        amounts: sums.list(),
      })),
    more_recipients: Math.max(0, messages.length - skip - NAMED),
    ...(await chargeability(tx, tenantId, changed)),
    refused: [...draft.refused].map(([reason, links]) => ({ reason, links })),
    held_by_task: draft.heldByTask,
    withdrawn_by_person: draft.withdrawn,
    erp_disconnected: draft.erpDisconnected.size,
    not_mailed: draft.notMailed,
    later: draft.later,
  };
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
      : { customerId: resumed.customer_id, customer: resumed.customer_name, email: resumed.to };
  if (addressee === undefined) return undefined;
  const again = planned.again.filter((one) => one.customer_id === addressee.customerId && one.to === addressee.email);
  const draft = await draftOf(tx, core, tenantId, { ...planned, again, addressee });
  return draft.messages.values().find(({ links }) => links.some((link) => link.installmentId === installmentId));
}

/** A plan while invoices are added to it. */
type Draft = Awaited<ReturnType<typeof draftOf>>;

async function draftOf(
  tx: Transaction,
  core: Core,
  tenantId: string,
  { workflows, again, addressee }: Planned & { addressee: Addressee | null },
) {
  const timezone = await timezoneOf(tx, tenantId);
  const now = core.clock.now();
  const sendAt = workflows.find((workflow) => workflow.type === "auto_generate")?.send_at ?? DEFAULT_SEND_AT;
  const draft = {
    workflows,
    timezone,
    today: businessDate(now, timezone),
    /** When new links are mailed. */
    sendsAt: nextTimeOfDay(now, timezone, sendAt),
    /** Messages know their links one by one. */
    keepsLinks: addressee !== null,
    total: new PlannedSums(),
    messages: new Map<string, DraftMessage>(),
    refused: new Map<string, number>(),
    erpDisconnected: new Set<string>(),
    ...{ again: 0, moved: 0, tasks: 0, heldByTask: 0, withdrawn: 0, notMailed: 0, later: 0 },
  };
  for (let after: string | null = null; ; ) {
    const invoices: InvoiceToPlan[] = await openInvoicesAfter(tx, tenantId, { after, limit: BATCH, addressee });
    await addLinks(tx, core, tenantId, draft, await addInvoices(tx, tenantId, draft, invoices));
    after = invoices.at(-1)?.invoice_id ?? null;
    if (invoices.length < BATCH) break;
  }
  for (const email of again) addAgain(draft, email);
  return draft;
}

/** A link that is wanted. */
interface Wanted {
  readonly invoice: InvoiceToPlan;
  readonly installmentId: string;
}

async function addInvoices(tx: Transaction, tenantId: string, draft: Draft, invoices: readonly InvoiceToPlan[]) {
  const ids = invoices.map((invoice) => invoice.invoice_id);
  const installments = byInvoice(await collectibleInstallments(tx, tenantId, ids));
  const tasks = byInvoice(await tasksOf(tx, tenantId, ids));
  const wanted: Wanted[] = [];
  for (const invoice of invoices) {
    const { invoice_id: id } = invoice;
    const states = (tasks.get(id) ?? []).map(({ state }) => state);
    const situation = { invoice, installments: installments.get(id) ?? [], tasks: states };
    const decision = decide(draft.workflows, situation, draft.today);
    if (decision.arranging !== null) draft.tasks += 1;
    if (decision.isHeldByTask) draft.heldByTask += 1;
    else if (decision.withdrawnAt !== null) draft.withdrawn += 1;
    if (decision.isErpDisconnected) draft.erpDisconnected.add(id);
    const isLinkless = situation.installments.some(({ state, due_date: due }) => state === null && due !== null);
    if (invoice.no_mail && isLinkless && decision.generator !== null) draft.notMailed += 1;
    if (decision.nextDay !== null) draft.later += 1;
    for (const installmentId of decision.wanted) wanted.push({ invoice, installmentId });
  }
  return wanted;
}

async function addLinks(tx: Transaction, core: Core, tenantId: string, draft: Draft, wanted: readonly Wanted[]) {
  const invoices = [...new Set(wanted.map(({ invoice }) => invoice))];
  const installmentIds = wanted.map((link) => link.installmentId);
  const book = await readBook(tx, core, tenantId, { invoices, installmentIds });
  for (const { invoice, installmentId } of wanted) {
    const amount = allotted(() => book.allot({ invoice_id: invoice.invoice_id, installment_id: installmentId }));
    if ("refused" in amount) draft.refused.set(amount.refused, (draft.refused.get(amount.refused) ?? 0) + 1);
    const { customer_email: to } = invoice;
    if ("refused" in amount || to === null) continue;
    draft.total.add(amount.currency, amount.amount);
    addToMessage(draft, { ...invoice, to, sendAt: draft.sendsAt }, { ...amount, installmentId });
  }
}

/** Adds an email of a live link, which goes out with those of new ones. */
function addAgain(draft: Draft, email: ResumedEmail) {
  if (email.is_unscheduled && email.is_erp_disconnected) {
    draft.erpDisconnected.add(email.invoice_id);
    return;
  }
  if (email.is_unscheduled) draft.again += 1;
  else draft.moved += 1;
  const { installment_id: installmentId, provider, currency } = email;
  addToMessage(draft, email, { installmentId, provider, currency, amount: money(email.amount) });
}

function addToMessage(
  { messages, timezone, keepsLinks }: Draft,
  link: Pick<InvoiceToPlan, "customer_id" | "customer_name"> & { to: string; sendAt: string },
  { installmentId, provider, currency, amount }: Asked & { installmentId: string },
) {
  const { customer_id: customerId, customer_name: customer, to: email, sendAt } = link;
  const key = `${businessDate(new Date(sendAt), timezone)} ${email} ${customerId ?? customer}`;
  const first = { customer, customerId, email, sendAt, installmentId, sums: new PlannedSums(), links: [] };
  const message = messages.get(key) ?? first;
  messages.set(key, message);
  if (sendAt < message.sendAt) message.sendAt = sendAt;
  message.sums.add(currency, amount);
  if (keepsLinks) message.links.push({ installmentId, provider, currency, amount: formatMoney(amount, currency) });
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
    const { amount, currency, integration } = answer;
    return { currency, amount, provider: integration.provider };
  } catch (error) {
    if (error instanceof ServiceError) return { refused: error.message };
    throw error;
  }
}
