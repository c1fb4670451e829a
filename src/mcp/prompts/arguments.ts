import { BUCKETS } from "../../core/aging/buckets.ts";
import { isPlainDate } from "../../core/kernel/calendar.ts";
import { cleanText } from "../../core/kernel/text.ts";
import { CurrencyCode, Uuid } from "../../core/kernel/wire-types.ts";
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

/** A customer by key, name or number; tools search for names and numbers. */
export const CUSTOMER: Argument = {
  description: "Customer: choose a suggestion, or write a name or number",
  complete: customers,
  read: (given) => customerKeyOf(given) ?? cleanText(given, 100) ?? "",
};

/** How many days ahead to look: 1 to 365. */
export const DAYS: Argument = {
  description: "How many days ahead, 1 to 365; 7 if left out",
  complete: suggestOneOf(["7", "14", "30"]),
  read: checked(
    (given) => /^[1-9]\d{0,2}$/.test(given) && Number(given) <= 365,
    "days is a whole number from 1 to 365",
  ),
};

export const SINCE: Argument = {
  description: "First day (YYYY-MM-DD); yesterday if left out",
  complete: suggestOneOf([]),
  read: checked(isPlainDate, "since must be a day that exists, written YYYY-MM-DD such as 2026-11-30"),
};

export const MONTH: Argument = {
  description: "Month (YYYY-MM); last month if left out",
  complete: suggestOneOf([]),
  read: checked((given) => isPlainDate(`${given}-01`), "month must be written YYYY-MM, such as 2026-11"),
};

/** Arguments that were said, as a tool takes them by their names. */
export const filtersOf = (said: Readonly<Record<string, string | undefined>>) =>
  Object.entries(said).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));

/** How a customer, if one was said, is passed to a tool that takes keys in `field`, and `search` for names and numbers. */
export function customerFilter(
  customer: string | undefined,
  field: "customer_key" | "customer_id" = "customer_key",
): string[] {
  if (customer === undefined) return [];
  const key = customerKeyOf(customer);
  if (key !== null) return [`${field}=${key}`];
  return [`search=${JSON.stringify(customer)} (ask me which one when several customers match)`];
}

function choice(name: string, description: string, values: readonly string[], complete: Complete): Argument {
  const read = checked((given) => values.includes(given), `${name} is one of ${values.join(", ")}`);
  return { description, complete, read };
}

function checked(isValid: (given: string) => boolean, fault: string): Argument["read"] {
  return (given) => {
    if (!isValid(given)) throw invalid(fault);
    return given;
  };
}
