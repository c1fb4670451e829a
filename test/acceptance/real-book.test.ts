import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { listAgingInstallments } from "../../src/core/aging/operations/list-aging-installments.ts";
import { listCustomerAging } from "../../src/core/aging/operations/list-customer-aging.ts";
import { summarizeAging } from "../../src/core/aging/operations/summarize-aging.ts";
import type { Actor } from "../../src/core/gate/actor.ts";
import { TestClock, testCore } from "../support/core.ts";
import type { runPull } from "../support/pulls.ts";
import { STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";
import { dayOf, fileDay, HAS_SAMPLE, pullSample, SAMPLE, sampleLines } from "./sample-book.ts";

const AS_OF = "2012-12-31";
const TODAY = "2026-03-10";

const BUCKETS = ["current", "days_1_30", "days_31_60", "days_61_90", "over_90"] as const;
type Bucket = (typeof BUCKETS)[number];

/** An open line of the file, its money in cents. */
interface OpenLine {
  number: string;
  customer: string;
  currency: string;
  cents: bigint;
  due: string;
  daysOverdue: number;
  bucket: Bucket;
  disputed: boolean;
}

const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
const SHIFT = dayOf(TODAY) - dayOf(AS_OF);

function bucketOf(daysOverdue: number): Bucket {
  if (daysOverdue <= 0) return "current";
  if (daysOverdue <= 30) return "days_1_30";
  if (daysOverdue <= 60) return "days_31_60";
  return daysOverdue <= 90 ? "days_61_90" : "over_90";
}

/** What the file itself says was open on the day, without a line of the service's code. */
function openLines(): { known: number; lines: OpenLine[] } {
  const currencies: Record<string, string> = { 391: "EUR", 406: "USD", 770: "GBP", 818: "AUD", 897: "USD" };
  const issued = sampleLines().filter(([, , , , invoiceDate = ""]) => fileDay(invoiceDate) <= dayOf(AS_OF));
  const lines = issued
    .filter(([, , , , , , , , settled = ""]) => fileDay(settled) > dayOf(AS_OF))
    .map(([country = "", customer = "", , number = "", , due = "", amount = "", disputed]): OpenLine => {
      const [whole = "", fraction = ""] = amount.split(".");
      const daysOverdue = dayOf(AS_OF) - fileDay(due);
      return {
        number,
        customer,
        currency: currencies[country] ?? "",
        cents: BigInt(whole + fraction.padEnd(2, "0")),
        due: dateOf(fileDay(due) + SHIFT),
        daysOverdue,
        bucket: bucketOf(daysOverdue),
        disputed: disputed === "Yes",
      };
    });
  return { known: issued.length, lines };
}

const written = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`;
const total = (lines: readonly OpenLine[]): string => written(lines.reduce((sum, line) => sum + line.cents, 0n));

function amounts(currency: string, lines: readonly OpenLine[]): Record<string, string> {
  const inBucket = (bucket: Bucket) => lines.filter((line) => line.bucket === bucket);
  return {
    currency,
    outstanding: total(lines),
    overdue: total(lines.filter((line) => line.bucket !== "current")),
    ...Object.fromEntries(BUCKETS.map((bucket) => [bucket, total(inBucket(bucket))])),
  };
}

describe.skipIf(!HAS_SAMPLE).each(STORES)(`the book of ${SAMPLE} as of ${AS_OF} on $name`, ({ open }) => {
  const book = HAS_SAMPLE ? openLines() : { known: 0, lines: [] };
  const opened = useStore(open);
  const core = testCore(opened.store, new TestClock(`${TODAY}T15:00:00.000Z`));
  let actor: Actor;
  let run: Awaited<ReturnType<typeof runPull>>;

  beforeAll(async () => {
    ({ run, actor } = await pullSample(core, AS_OF, TODAY, "America/New_York"));
  });

  const request = () => ({ core, requestId: randomUUID() });

  /** Every page of a report. */
  async function everything<Row>(
    page: (cursor: string | undefined) => Promise<{ data: Row[]; pagination: { next_cursor: string | null } }>,
  ): Promise<Row[]> {
    const rows: Row[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { data, pagination } = await page(cursor === "" ? undefined : cursor);
      rows.push(...data);
      cursor = pagination.next_cursor;
    }
    return rows;
  }

  it("comes in whole [contract.real-run]", () => {
    expect(run).toMatchObject({ status: "succeeded", invoices_read: book.known, invoices_created: book.known });
    // What the sample is known to hold: guards this test's own reading of the file.
    expect(book.known).toBe(1_277);
    expect(book.lines).toHaveLength(99);
    expect(book.lines.filter((line) => line.bucket !== "current")).toHaveLength(13);
    expect(book.lines.filter((line) => line.disputed)).toHaveLength(28);
  });

  it("has the file's totals in each currency and bucket, to the cent [contract.real-run]", async () => {
    const summary = await summarizeAging.call(actor, {}, request());
    expect(summary).toMatchObject({ report_date: TODAY, timezone: "America/New_York" });
    const expected = Map.groupBy(book.lines, (line) => line.currency);
    const byCurrency = (a: { currency?: string }, b: { currency?: string }) =>
      (a.currency ?? "") < (b.currency ?? "") ? -1 : 1;
    expect(summary.totals.map(({ as_of: _, ...total }) => total).sort(byCurrency)).toEqual(
      [...expected].map(([currency, lines]) => amounts(currency, lines)).sort(byCurrency),
    );
  });

  it("has the file's totals for each customer, to the cent [contract.real-run]", async () => {
    const rows = await everything((cursor) => listCustomerAging.call(actor, { limit: 7, cursor }, request()));
    const expected = Map.groupBy(book.lines, (line) => `${line.customer} ${line.currency}`);
    expect(rows).toHaveLength(expected.size);
    for (const row of rows) {
      const lines = expected.get(`${row.customer_number} ${row.currency}`) ?? [];
      expect(row).toMatchObject({
        ...amounts(row.currency, lines),
        customer_name: `Customer ${row.customer_number}`,
        invoice_count: lines.length,
        installment_count: lines.length,
      });
    }
  });

  it("has each open line of the file as an installment, to the cent [contract.real-run]", async () => {
    const rows = await everything((cursor) => listAgingInstallments.call(actor, { limit: 10, cursor }, request()));
    const shown = rows.map((row) => ({
      number: row.invoice_number,
      customer: row.customer_number,
      currency: row.currency,
      amount: row.amount,
      due: row.due_date,
      daysOverdue: row.days_overdue,
      bucket: row.bucket,
      collectible: row.collectible,
    }));
    const expected = book.lines.map(({ cents, disputed, ...line }) => ({
      ...line,
      amount: written(cents),
      collectible: !disputed,
    }));
    const byNumber = (a: { number: string }, b: { number: string }) => (a.number < b.number ? -1 : 1);
    expect(shown.toSorted(byNumber)).toEqual(expected.toSorted(byNumber));
  });
});
