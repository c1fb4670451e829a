import type { z } from "zod";
import type { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { money, toMinor } from "../../core/kernel/money.ts";
import { createPaymentLinks, MAX_LINKS_AT_ONCE } from "../../core/payment-links/operations/create-payment-links.ts";
import type { PaymentLink } from "../../core/payment-links/schema.ts";
import { type Refusal, refusalNote, refusalOf } from "../kit/acts.ts";
import { type Html, html } from "../kit/html.ts";
import { actOnce, onceField } from "../kit/once.ts";
import type { WorkspaceVisit } from "../kit/workspace-pages.ts";
import { shownAmount, shownDay } from "../lists/figures.ts";
import { linkable } from "../receivables/invoice-actions.ts";
import { typedMinor } from "./amounts.ts";

type Invoice = z.output<typeof getInvoice.output>;
type Installment = Invoice["installments"][number];
type Link = z.output<typeof PaymentLink>;

/** A form of links that was not accepted: above it, and at amounts by their installments' ids. */
export interface RefusedLinks {
  readonly status: number;
  readonly message: string;
  readonly problems: ReadonlyMap<string, string>;
  /** It may have been carried out under its name, so that the next is another form. */
  readonly isSpent: boolean;
}

/** Makes the links that a form asks for, all or none: without an amount, for what the form showed to be available. */
export async function makeLinks(visit: WorkspaceVisit, invoice: Invoice): Promise<readonly Link[] | RefusedLinks> {
  const { visit: form } = visit;
  const ticked = new Set(form.fields("installment"));
  const chosen = invoice.installments.filter(({ id }) => ticked.has(id) || form.field(`amount-${id}`).trim() !== "");
  const refuse = (message: string, problems: ReadonlyMap<string, string> = new Map(), status = 400): RefusedLinks => {
    return { status, message, problems, isSpent: false };
  };
  if (chosen.length === 0) return refuse("Choose at least one installment.");
  if (chosen.length > MAX_LINKS_AT_ONCE) return refuse(`At most ${MAX_LINKS_AT_ONCE} links are made at once.`);
  const problems = new Map<string, string>();
  const links = chosen.map(({ id }) => {
    const typed = form.field(`amount-${id}`).trim();
    const link = { invoice_id: invoice.id, installment_id: id };
    const shown = Number(/^\d{1,15}$/.exec(form.field(`shown-${id}`))?.[0] ?? 0);
    const asked = typed === "" && shown > 0 ? { minor: shown } : typedMinor(typed, invoice.currency ?? "");
    if ("minor" in asked) return { ...link, amount_minor: asked.minor };
    problems.set(id, asked.problem);
    return link;
  });
  if (problems.size > 0) return refuse(NOT_MADE, problems);
  try {
    return (await actOnce(visit, createPaymentLinks, { links })).data;
  } catch (error) {
    return refusedLinks(refusalOf(error), chosen);
  }
}

const NOT_MADE = "No payment link was made.";

function refusedLinks(refusal: Refusal, chosen: readonly Installment[]): RefusedLinks {
  const { code, status, message, details } = refusal;
  if (code === "idempotency_conflict") {
    const again =
      "This form was sent before, with other amounts: see whether its links were made before you send it again.";
    return { status, message: again, problems: new Map(), isSpent: true };
  }
  const problems = new Map<string, string>();
  for (const { field, message: words } of details) {
    const [, index] = /^links\[(\d+)\]/.exec(field) ?? [];
    const one = chosen[Number(index)];
    if (one === undefined) continue;
    problems.set(one.id, words);
  }
  return { status, message: problems.size > 0 ? NOT_MADE : message, problems, isSpent: false };
}

interface LinkForm {
  readonly visit: WorkspaceVisit;
  readonly invoice: Invoice;
  /** Where the form is sent. */
  readonly path: string;
  /** An installment to begin with, by its id. */
  readonly first: string | null;
  readonly refused: RefusedLinks | null;
}

/** Each installment that a link can be made for, with the amount to ask; for admins. */
export function linkForm({ visit, invoice, path, first, refused }: LinkForm): Html {
  const rows = linkable(invoice);
  if (rows.length === 0)
    return html`${refusalNote(refused)}<p class="quiet">No installment can get a link now: each is paid, covered by links that can be paid, or not collectible.</p>`;
  const { action, field } = visit.form(path);
  return html`<form class="card links" method="post" action="${action}" aria-label="Make payment links">${field}${onceField(visit.visit, { isFresh: refused?.isSpent === true })}
${refusalNote(refused)}
${rows.map((row) => linkRow(row, { visit, invoice, isOnly: rows.length === 1, first, refused }))}
<p class="quiet">Nothing is sent to the customer: you get the address of each link to hand on.</p>
<div class="actions"><button>${rows.length === 1 ? "Make payment link" : "Make payment links"}</button></div></form>`;
}

function linkRow(
  row: Installment,
  {
    visit: { visit },
    invoice: { currency, installments },
    isOnly,
    first,
    refused,
  }: Pick<LinkForm, "visit" | "invoice" | "first" | "refused"> & { isOnly: boolean },
): Html {
  const id = `amount-${row.id}`;
  const problem = refused?.problems.get(row.id);
  const isTicked = refused === null ? row.id === first : visit.fields("installment").includes(row.id);
  const name = html`Installment ${row.sequence_number ?? 1}${installments.length > 1 && html` of ${installments.length}`}`;
  const available = toMinor(money(row.available_amount), currency ?? "") ?? 0n;
  const facts = html`<span class="quiet">Due ${shownDay(row.due_date)}, ${shownAmount(row.available_amount, currency)} available</span>`;
  return html`<div class="asked"><input type="hidden" name="shown-${row.id}" value="${String(available)}">
${isOnly ? html`<input type="hidden" name="installment" value="${row.id}"><p>${name} ${facts}</p>` : html`<label class="check"><input type="checkbox" name="installment" value="${row.id}"${isTicked && html` checked`}> <span>${name} ${facts}</span></label>`}
<div><label for="${id}">Amount${!isOnly && html`<span class="unseen"> of installment ${row.sequence_number ?? 1}</span>`} in ${currency ?? ""}</label>
<input id="${id}" name="${id}" value="${visit.field(id)}" inputmode="decimal" autocomplete="off" maxlength="40" placeholder="All that is available"${problem !== undefined && html` aria-describedby="${id}-error" aria-invalid="true"`}>
${problem !== undefined && html`<p class="problem" id="${id}-error">${problem}</p>`}</div></div>`;
}
