import { type RawBuilder, sql } from "kysely";
import { columns } from "../recordset.ts";
import { BUCKET_PLACES, type BucketPlace } from "./bucket-starts.ts";
import { bucketOn, daysOverdue } from "./days-overdue.ts";

/** A part of a statement: an expression, a select, or what follows `with`. */
export type SqlPart = RawBuilder<unknown>;

/** Begins the key of an invoice without a customer; its id follows (service.md §2.6). */
export const UNASSIGNED = "unassigned:";

/** Key of the customer that a row with `customer_id` and `invoice_id` is of (service.md §2.6). */
export const customerKey = (alias: string) =>
  sql`coalesce(${sql.ref(`${alias}.customer_id`)}::text, ${sql.lit(UNASSIGNED)} || ${sql.ref(`${alias}.invoice_id`)}::text)`;

/** The sum of each column by its own name, separated by commas. */
export const summed = (names: readonly string[]) =>
  sql.join(names.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`));

/** Each column of a table plus what an insert brings, for its `do update set`. */
export const added = (table: string, names: readonly string[]) =>
  sql.join(
    names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`),
  );

/** The rows that one of two tables of a statement has and the other has not, by the columns named. */
export function differing(one: string, other: string, names: readonly string[]) {
  const from = (table: string): SqlPart => sql`select ${columns(names)} from ${sql.table(table)}`;
  return sql`(${from(one)} except all ${from(other)}) union all (${from(other)} except all ${from(one)})`;
}

/** Whether a row is one of those that a table of the statement names: looked up by the first column, however many there are. */
export const isIn = (table: string, [first, second]: readonly [string, string]): SqlPart => {
  const [one, both] = [sql.ref(first), sql`${sql.ref(first)}, ${sql.ref(second)}`];
  return sql`${one} = any(array(select ${one} from ${sql.table(table)}))
      and ((${both}) in (select ${both} from ${sql.table(table)})) is true`;
};

/** One expression for each bucket, separated by commas. */
export const each = (expression: (bucket: BucketColumns) => SqlPart) =>
  sql.join(BUCKET_PLACES.map((place) => expression(bucketAt(place))));

/** A bucket in a statement: its number, and the columns that hold its figures. */
interface BucketColumns {
  readonly number: SqlPart;
  readonly amount: SqlPart;
  readonly past: SqlPart;
  readonly debts: SqlPart;
  readonly digest: SqlPart;
  readonly history: SqlPart;
  readonly invoices: SqlPart;
  readonly customers: SqlPart;
}

function bucketAt(place: BucketPlace): BucketColumns {
  const column = (kind: string): SqlPart => sql.ref(`${kind}_${place}`);
  return {
    ...{
      number: sql.lit(place),
      amount: column("amount"),
      past: column("past"),
      debts: column("debts"),
      digest: column("digest"),
    },
    ...{ history: column("history"), invoices: column("invoices"), customers: column("customers") },
  };
}

/** Hash of text as a number of 128 bits. */
export const digest = (text: SqlPart) =>
  sql`hashtextextended(${text}, 0)::numeric * 18446744073709551616 + hashtextextended(${text}, 1)`;

/**
 * A hash of a row's content; equal amounts hash alike at any scale. PostgreSQL's row hash is a sum over columns: adding it up
 * would hide values that two rows swap, so it is hashed once more ({@link digest}).
 */
export const contentOf = (row: SqlPart) =>
  sql`hash_record_extended(${row}, 0) || ',' || hash_record_extended(${row}, 1)`;

/** One row for each debt of a table: its days overdue and its bucket on a day, counted `sign` times. */
export const aged = (debts: SqlPart, day: SqlPart, sign: 1 | -1): SqlPart => sql`
  select ${sql.lit(sign)} as sign, invoice_id, customer_id, currency, amount, digest, ${daysOverdue(day)} as age,
    ${bucketOn(day)} as bucket
  from ${debts}`;

/**
 * `changes`: figures of `aging_customers` that the rows of `debts` (see {@link aged}) come to, by customer and currency.
 * Invoices are counted whole, so that all debts of one have to be there. What should be in by now is not known here: it is 0.
 */
export const changesOf = (debts: SqlPart): SqlPart => sql`
  moves as (${debts}),
  invoices_moved as (
    select sign, invoice_id, customer_id, currency,
      ${each(({ number, amount }) => sql`coalesce(sum(amount) filter (where bucket = ${number}), 0) as ${amount}`)},
      ${each(({ number, debts }) => sql`count(*) filter (where bucket = ${number}) as ${debts}`)},
      ${each(({ number, digest }) => sql`coalesce(sum(digest) filter (where bucket = ${number}), 0) as ${digest}`)}
    from moves group by sign, invoice_id, customer_id, currency
  ),
  changes as materialized (
    select ${customerKey("moved")} collate "C" as customer_key, customer_id,
      case when customer_id is null then invoice_id end as own_invoice_id, currency,
      ${each(({ amount }) => sql`sum(sign * ${amount}) as ${amount}`)}, ${each(({ past }) => sql`0 as ${past}`)},
      ${each(({ debts }) => sql`sum(sign * ${debts})::integer as ${debts}`)},
      ${each(({ digest }) => sql`sum(sign * ${digest}) as ${digest}`)},
      ${each(({ debts, invoices }) => sql`sum(sign * (${debts} > 0)::integer)::integer as ${invoices}`)},
      sum(sign * (debts_1 + debts_2 + debts_3 + debts_4 > 0)::integer)::integer as invoices_overdue,
      sum(sign)::integer as invoices_all
    from invoices_moved as moved group by 1, 2, 3, 4
  )`;

/** Columns of `aging_totals` but the currency. */
export const TOTAL_FIGURES: readonly string[] = [
  ...["amount", "past", "debts", "digest", "history", "customers"].flatMap((kind) =>
    BUCKET_PLACES.map((n) => `${kind}_${n}`),
  ),
  "customers_overdue",
  "customers_all",
];

/** The digest of a customer's debts in a bucket, including the customer's name and number, which callers see on each debt. */
export const effectiveDigest = (place: BucketPlace): SqlPart => digestOf(bucketAt(place));

const digestOf = ({ digest, debts }: BucketColumns) =>
  sql`(${digest} + case when ${debts} > 0 then identity else 0 end)`;

/** The same of the customer's payment history. */
export const effectiveHistory = (place: BucketPlace): SqlPart => historyOf(bucketAt(place));

const historyOf = ({ debts }: BucketColumns): SqlPart => sql`(case when ${debts} > 0 then history else 0 end)`;

/** What rows of a table like `aging_customers` add to the totals of their currency, `sign` times. */
export function totalsOf(table: "after" | "before", sign: 1 | -1) {
  const times = sql.lit(sign);
  return sql`
    select currency, ${each(({ amount }) => sql`${times} * ${amount} as ${amount}`)},
      ${each(({ past }) => sql`${times} * ${past} as ${past}`)}, ${each(({ debts }) => sql`${times} * ${debts} as ${debts}`)},
      ${each((bucket) => sql`${times} * ${digestOf(bucket)} as ${bucket.digest}`)},
      ${each((bucket) => sql`${times} * ${historyOf(bucket)} as ${bucket.history}`)},
      ${each(({ debts, customers }) => sql`${times} * (${debts} > 0)::integer as ${customers}`)},
      ${times} * (invoices_overdue > 0)::integer as customers_overdue,
      ${times} * (invoices_all > 0)::integer as customers_all
    from ${sql.table(table)}`;
}
