import { BUCKETS } from "../../core/aging/buckets.ts";
import { cleanText } from "../../core/shared/text.ts";
import { CurrencyCode, Uuid } from "../../core/shared/validation.ts";
import {
  buckets,
  type Complete,
  currencies,
  customerKeyOf,
  customers,
  suggestErpConnections,
  suggestOneOf,
} from "../suggestions.ts";
import { type Argument, invalid } from "./prompt.ts";

export const CURRENCY: Argument = {
  description: "Only this currency (ISO 4217 code)",
  complete: currencies,
  read(given) {
    const code = CurrencyCode.safeParse(given.toUpperCase());
    if (!code.success) throw invalid("currency must be an ISO 4217 code, such as EUR");
    return code.data;
  },
};

export const BUCKET: Argument = choice("bucket", "Only this aging bucket", BUCKETS, buckets);

export const LINKS: Argument = choice(
  "links",
  "Only invoices with, or without, an active payment link",
  ["with", "without"],
  suggestOneOf(["with", "without"]),
);

export const CONNECTION_ARGUMENT: Argument = {
  description: "Only this ERP connection (its id)",
  complete: suggestErpConnections,
  read(given) {
    const id = Uuid.safeParse(given);
    if (!id.success) throw invalid("connection must be the id of an ERP connection");
    return id.data;
  },
};

/** A customer by key, name or number; the assistant looks up names and numbers. */
export const CUSTOMER: Argument = {
  description: "Customer: choose a suggestion, or write a name or number",
  complete: customers,
  read: (given) => customerKeyOf(given) ?? cleanText(given, 200) ?? "",
};

/** How the customer is passed to a tool that takes `customer_key`. */
export function customerFilter(customer: string): string {
  if (customerKeyOf(customer) !== null) return `customer_key=${customer}`;
  return (
    `the \`customer_key\` that list_customer_aging finds with search=${JSON.stringify(customer)} ` +
    "(ask me which one when several customers match)"
  );
}

function choice(name: string, description: string, values: readonly string[], complete: Complete): Argument {
  return {
    description,
    complete,
    read(given) {
      if (!values.includes(given)) throw invalid(`${name} is one of ${values.join(", ")}`);
      return given;
    },
  };
}
