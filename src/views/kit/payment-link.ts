import type { z } from "zod";
import type { PaymentLink } from "../../core/payment-links/schema.ts";
import { actButton } from "./act.ts";
import { button, customerHeading, el, fill, invoiceLine, line, quiet } from "./dom.ts";
import { textField } from "./fields.ts";
import { instant, minorFigure } from "./figures.ts";
import { EMAIL_STATES, LINK_STATES } from "./words.ts";

export type Link = z.output<typeof PaymentLink>;

/** A payment link: customer, amount, its address to copy, and a button to withdraw it where that is among the `granted` tools. */
export function linkItem(link: Partial<Link>, granted: ReadonlySet<unknown> = new Set()): HTMLElement {
  const item = el("li", {});
  fillLink(item, link, granted);
  return item;
}

function fillLink(item: HTMLElement, link: Partial<Link>, granted: ReadonlySet<unknown>): void {
  const { status = "active", url, email, amount_minor: minor, currency } = link;
  const isActive = status === "active";
  fill(
    item,
    el(
      "div",
      { class: "who" },
      el("strong", {}, customerHeading(link.customer_name)),
      invoiceLine(link.invoice_number),
      el("p", { class: isActive ? "quiet" : "state" }, LINK_STATES[status]),
      email &&
        quiet(`${EMAIL_STATES[email.status]} `, el("bdi", {}, email.to), ", ", instant(email.sent_at ?? email.send_at)),
    ),
    el("div", { class: "sum" }, minor !== undefined && minorFigure(minor, currency)),
    isActive &&
      el(
        "div",
        { class: "tools" },
        url && copyField(url, `Payment link of ${link.invoice_number ?? "the invoice"}`),
        granted.has("deactivate_payment_link") && withdrawal(item, link, granted),
      ),
  );
}

function withdrawal(item: HTMLElement, link: Partial<Link>, granted: ReadonlySet<unknown>): HTMLElement {
  const { amount_minor: minor, currency } = link;
  return actButton({
    tool: "deactivate_payment_link",
    args: { payment_link_id: link.id },
    label: "Withdraw…",
    confirm: "Withdraw link",
    kind: "danger",
    question: () =>
      line(
        "Withdraw this payment link",
        minor !== undefined && [" for ", minorFigure(minor, currency)],
        " for good? The customer can no longer pay with it.",
      ),
    done(answer) {
      const status = textField(answer, "status") === "deactivated" ? "deactivated" : link.status;
      fillLink(item, { ...link, ...(status === undefined ? {} : { status }), email: null }, granted);
    },
  });
}

/** An address that can be copied, by a button or by hand. */
function copyField(address: string, label: string): HTMLElement {
  const field = el("input", { type: "text", readonly: "", value: address, "aria-label": label, spellcheck: "false" });
  const said = el("span", { class: "quiet", role: "status" });
  const copy = button("Copy", "plain", async () => {
    field.select();
    const isCopied = await navigator.clipboard.writeText(address).then(
      () => true,
      () => document.execCommand("copy"),
    );
    fill(said, isCopied ? "Copied" : "Selected: copy it with the keyboard");
  });
  return el("div", { class: "copy" }, field, copy, said);
}
