import type { z } from "zod";
import type { Installment } from "../core/invoices/schema.ts";
import type { Payment } from "../core/payments/schema.ts";
import { grantedTools } from "./kit/act.ts";
import { button, el, fill, heading, listRow, name, problem, quiet, show, showWaiting } from "./kit/dom.ts";
import { type Fields, isFields, textField } from "./kit/fields.ts";
import { figure, minorFigure } from "./kit/figures.ts";
import { type CallError, type Host, join } from "./kit/host.ts";
import { listed, listedRows, longList, rowsHave } from "./kit/long-list.ts";
import { paymentItem } from "./kit/payment.ts";
import { type Link, linkItem } from "./kit/payment-link.ts";
import { numbered, PUSH_STATES } from "./kit/words.ts";

type PaymentRow = z.output<typeof Payment>;
type Pushed = Pick<PaymentRow, "erp_push_status"> & { payment_id: string };

/**
 * In most hosts a call that takes longer is waiting for the person's confirmation, so the view says what it would do.
 */
const PREVIEW_AFTER_MS = 700;
/** Of a call that was refused. */
const NOTHING = " Nothing was changed.";
/** Pages of payments that are searched for the pushed ones. */
const MOST_PAGES = 3;

let isAnswered = false;
const host: Promise<Host> = join({ name: "confirm", onInput: announce, onResult: draw, onFailure: fail });
showWaiting("Waiting for the assistant…");

function fail({ message, code }: CallError): void {
  isAnswered = true;
  const isUnknown = code === null || code === "internal_error";
  show([heading(isUnknown ? "Outcome unknown" : "Not done"), problem(`${message}${isUnknown ? "" : NOTHING}`)]);
}

/** Shows what is about to happen, unless the result arrives first. */
function announce(args: Fields): void {
  setTimeout(() => {
    if (!isAnswered) void preview(args).catch(() => undefined);
  }, PREVIEW_AFTER_MS);
}

async function preview(args: Fields): Promise<void> {
  const joined = await host;
  if (!joined.callsTools) return;
  const part = Array.isArray(args.links)
    ? await linksToCome(args.links, joined)
    : typeof args.payment_link_id === "string"
      ? await linkToGo(args.payment_link_id, joined)
      : await receiptsToGo(args, joined);
  if (!isAnswered) show([...part, quiet("Nothing has happened yet.")]);
}

async function linksToCome(asked: readonly unknown[], joined: Host): Promise<HTMLElement[]> {
  const wanted = asked.filter(isFields);
  const ids = [...new Set(wanted.map((one) => textField(one, "invoice_id")))].filter((id) => id !== undefined);
  const invoices = await Promise.all(ids.map((id) => joined.call("get_invoice", { invoice_id: id })));
  const items = wanted.map((one) => {
    const invoice = invoices.find(({ id }) => id === one.invoice_id) ?? {};
    const parts = listed<Partial<z.output<typeof Installment>>>(invoice.installments);
    const available = parts.find(({ id }) => id === one.installment_id)?.available_amount;
    const currency = textField(invoice, "currency");
    const { amount_minor: minor } = one;
    const sum =
      typeof minor === "number"
        ? minorFigure(minor, currency)
        : available === undefined
          ? null
          : figure(available, currency);
    return listRow(
      [
        el("strong", {}, name(textField(invoice.customer, "name"), "Customer without a name")),
        el("p", {}, name(textField(invoice, "invoice_number"), "Invoice without a number")),
      ],
      [sum],
    );
  });
  return [heading(`About to create ${numbered(items.length, "payment link")}`), el("ul", { class: "rows" }, ...items)];
}

async function linkToGo(id: string, joined: Host): Promise<HTMLElement[]> {
  const link: Partial<Link> = await joined.call("get_payment_link", { payment_link_id: id });
  const item = linkItem(link, { host: joined, granted: new Set() });
  return [heading("About to withdraw a payment link for good"), el("ul", { class: "rows" }, item)];
}

