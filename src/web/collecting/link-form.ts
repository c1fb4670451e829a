import { type ErrorDetail, ServiceError } from "../../core/kernel/error.ts";
import { money, toMinor } from "../../core/kernel/money.ts";
import { validationFailed } from "../../core/kernel/validation.ts";
import { createPaymentLinks, MAX_LINKS_AT_ONCE } from "../../core/payment-links/operations/create-links.ts";
import {
  aside,
  hidden,
  html,
  input,
  keyFacts,
  muted,
  paragraph,
  type Refusal,
  refusalNote,
  submit,
  tick,
  unseen,
} from "../kit/markup.ts";
import { actOnce, admins, onceField, type WorkspaceVisit } from "../kit/page.ts";
import { shownAmount, shownDay } from "../lists/list.ts";
import { customerLink, type InvoiceDetail, invoiceIn, linkable, whichOf } from "../receivables/invoice-list.ts";
import { typedMinor } from "./amounts.ts";

type Installment = InvoiceDetail["installments"][number];

/** Makes the links that a form asks for, all or none: without an amount, for what the form showed to be available. */
export async function makeLinks(visit: WorkspaceVisit, invoice: InvoiceDetail) {
  const ticked = new Set(visit.fields("installment"));
  const typedAt = (id: string) => visit.field(`amount-${id}`).trim();
  const chosen = invoice.installments.filter(({ id }) => ticked.has(id) || typedAt(id) !== "");
  if (chosen.length === 0) throw new ServiceError("validation_failed", "Choose at least one installment.");
  if (chosen.length > MAX_LINKS_AT_ONCE)
    throw new ServiceError("validation_failed", `At most ${MAX_LINKS_AT_ONCE} links are made at once.`);
  const faults: ErrorDetail[] = [];
  const links = chosen.map(({ id }) => {
    const shown = Number(/^\d{1,15}$/.exec(visit.field(`shown-${id}`))?.[0] ?? 0);
    const asked = typedAt(id) === "" && shown > 0 ? shown : typedMinor(typedAt(id), invoice.currency ?? "");
    if (typeof asked === "number") return { invoice_id: invoice.id, installment_id: id, amount_minor: asked };
    faults.push({ field: id, message: asked.problem });
    return { invoice_id: invoice.id, installment_id: id };
  });
  if (faults.length > 0) throw validationFailed(faults);
  try {
    return (await actOnce(visit, createPaymentLinks, { links })).data;
  } catch (error) {
    throw atInstallments(error, chosen, typedAt);
  }
}

const LESS_BY_NOW = "Another amount is without a link by now: see it above, and send the form again.";

/** The same refusal, with what it says of links said of their installments, by their ids. */
function atInstallments(error: unknown, chosen: readonly Installment[], typedAt: (id: string) => string) {
  if (!(error instanceof ServiceError)) return error;
  const details = (error.details ?? []).flatMap((detail) => {
    const one = chosen[Number(/^links\[(\d+)\]/.exec(detail.field)?.[1])];
    if (one === undefined) return [];
    return typedAt(one.id) === "" ? [{ field: one.id, message: LESS_BY_NOW }] : [{ ...detail, field: one.id }];
  });
  return new ServiceError(error.code, error.message, { details, onPage: error.onPage });
}

interface LinkForm {
  readonly visit: WorkspaceVisit;
  readonly invoice: InvoiceDetail;
  /** Where the form is sent. */
  readonly path: string;
  /** An installment to begin with, by its id. */
  readonly first: string | null;
}

/** Each installment that a link can be made for, with the amount to ask; for admins. */
export function linkForm(form: LinkForm) {
  const { visit, invoice, path, first } = form;
  const rows = linkable(invoice);
  const refusal = visit.refusedAt(path);
  const note = refusalNote(
    refusal && { message: refusal.details.length > 0 ? "No payment link was made." : refusal.message },
  );
  if (rows.length === 0)
    return html`${note}${muted(
      "No installment can get a link now: each is paid, covered by links that can be paid, or not collectible.",
    )}`;
  const isOnly = rows.length === 1;
  const ticked = new Set(refusal === null ? [first] : visit.fields("installment"));
  const body = html`${onceField(visit, path)}
${note}
${rows.map((row) => linkRow(row, { ...form, refusal, isOnly, isTicked: ticked.has(row.id) }))}
${muted("Nothing is sent to the customer: you get the address of each link to hand on.")}
${submit(isOnly ? "Make payment link" : "Make payment links")}`;
  return visit.form(path, body, { look: "card links", more: html` aria-label="Make payment links"` });
}

function linkRow(row: Installment, form: LinkForm & { refusal: Refusal | null; isOnly: boolean; isTicked: boolean }) {
  const { visit, refusal, isOnly, isTicked } = form;
  const { currency, installments } = form.invoice;
  const id = `amount-${row.id}`;
  const problem = refusal?.details.find(({ field }) => field === row.id)?.message;
  const number = row.sequence_number ?? 1;
  const available = toMinor(money(row.available_amount), currency ?? "") ?? 0n;
  const free = [shownAmount(row.available_amount, currency), " without a link"];
  const due = aside("Due ", shownDay(row.due_date), ", ", free);
  const words = [`Installment ${whichOf(number, installments)} `, due];
  const label = ["Amount", !isOnly && unseen(` of installment ${number}`), ` in ${currency ?? ""}`];
  return html`<div class="asked">${hidden(`shown-${row.id}`, String(available))}
${
  isOnly
    ? [hidden("installment", row.id), paragraph(words)]
    : tick("installment", row.id, words, isTicked ? "ticked" : null)
}
<div>${input(
    { id, name: id, label, problem },
    html`value="${visit.field(id)}" inputmode="decimal" autocomplete="off" maxlength="40"
 placeholder="All of it"`,
  )}</div></div>`;
}

/** `/invoices/{id}/links`: makes payment links for an invoice's installments. */
export const NEW_LINKS_PAGE = {
  routes: admins.page("/invoices/:invoiceId/links", showForm, { "": { send: make } }, admins),
};

async function make(visit: WorkspaceVisit) {
  const invoice = await invoiceIn(visit);
  const [link, ...others] = await makeLinks(visit, invoice);
  return link !== undefined && others.length === 0
    ? visit.address(`/payment-links/${link.id}`, { done: "made" })
    : visit.address(`/invoices/${invoice.id}`, { done: "links" });
}

async function showForm(visit: WorkspaceVisit) {
  const invoice = await invoiceIn(visit);
  const path = `/invoices/${invoice.id}`;
  const number = invoice.invoice_number ?? "without a number";
  visit.showPage(
    { title: "New payment links", heading: `Payment links for invoice ${number}`, up: visit.link(path, number) },
    keyFacts([
      ["Customer", customerLink(invoice.customer, visit)],
      ["Outstanding", shownAmount(invoice.collection_outstanding, invoice.currency)],
    ]),
    linkForm({ visit, invoice, path: `${path}/links`, first: visit.parameter("installment") }),
    paragraph(visit.link(path, "Back to the invoice")),
  );
}
