import { sql } from "kysely";
import { z } from "zod";
import { foldText } from "../kernel/text.ts";
import { describeSpelling, nameSchemas, SKETCHED, Uuid } from "../kernel/wire-types.ts";
import type { RunContext } from "./run-context.ts";

/** Where a part of a row's names or numbers is the text, in any case. */
export function hasText(column: string, text: string) {
  // A line break stands between names and numbers, and in none of them.
  return text.includes("\n") ? sql<boolean>`false` : sql<boolean>`strpos(${sql.ref(column)}, ${foldText(text)}) > 0`;
}

const NearestCustomer = z.strictObject({
  customer_id: Uuid,
  name: z.string().nullable(),
  number: z.string().nullable(),
  is_match: z.boolean().describe("True: has nothing of this kind; false: only resembles it"),
});
nameSchemas({ NearestCustomer });

/** What an answer without a row says of customers (completions §10). */
export const Nearest = describeSpelling(
  z.array(NearestCustomer).register(SKETCHED, {}).optional(),
  "Customers most like `search`, when nothing was found",
);

const MOST_NEAREST = 3;
/** Pairs of letters that are compared with each customer: those of a name of usual length. */
const MOST_PAIRS = 24;

/**
 * For an answer without a row: the customers, with or without debts, whose names and numbers have the searched text or the most
 * pairs of its letters, two of five at least.
 */
export async function nearestCustomers(
  { tx, actor }: Pick<RunContext, "tx" | "actor">,
  search: string | undefined,
  isEmpty: boolean,
): Promise<{ nearest?: z.output<typeof NearestCustomer>[] }> {
  // A line break stands between names and numbers, and in none of them.
  if (search === undefined || !isEmpty || search.includes("\n")) return {};
  const text = foldText(search);
  const pairs = [...new Set(Array.from(text.matchAll(/(?=(\S\S))/gu), ([, pair = ""]) => pair))].slice(0, MOST_PAIRS);
  const isIn = pairs.map((pair) => sql`(strpos(search_text, ${pair}) > 0)::integer`);
  const { rows } = await sql<z.output<typeof NearestCustomer>>`
    select customer_id, name, split_part(numbers, e'\\n', 1) as number, is_match from (
      select customer_id, name, numbers, sort_name, strpos(search_text, ${text}) > 0 as is_match,
        ${isIn.length === 0 ? sql`0` : sql.join(isIn, sql` + `)} as shared
      from customers where tenant_id = ${actor.tenantId}
    ) as customer
    where is_match or shared * 5 >= ${Math.max(1, pairs.length)}::integer * 2
    order by is_match desc, shared desc, abs(length(sort_name) - length(${text})), sort_name, customer_id
    limit ${MOST_NEAREST}`.execute(tx);
  return { nearest: rows };
}
