import type { z } from "zod";
import { BUCKETS } from "../core/aging/buckets.ts";
import type { AgingInput } from "../core/aging/list-parameters.ts";
import { listCustomerAging } from "../core/aging/operations/list-customer-aging.ts";
import { summarizeAging } from "../core/aging/operations/summarize-aging.ts";
import { listErpConnections } from "../core/erp-connections/operations/list-erp-connections.ts";
import { getInvoice } from "../core/invoices/operations/get-invoice.ts";
import { listInvoices } from "../core/invoices/operations/list-invoices.ts";
import { Uuid } from "../core/kernel/wire-types.ts";
import type { CallOperation } from "./feature.ts";

/** Suggested values. */
export interface Suggestions {
  readonly values: readonly string[];
  /** Whether there are more. */
  readonly hasMore?: boolean;
}

/** Suggests values for what was typed so far, through the caller's own operations. */
export type Complete = (typed: string, call: CallOperation) => Promise<Suggestions>;

const SHOWN = 25;
/** Maximum of characters of a customer's name in a suggestion. */
const NAME_LENGTH = 60;
/** Maximum of customers of one name that are searched for a key. */
const NAMESAKES = 100;
/** A partially typed suggestion that ends inside its key. */
const PART_OF_KEY = /^(.*?)…? \(([0-9a-z:-]*)$/is;
const KEY_AT_END = /^(?:.*\()?((?:unassigned:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\)?$/is;

/** The customer key in a suggestion of {@link customers}, or a bare key; null without one. */
export function customerKeyOf(chosen: string) {
  return KEY_AT_END.exec(chosen.trim())?.[1]?.toLowerCase() ?? null;
}

/** Suggests from a fixed list. */
export function suggestOneOf(values: readonly string[]): Complete {
  return async (typed) => ({ values: startingWith(values, typed) });
}

export const buckets: Complete = suggestOneOf(BUCKETS);

/** Currencies of the workspace's invoices. */
export const currencies: Complete = async (typed, call) => {
  const { currencies: all } = await call(summarizeAging, {});
  const codes = all.filter((code) => /^[A-Z]{3}$/.test(code));
  return { values: startingWith(codes, typed.trim().toUpperCase()) };
};

/** Customers who owe something, by name or number: `name (customer_key)`, because names can collide. */
export const customers: Complete = async (typed, call) => {
  const { found, hasMore } = await customersLike(typed, call);
  return { values: found.map(({ name, key }) => `${shortened(name)} (${key})`), hasMore };
};

/** The same customers by key, for URIs. */
export const customerKeys: Complete = async (typed, call) => {
  const { found, hasMore } = await customersLike(typed, call);
  return { values: found.map(({ key }) => key), hasMore };
};

/** Ids of ERP connections. */
export const suggestErpConnections: Complete = async (typed, call) => {
  const { data } = await call(listErpConnections, { limit: 100 });
  const ids = data.map(({ id }) => id);
  return { values: startingWith(ids, typed.trim().toLowerCase()) };
};

/** Ids of invoices: the one with that id (else `not_found`), those with that number, or the newest. */
export const suggestInvoices: Complete = async (typed, call) => {
  const number = typed.trim();
  if (Uuid.safeParse(number).success) return { values: [(await call(getInvoice, { invoice_id: number })).id] };
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
  const listed = await customersOf({ ...meant, limit: SHOWN }, call);
  const [, name = "", part = ""] = PART_OF_KEY.exec(text) ?? [];
  if (listed.found.length > 0 || name === "") return listed;
  const { found, hasMore } = await customersOf({ search: name, limit: NAMESAKES }, call);
  return { found: found.filter((one) => one.key.startsWith(part.toLowerCase())), hasMore };
}

async function customersOf(input: z.input<typeof AgingInput>, call: CallOperation) {
  const { data, pagination } = await call(listCustomerAging, input);
  const names = new Map(data.map((row) => [row.customer_key, row.customer_name]));
  return {
    found: [...names].map(([key, name]) => ({ key, name })),
    hasMore: pagination.next_cursor !== null,
  };
}

function startingWith(values: readonly string[], typed: string) {
  return values.filter((value) => value.startsWith(typed));
}

function shortened(name: string) {
  const characters = Array.from(name);
  return characters.length <= NAME_LENGTH ? name : `${characters.slice(0, NAME_LENGTH - 1).join("")}…`;
}
