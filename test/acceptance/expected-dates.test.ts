import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { listAgingInstallments } from "../../src/core/aging/operations/list-aging-installments.ts";
import { TestClock, testCore } from "../support/core.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";
import { dayOf, fileDay, HAS_SAMPLE, pullSample, SAMPLE, sampleLines } from "./sample-book.ts";

/** Ten days in the file, each taken for today; the converter tells the ERP of nothing later. */
const DAYS = [
  ...["2012-09-30", "2012-11-15", "2012-12-31", "2013-02-15", "2013-03-31"],
  ...["2013-05-15", "2013-06-30", "2013-08-15", "2013-09-30", "2013-10-31"],
];

/** When each invoice of the file was paid in the end. */
const settledDays = (): ReadonlyMap<string, number> =>
  new Map(sampleLines().map(([, , , number = "", , , , , settled = ""]) => [number, fileDay(settled)]));

/** Absolute errors, in days, of the two ways to say when an installment will be paid. */
interface Errors {
  readonly expected: number;
  readonly due: number;
}

const mean = (errors: readonly Errors[], way: keyof Errors): number =>
  errors.reduce((sum, error) => sum + error[way], 0) / errors.length;

describe.skipIf(!HAS_SAMPLE).each(A_STORE)(`expected dates in ${SAMPLE} on $name`, ({ open }) => {
  const opened = useStore(open);

  /** The errors of every installment with an expected date, as of a day. */
  async function errorsOn(today: string, settled: ReadonlyMap<string, number>): Promise<Errors[]> {
    const core = testCore(opened.store, new TestClock(`${today}T15:00:00.000Z`));
    const { ndjson, run, actor } = await pullSample(core, today, today);
    expect(run).toMatchObject({ status: "succeeded" });
    for (const [, closed = ""] of ndjson.matchAll(/"InstallmentClosedDate":"([^"]+)"/g))
      expect(closed <= today).toBe(true);
    const errors: Errors[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const input = { include: "payment_history", limit: 100, cursor };
      const { data, pagination } = await listAgingInstallments.call(actor, input, { core, requestId: randomUUID() });
      for (const { invoice_number, due_date, expected_date, past_expected, paid_installments } of data) {
        expect(expected_date === null).toBe((paid_installments ?? 0) < 3 || past_expected === true);
        if (typeof expected_date !== "string" || due_date === null) continue;
        const paid = settled.get(invoice_number) ?? Number.NaN;
        const due = Math.max(dayOf(due_date), dayOf(today));
        errors.push({ expected: Math.abs(dayOf(expected_date) - paid), due: Math.abs(due - paid) });
      }
      cursor = pagination.next_cursor;
    }
    return errors;
  }

  it("are within a week at the mean, and nearer than due dates on each day [completions.10.expected-real]", async () => {
    const settled = settledDays();
    const pooled: Errors[] = [];
    for (const today of DAYS) {
      const errors = await errorsOn(today, settled);
      expect(errors.length, today).toBeGreaterThan(10);
      expect(mean(errors, "expected"), today).toBeLessThan(mean(errors, "due"));
      pooled.push(...errors);
    }
    process.stdout.write(
      `Expected dates: mean error ${mean(pooled, "expected").toFixed(2)} days of ${pooled.length}, ` +
        `due dates ${mean(pooled, "due").toFixed(2)}.\n`,
    );
    expect(mean(pooled, "expected")).toBeLessThanOrEqual(7);
  });
});
