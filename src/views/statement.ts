import type { z } from "zod";
import type { AgingSummary, InstallmentAgingRow } from "../core/aging/schema.ts";
import type { Payment } from "../core/payments/schema.ts";
import type { AmountTotal } from "../core/shared/amount-totals.ts";
import { button, el, fill, heading, name, problem, show, showWaiting } from "./kit/dom.ts";
import { type Fields, textField } from "./kit/fields.ts";
import { dayElement, figure, sumItem, sumList } from "./kit/figures.ts";
import { asCallError, type CallError, type Host, join } from "./kit/host.ts";
import { installmentItem } from "./kit/installment.ts";
import { listedRows, longList, withoutCursor } from "./kit/long-list.ts";
import { paymentItem } from "./kit/payment.ts";
import { numbered } from "./kit/words.ts";

type PaymentRow = z.output<typeof Payment>;
type InstallmentRow = z.output<typeof InstallmentAgingRow>;

const TOOL = "list_payments";

/** The payments shown, of one customer or of many. */
interface Shown {
  readonly args: Fields;
  readonly answer: Fields;
}

let args: Fields = {};
/** The first payments, with which the view was opened. */
let all: Shown | undefined;
const host: Promise<Host> = join({ name: "statement", onInput: takeArguments, onResult: begin, onFailure: fail });
showWaiting("Waiting for the payments…");

function takeArguments(given: Fields): void {
  args = withoutCursor(given);
}

function fail({ message }: CallError): void {
  show([problem(message)]);
}

function begin(answer: Fields): Promise<void> {
  all = { args, answer };
  return draw(all);
}

async function draw(shown: Shown, options: { focus?: boolean } = {}): Promise<void> {
  const joined = await host;
  const customerId = textField(shown.args, "customer_id");
  if (customerId === undefined) return show(paymentsPart(shown, joined, heading("Payments")), options);
  const owed = el(
    "div",
    {},
    el("p", { class: "quiet", role: "status" }, joined.callsTools ? "Opening what is owed…" : ""),
  );
  const [first] = listedRows<PaymentRow>(shown.answer);
  const title = heading("Statement of account");
  const who = el("p", { class: "party" }, name(first?.customer?.name, ""));
  const back = all !== undefined && all !== shown && textField(all.args, "customer_id") === undefined ? all : undefined;
  show(
    [
      back === undefined ? null : button("‹ Back", "plain", () => draw(back, { focus: true })),
      title,
      who,
      joined.callsTools ? printing() : null,
      owed,
      ...paymentsPart(shown, joined, el("h2", {}, "Payments")),
    ],
    options,
  );
  if (joined.callsTools) await openItems(owed, who, customerId, joined);
}

/** What the customer still owes. */
async function openItems(place: HTMLElement, who: HTMLElement, customerKey: string, joined: Host): Promise<void> {
  const asked = { customer_key: customerKey, limit: 100 };
  try {
    const report = await joined.call("list_installment_aging", asked);
    const totals: readonly z.output<typeof AgingSummary>["totals"][number][] = Array.isArray(report.totals)
      ? report.totals
      : [];
    const [date, zone] = [textField(report, "report_date"), textField(report, "timezone")];
    const [first] = listedRows<InstallmentRow>(report);
    if (first?.customer_name) fill(who, el("bdi", {}, first.customer_name));
    fill(
      place,
      el("h2", {}, "Open items"),
      date === undefined
        ? null
        : el(
            "p",
            { class: "quiet" },
            "As of ",
            dayElement(date),
            ` (${zone}). Current reconciled balances, without credits.`,
          ),
      sumList(
        totals.map(({ currency, outstanding, overdue }) =>
          sumItem(figure(outstanding, currency), "owed", figure(overdue, currency)),
        ),
      ),
      ...longList<InstallmentRow>({
        ...{ host: joined, tool: "list_installment_aging", args: asked, first: report, noun: "open item" },
        ...{ none: "Nothing is owed.", row: openItem },
        restart: () => openItems(place, who, customerKey, joined),
      }),
    );
  } catch (error) {
    const again = button("Try again", "plain", () => openItems(place, who, customerKey, joined));
    fill(place, problem(asCallError(error).message, again));
  }
}

/** An open item, without the name that is above them all. */
function openItem({ customer_name: _, ...row }: Partial<InstallmentRow>): HTMLElement {
  return installmentItem(row);
}

function paymentsPart(shown: Shown, joined: Host, title: HTMLElement): (HTMLElement | null)[] {
  const { answer } = shown;
  const totals: readonly z.output<typeof AmountTotal>[] = Array.isArray(answer.totals) ? answer.totals : [];
  const isOfOne = textField(shown.args, "customer_id") !== undefined;
  return [
    title,
    el("p", { class: "quiet" }, "Confirmed through payment links; what was paid elsewhere is not in it."),
    sumList(
      totals.map(({ currency, amount, count }) => sumItem(figure(amount, currency), numbered(count, "payment"), null)),
    ),
    ...longList<PaymentRow>({
      ...{ host: joined, tool: TOOL, args: shown.args, first: answer, noun: "payment", none: "No payments." },
      row: (row) => paymentItem(row, isOfOne ? null : customerOf(row, joined)),
      restart: () => open(shown.args),
    }),
  ];
}

/** The customer's name; for a customer of the ERP, a button that opens the statement. */
function customerOf({ customer }: Partial<PaymentRow>, joined: Host): HTMLElement | undefined {
  const [id, label] = [customer?.id, customer?.name ?? customer?.number];
  if (!joined.callsTools || !id || !label) return undefined;
  const opener = button("", "row", () => open({ customer_id: id }));
  opener.append(el("bdi", {}, label));
  return opener;
}

/** After two clicks, the last one wins. */
let lastOpening = 0;
async function open(asked: Fields): Promise<void> {
  lastOpening += 1;
  const opening = lastOpening;
  showWaiting("Opening…");
  try {
    const answer = await (await host).call(TOOL, asked);
    if (opening === lastOpening) await draw({ args: asked, answer }, { focus: true });
  } catch (error) {
    if (opening !== lastOpening) return;
    const again = button("Try again", "plain", () => open(asked));
    const back = all === undefined ? null : button("Back", "plain", () => all && draw(all, { focus: true }));
    show([problem(asCallError(error).message, again, ...(back === null ? [] : [back]))]);
  }
}

/** Many hosts do not let views print; in those the view says what to do instead. */
function printing(): HTMLElement {
  const said = el("p", { class: "quiet", role: "status" });
  let hasBegun = false;
  window.addEventListener("beforeprint", () => {
    hasBegun = true;
  });
  const print = button("Print", "plain", () => {
    hasBegun = false;
    window.print();
    fill(
      said,
      hasBegun
        ? null
        : "This application lets no view print. Print its own window, or ask the assistant for a document.",
    );
  });
  return el("div", { class: "printing" }, print, said);
}