async function receiptsToGo(args: Fields, joined: Host): Promise<HTMLElement[]> {
  const connection = textField(args, "connection_id");
  const asked = {
    erp_push_status: "held",
    limit: 100,
    ...(connection === undefined ? {} : { connection_id: connection }),
  };
  const first = await joined.call("list_payments", asked);
  const ids = Array.isArray(args.payment_ids) ? args.payment_ids : null;
  const data = listedRows<PaymentRow>(first).filter(({ id }) => ids === null || ids.includes(id));
  const title = heading("About to push held receipts to the ERP");
  if (ids !== null) return [title, el("ul", { class: "rows" }, ...data.map((row) => paymentItem(row)))];
  const list = longList<PaymentRow>({
    ...{ host: joined, tool: "list_payments", args: asked, first, noun: "receipt", none: "No receipts are held." },
    row: (row) => paymentItem(row),
    restart: async () => undefined,
  });
  return [title, ...list];
}

async function draw(answer: Fields): Promise<void> {
  isAnswered = true;
  const joined = await host;
  if (rowsHave(answer, "payment_id")) drawPushed(listedRows<Pushed>(answer), joined);
  else if (Array.isArray(answer.data)) await drawCreated(listedRows<Link>(answer), joined);
  else await drawWithdrawn(answer, joined);
}

async function drawCreated(links: readonly Partial<Link>[], joined: Host): Promise<void> {
  if (links.length === 0) return show([heading("Nothing was waiting"), el("p", {}, "No receipt was held.")]);
  const list = el(
    "ul",
    { class: "rows" },
    ...links.map((link) => linkItem(link, { host: joined, granted: new Set() })),
  );
  const text = "Nothing was sent: hand the links on.";
  show([heading(`${numbered(links.length, "payment link")} created`), quiet(text), list]);
  const granted = await grantedTools(joined);
  if (granted.has("deactivate_payment_link"))
    fill(list, ...links.map((link) => linkItem(link, { host: joined, granted })));
}

async function drawWithdrawn(link: Partial<Link>, joined: Host): Promise<void> {
  const item = linkItem(link, { host: joined, granted: new Set() });
  const text = "What it asked for is available again.";
  show([heading("Payment link withdrawn"), quiet(text), el("ul", { class: "rows" }, item)]);
}

/** The answer has ids and states; amounts and customers are read from the payments. */
function drawPushed(pushed: readonly Partial<Pushed>[], joined: Host): void {
  const list = el("ul", { class: "rows" });
  const state = ({ erp_push_status: status }: Partial<Pushed>): HTMLElement =>
    el("li", {}, el("div", { class: "who" }, status ? PUSH_STATES[status] : ""));
  fill(list, ...pushed.map(state));
  const said = el("div", {});
  const look = async (): Promise<void> => {
    try {
      const found = await paymentsOf(new Set(pushed.map(({ payment_id: id }) => id)), joined);
      fill(
        list,
        ...pushed.map((one) => {
          const payment = found.get(one.payment_id);
          return payment === undefined ? state(one) : paymentItem(payment);
        }),
      );
      fill(said);
    } catch (error) {
      fill(said, problem(error instanceof Error ? error.message : "The payments cannot be read."));
    }
  };
  const again = joined.callsTools ? button("Check again", "plain", look) : null;
  show([heading(`${numbered(pushed.length, "receipt")} queued for the ERP`), list, said, again]);
  if (joined.callsTools) void look();
}

async function paymentsOf(ids: ReadonlySet<unknown>, joined: Host): Promise<Map<unknown, Partial<PaymentRow>>> {
  const found = new Map<unknown, Partial<PaymentRow>>();
  let args: Fields = { limit: 100 };
  for (let page = 0; page < MOST_PAGES && found.size < ids.size; page += 1) {
    const answer = await joined.call("list_payments", args);
    for (const row of listedRows<PaymentRow>(answer)) if (ids.has(row.id)) found.set(row.id, row);
    const cursor = textField(answer.pagination, "next_cursor");
    if (cursor === undefined) break;
    args = { ...args, cursor };
  }
  return found;
}
