import type { z } from "zod";
import type { AgingSummary, InstallmentAgingRow } from "../core/aging/schema.ts";
import type { AmountTotal } from "../core/kernel/amount-totals.ts";
import type { Payment } from "../core/payments/schema.ts";
import { button, type Child, el, fill, heading, name, quiet, show, statusLine } from "./kit/dom.ts";
import { type Fields, textField } from "./kit/fields.ts";
import { dayElement, figure, instant, oldestAsOf, sumItem, sumList } from "./kit/figures.ts";
import { failure, host, join, openLatest } from "./kit/host.ts";
import { installmentItem } from "./kit/installment.ts";
import { listed, listedRows, longList } from "./kit/long-list.ts";
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

/** The first payments, with which the view was opened. */
let all: Shown | undefined;
void join({
  ...{ name: "statement", waiting: "Waiting for the payments…" },
  onResult(answer, args) {
    all = { args, answer };
    return draw(all);
  },
});

async function draw(shown: Shown, options: { focus?: boolean } = {}): Promise<void> {
  const customerId = textField(shown.args, "customer_id");
  if (customerId === undefined) return show(paymentsPart(shown, heading("Payments")), options);
  const owed = el("div", {}, statusLine(host.callsTools ? "Opening what is owed…" : ""));
  const [first] = listedRows<PaymentRow>(shown.answer);
  const title = heading("Statement of account");
  const who = el("p", { class: "party" }, name(first?.customer?.name, ""));
  const back = all !== undefined && all !== shown && textField(all.args, "customer_id") === undefined ? all : undefined;
  show(
    [
      back && button("‹ Back", "plain", () => draw(back, { focus: true })),
      title,
      who,
      host.callsTools && printing(),
      owed,
      ...paymentsPart(shown, el("h2", {}, "Payments")),
    ],
    options,
  );
  if (host.callsTools) await openItems(owed, who, customerId);
}

/** What the customer still owes. */
async function openItems(place: HTMLElement, who: HTMLElement, customerKey: string): Promise<void> {
  const asked = { customer_key: customerKey, limit: 100 };
  try {
    const report = await host.call("list_installment_aging", asked);
    const totals = listed<z.output<typeof AgingSummary>["totals"][number]>(report.totals);
    const [date, zone] = [textField(report, "report_date"), textField(report, "timezone")];
    const asOf = oldestAsOf(totals);
    const [first] = listedRows<InstallmentRow>(report);
    if (first?.customer_name) fill(who, el("bdi", {}, first.customer_name));
    fill(
      place,
      el("h2", {}, "Open items"),
      date &&
        quiet(
          "As of ",
          asOf === undefined ? [dayElement(date), ` (${zone})`] : instant(asOf, zone),
          ". Current reconciled balances, without credits.",
        ),
      sumList(
        totals.map(({ currency, outstanding, overdue }) =>
          sumItem(figure(outstanding, currency), "owed", figure(overdue, currency)),
        ),
      ),
      longList<InstallmentRow>({
        ...{ tool: "list_installment_aging", args: asked, first: report, noun: "open item" },
        // Without the name that is above them all.
        ...{ none: "Nothing is owed.", row: ({ customer_name: _, ...row }) => installmentItem(row) },
        restart: () => openItems(place, who, customerKey),
      }),
    );
  } catch (error) {
    fill(
      place,
      failure(error, () => openItems(place, who, customerKey)),
    );
  }
}

function paymentsPart(shown: Shown, title: HTMLElement): Child[] {
  const { answer } = shown;
  const totals = listed<z.output<typeof AmountTotal>>(answer.totals);
  const isOfOne = textField(shown.args, "customer_id") !== undefined;
  return [
    title,
    quiet("Confirmed through payment links; what was paid elsewhere is not in it."),
    sumList(
      totals.map(({ currency, amount, count }) => sumItem(figure(amount, currency), numbered(count, "payment"), null)),
    ),
    longList<PaymentRow>({
      ...{ tool: TOOL, args: shown.args, first: answer, noun: "payment", none: "No payments." },
      row: (row) => paymentItem(row, isOfOne ? null : customerOf(row)),
      restart: () => open(shown.args),
    }),
  ];
}

/** The customer's name; for a customer of the ERP, a button that opens the statement. */
function customerOf({ customer }: Partial<PaymentRow>): HTMLElement | undefined {
  const [id, label] = [customer?.id, customer?.name ?? customer?.number];
  if (!host.callsTools || !id || !label) return undefined;
  return button(name(label, ""), "row", () => open({ customer_id: id }));
}

function open(asked: Fields): Promise<void> {
  const first = all;
  return openLatest({
    ...{ tool: TOOL, args: asked, waiting: "Opening…" },
    draw: (answer) => draw({ args: asked, answer }, { focus: true }),
    ...(first === undefined ? {} : { back: () => draw(first, { focus: true }) }),
  });
}

/** Many hosts do not let views print; in those the view says what to do instead. */
function printing(): HTMLElement {
  const said = statusLine();
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
