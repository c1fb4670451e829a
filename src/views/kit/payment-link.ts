import type { z } from "zod";
import type { PaymentLink } from "../../core/payment-links/schema.ts";
import { actButton } from "./act.ts";
import { button, el, fill, name, quiet } from "./dom.ts";
import { type Fields, textField } from "./fields.ts";
import { instant, minorFigure } from "./figures.ts";
import type { Host } from "./host.ts";
import { EMAIL_STATES, LINK_STATES } from "./words.ts";

export type Link = z.output<typeof PaymentLink>;

/** The context in which a payment link is shown. */
interface LinkSurroundings {
  readonly host: Host;
  /** Tools that may be called now. */
  readonly granted: ReadonlySet<unknown>;
  /** Called when the link has been withdrawn. */
  onWithdrawn?(answer: Fields): void;
}

/** A payment link: customer, amount, its address to copy, and a button to withdraw it. */
export function linkItem(link: Partial<Link>, surroundings: LinkSurroundings): HTMLElement {
  const item = el("li", {});
  fillLink(item, link, surroundings);
  return item;
}

function fillLink(item: HTMLElement, link: Partial<Link>, surroundings: LinkSurroundings): void {
  const { status = "active", url, email, amount_minor: minor, currency } = link;
  const isActive = status === "active";
  const sum = minor === undefined ? null : minorFigure(minor, currency);
  fill(
    item,
    el(
      "div",
      { class: "who" },
      el("strong", {}, name(link.customer_name, "Customer without a name")),
      el("p", {}, name(link.invoice_number, "Invoice without a number")),
      el("p", { class: isActive ? "quiet" : "state" }, LINK_STATES[status]),
      email
        ? quiet(
            `${EMAIL_STATES[email.status]} `,
            el("bdi", {}, email.to),
            ", ",
            instant(email.sent_at ?? email.send_at),
          )
        : null,
    ),
    el("div", { class: "sum" }, sum),
    isActive
      ? el(
          "div",
          { class: "tools" },
          url === undefined ? null : copyField(url, `Payment link of ${link.invoice_number ?? "the invoice"}`),
          surroundings.granted.has("deactivate_payment_link") ? withdrawal(item, link, surroundings) : null,
        )
      : null,
  );
}

function withdrawal(item: HTMLElement, link: Partial<Link>, surroundings: LinkSurroundings): HTMLElement {
  const { amount_minor: minor, currency } = link;
  return actButton({
    host: surroundings.host,
    tool: "deactivate_payment_link",
    args: { payment_link_id: link.id },
    label: "Withdraw…",
    confirm: "Withdraw link",
    kind: "danger",
    question: () =>
      el(
        "p",
        {},
        "Withdraw this payment link",
        ...(minor === undefined ? [] : [" for ", minorFigure(minor, currency)]),
        " for good? The customer can no longer pay with it.",
      ),
    done(answer) {
      const status = textField(answer, "status") === "deactivated" ? "deactivated" : link.status;
      fillLink(item, { ...link, ...(status === undefined ? {} : { status }), email: null }, surroundings);
      surroundings.onWithdrawn?.(answer);
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
