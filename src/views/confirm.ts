import type { z } from "zod";
import type { Installment } from "../core/invoices/schema.ts";
import type { Payment } from "../core/payments/schema.ts";
import { grantedTools } from "./kit/act.ts";
import {
  button,
  customerHeading,
  el,
  fill,
  heading,
  invoiceLine,
  line,
  listRow,
  problem,
  quiet,
  rowList,
  show,
} from "./kit/dom.ts";
import { type Fields, isFields, textField } from "./kit/fields.ts";
import { figure, minorFigure } from "./kit/figures.ts";
import { type CallError, host, join } from "./kit/host.ts";
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
const waiting = "Waiting for the assistant…";
void join({ name: "confirm", waiting, onInput: announce, onResult: draw, onFailure: fail });

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
  if (!host.callsTools) return;
  const part = Array.isArray(args.links)
    ? await linksToCome(args.links)
    : typeof args.payment_link_id === "string"
      ? await linkToGo(args.payment_link_id)
      : await receiptsToGo(args);
  if (!isAnswered) show([...part, quiet("Nothing has happened yet.")]);
}

async function linksToCome(asked: readonly unknown[]): Promise<HTMLElement[]> {
  const wanted = asked.filter(isFields);
  const ids = [...new Set(wanted.map((one) => textField(one, "invoice_id")))].filter((id) => id !== undefined);
  const invoices = await Promise.all(ids.map((id) => host.call("get_invoice", { invoice_id: id })));
  const items = wanted.map((one) => {
    const invoice = invoices.find(({ id }) => id === one.invoice_id) ?? {};
    const parts = listed<Partial<z.output<typeof Installment>>>(invoice.installments);
    const available = parts.find(({ id }) => id === one.installment_id)?.available_amount;
    const currency = textField(invoice, "currency");
    const { amount_minor: minor } = one;
    const sum = typeof minor === "number" ? minorFigure(minor, currency) : available && figure(available, currency);
    return listRow(
      [
        el("strong", {}, customerHeading(textField(invoice.customer, "name"))),
        invoiceLine(textField(invoice, "invoice_number")),
      ],
      [sum],
    );
  });
  return [heading(`About to create ${numbered(items.length, "payment link")}`), rowList(items)];
}

async function linkToGo(id: string): Promise<HTMLElement[]> {
  const link: Partial<Link> = await host.call("get_payment_link", { payment_link_id: id });
  const item = linkItem(link);
  return [heading("About to withdraw a payment link for good"), rowList(item)];
}

async function receiptsToGo(args: Fields): Promise<HTMLElement[]> {
  const connection = textField(args, "connection_id");
  const asked = {
    erp_push_status: "held",
    limit: 100,
    ...(connection === undefined ? {} : { connection_id: connection }),
  };
  const first = await host.call("list_payments", asked);
  const ids = Array.isArray(args.payment_ids) ? args.payment_ids : null;
  const data = listedRows<PaymentRow>(first).filter(({ id }) => ids === null || ids.includes(id));
  const title = heading("About to push held receipts to the ERP");
  if (ids !== null) return [title, rowList(data.map((row) => paymentItem(row)))];
  const list = longList<PaymentRow>({
    ...{ tool: "list_payments", args: asked, first, noun: "receipt", none: "No receipts are held." },
    row: (row) => paymentItem(row),
    restart: async () => undefined,
  });
  return [title, ...list];
}

async function draw(answer: Fields): Promise<void> {
  isAnswered = true;
  if (rowsHave(answer, "payment_id")) drawPushed(listedRows<Pushed>(answer));
  else if (Array.isArray(answer.data)) await drawCreated(listedRows<Link>(answer));
  else drawWithdrawn(answer);
}

async function drawCreated(links: readonly Partial<Link>[]): Promise<void> {
  if (links.length === 0) return show([heading("Nothing was waiting"), line("No receipt was held.")]);
  const list = rowList(links.map((link) => linkItem(link)));
  const text = "Nothing was sent: hand the links on.";
  show([heading(`${numbered(links.length, "payment link")} created`), quiet(text), list]);
  const granted = await grantedTools();
  if (granted.has("deactivate_payment_link")) fill(list, ...links.map((link) => linkItem(link, granted)));
}

function drawWithdrawn(link: Partial<Link>): void {
  const item = linkItem(link);
  const text = "What it asked for is available again.";
  show([heading("Payment link withdrawn"), quiet(text), rowList(item)]);
}

/** The answer has ids and states; amounts and customers are read from the payments. */
function drawPushed(pushed: readonly Partial<Pushed>[]): void {
  const list = rowList();
  const state = ({ erp_push_status: status }: Partial<Pushed>): HTMLElement =>
    el("li", {}, el("div", { class: "who" }, status ? PUSH_STATES[status] : ""));
  fill(list, ...pushed.map(state));
  const said = el("div", {});
  const look = async (): Promise<void> => {
    try {
      const found = await paymentsOf(new Set(pushed.map(({ payment_id: id }) => id)));
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
  const again = host.callsTools && button("Check again", "plain", look);
  show([heading(`${numbered(pushed.length, "receipt")} queued for the ERP`), list, said, again]);
  if (host.callsTools) void look();
}

async function paymentsOf(ids: ReadonlySet<unknown>): Promise<Map<unknown, Partial<PaymentRow>>> {
  const found = new Map<unknown, Partial<PaymentRow>>();
  let args: Fields = { limit: 100 };
  for (let page = 0; page < MOST_PAGES && found.size < ids.size; page += 1) {
    const answer = await host.call("list_payments", args);
    for (const row of listedRows<PaymentRow>(answer)) if (ids.has(row.id)) found.set(row.id, row);
    const cursor = textField(answer.pagination, "next_cursor");
    if (cursor === undefined) break;
    args = { ...args, cursor };
  }
  return found;
}
