import { listCustomerAging } from "../core/aging/list-customer-aging.ts";
import { BUCKETS } from "../core/aging/rules.ts";
import { summarizeAging } from "../core/aging/summarize-aging.ts";
import { listErpConnections } from "../core/erp-connections/list-erp-connections.ts";
import { listInvoices } from "../core/invoices/list-invoices.ts";
import { Uuid } from "../core/validation.ts";
import type { CallOperation } from "./feature.ts";

/** Values that a person may choose from. */
export interface Suggestions {
  readonly values: readonly string[];
  /** Whether there are more than are shown. */
  readonly hasMore?: boolean;
}

/** What may be meant by what was typed so far, found through the caller's own operations. */
export type Complete = (typed: string, call: CallOperation) => Promise<Suggestions>;

const SHOWN = 25;
/** Characters of a customer's name that are shown: enough to know it by. */
const NAME_LENGTH = 60;
const KEY_AT_END = /^(?:.*\()?((?:unassigned:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\)?$/is;

/** The customer key in what {@link customers} suggests, or in a key alone; null where there is none. */
export function customerKeyOf(chosen: string): string | null {
  return KEY_AT_END.exec(chosen.trim())?.[1]?.toLowerCase() ?? null;
}

/** One of a few values. */
export function oneOf(values: readonly string[]): Complete {
  return async (typed) => ({ values: startingWith(values, typed) });
}

export const buckets: Complete = oneOf(BUCKETS);

/** Currencies of the workspace's invoices. */
export const currencies: Complete = async (typed, call) => {
  const { currencies: all } = await call(summarizeAging, {});
  return {
    values: startingWith(
      all.filter((code) => /^[A-Z]{3}$/.test(code)),
      typed.trim().toUpperCase(),
    ),
  };
};

/** Customers who owe something, by name or number: `name (customer_key)`, for names alone can collide. */
export const customers: Complete = async (typed, call) => {
  const { found, hasMore } = await customersLike(typed, call);
  return { values: found.map(({ name, key }) => `${shortened(name)} (${key})`), hasMore };
};

/** The same customers by their keys alone, as an address needs them. */
export const customerKeys: Complete = async (typed, call) => {
  const { found, hasMore } = await customersLike(typed, call);
  return { values: found.map(({ key }) => key), hasMore };
};

/** Ids of ERP connections. */
export const erpConnections: Complete = async (typed, call) => {
  const { data } = await call(listErpConnections, { limit: 100 });
  return {
    values: startingWith(
      data.map(({ id }) => id),
      typed.trim().toLowerCase(),
    ),
  };
};

/** Ids of invoices: of those with that number, or of the newest. */
export const invoices: Complete = async (typed, call) => {
  const number = typed.trim();
  if (Uuid.safeParse(number).success) return { values: [number.toLowerCase()] };
  const { data, pagination } = await call(listInvoices, {
    limit: SHOWN,
    ...(number === "" ? {} : { invoice_number: number }),
  });
  return { values: data.map(({ id }) => id), hasMore: pagination.has_more };
};

async function customersLike(typed: string, call: CallOperation) {
  const text = typed.trim();
  const key = customerKeyOf(text);
  const meant = key !== null ? { customer_key: key } : text === "" ? {} : { search: text };
  const { data, pagination } = await call(listCustomerAging, { ...meant, limit: SHOWN });
  const names = new Map(data.map((row) => [row.customer_key, row.customer_name]));
  return {
    found: [...names].map(([customerKey, name]) => ({ key: customerKey, name })),
    hasMore: pagination.next_cursor !== null,
  };
}

function startingWith(values: readonly string[], typed: string): string[] {
  return values.filter((value) => value.startsWith(typed));
}

function shortened(name: string): string {
  const characters = Array.from(name);
  return characters.length <= NAME_LENGTH ? name : `${characters.slice(0, NAME_LENGTH - 1).join("")}…`;
}
