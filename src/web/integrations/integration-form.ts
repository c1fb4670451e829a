import { minorDigits } from "../../core/kernel/currencies.ts";
import { connectIntegration } from "../../core/payment-integrations/operations/connect-integration.ts";
import { type FieldWords, Form } from "../kit/form.ts";
import { html } from "../kit/html.ts";

const codesIn = (typed: string): string[] => typed.match(/[^\s,;]+/g) ?? [];

const CURRENCIES: FieldWords = {
  label: "Currencies",
  hint: "ISO 4217 codes of what it may charge, such as USD, EUR.",
  attributes: html`maxlength="1000" autocomplete="off"`,
  read: (typed) => codesIn(typed.toUpperCase()),
  say(message, typed, index) {
    const codes = codesIn(typed);
    if (codes.length === 0) return "Give at least one currency.";
    const code = codes[index];
    if (code === undefined) return message;
    return minorDigits(code.toUpperCase()) === undefined ? `${code} must be an ISO 4217 code` : `${code} ${message}`;
  },
};

/** A key of Stripe, which begins with one of `prefixes`. */
function key(label: string, prefixes: readonly string[], hint: string): FieldWords {
  const begins = `Starts with ${prefixes.join(" or ")}`;
  return {
    label,
    hint: `${begins}${hint}`,
    type: "secret",
    attributes: html`autocomplete="off" pattern="(${prefixes.join("|")}).+" title="${begins}"`,
    say: (message, typed) => (typed.trim() === "" ? `Give the ${label.toLowerCase()}.` : message),
  };
}

const NOT_CONNECTED = "The provider was not connected.";

/** The forms that connect a provider. */
export const CONNECT_FORMS = {
  stripe: new Form(
    connectIntegration,
    {
      "keys.secretKey": key("Secret key", ["sk_", "rk_"], ". It is kept encrypted and never shown again."),
      "keys.webhookSecret": key("Webhook secret", ["whsec_"], ": Stripe shows it with the webhook endpoint."),
      currencies: CURRENCIES,
    },
    NOT_CONNECTED,
  ),
  sandbox: new Form(connectIntegration, { currencies: CURRENCIES }, NOT_CONNECTED),
};
