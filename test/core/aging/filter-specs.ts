import fc from "fast-check";
import { addDays } from "../../../src/core/kernel/calendar.ts";
import { EDGES, REASONS, TODAY } from "./books.ts";
import { type Filters, modelReport } from "./model.ts";
import type { ModelBook } from "./model-book.ts";

const SEARCHES = ["acme", "ÁCME", "s", "%", "_", "\\", "100", "1001", "d\n1", "nobody"];

/** A day, by how many days it lies before today: often one that debts are due on. */
const day = (min: number, max: number) =>
  fc
    .oneof(fc.constantFrom(...EDGES.filter((days) => days >= min && days <= max)), fc.integer({ min, max }))
    .map((days) => addDays(TODAY, -days));

/** Filters as a caller gives them, each as often as `odds` in eight; the customer is named by its place in the book. */
function filtersWith(odds: number) {
  const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    fc.oneof({ weight: 8 - odds, arbitrary: fc.constant(undefined) }, { weight: odds, arbitrary });
  return fc.record({
    currency: maybe(fc.constantFrom("USD", "JPY", "UNKNOWN", "EUR")),
    search: maybe(fc.constantFrom(...SEARCHES)),
    customer: maybe(fc.nat(30)),
    connection: maybe(fc.nat(30)),
    bucket: maybe(fc.constantFrom("current", "days_1_30", "days_31_60", "days_61_90", "over_90")),
    overdue_only: maybe(fc.boolean()),
    due_from: maybe(day(31, 120)),
    due_to: maybe(day(-30, 30)),
    collectible: maybe(fc.boolean()),
    not_collectible_reason: maybe(fc.constantFrom(...REASONS, "closed")),
    sort: maybe(fc.constantFrom("overdue_desc", "outstanding_desc", "customer_asc")),
  });
}
export const filterSpec = filtersWith(2);

/** Filters on debts, three of eight given, and few of the others: together they still let something through. */
export const debtFilterSpec = fc.tuple(filtersWith(3), filtersWith(1)).map(([often, seldom]) => {
  const { due_from, due_to, collectible, not_collectible_reason } = often;
  return { ...seldom, due_from, due_to, collectible, not_collectible_reason };
});

/** The same with payment histories, in every order, and with days on which payment is expected. */
export const historyFilterSpec = fc.tuple(filtersWith(1), filtersWith(1)).map(([some, other]) => ({
  ...some,
  include: "payment_history" as const,
  expected_from: other.due_to === undefined ? undefined : addDays(other.due_to, -20),
  expected_to: other.due_from === undefined ? undefined : addDays(other.due_from, 130),
  sort: other.sort === undefined ? ("days_late_desc" as const) : some.sort,
}));

type Spec<A> = A extends fc.Arbitrary<infer S> ? S : never;

/** Filters with the customer's key in place of its place. */
export function filtersOf(
  { customer: at, connection, ...others }: Spec<typeof filterSpec | typeof historyFilterSpec>,
  model: ModelBook,
): Filters {
  const sources = model.invoices.flatMap((invoice) => invoice.connection_id ?? []);
  const source = connection === undefined ? undefined : sources[connection % Math.max(1, sources.length)];
  const filters = source === undefined ? others : { ...others, connection_id: source };
  if (at === undefined) return filters;
  const { customers } = modelReport(model, {});
  const key = customers[at % Math.max(1, customers.length)]?.customer_key;
  return key === undefined ? filters : { ...filters, customer_key: key };
}
