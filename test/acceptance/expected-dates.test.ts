import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listAgingInstallments } from "../../src/core/aging/operations/list-aging-installments.ts";
import type { Actor } from "../../src/core/gate/actor.ts";
import { erpGateway } from "../../src/gateways/erp/index.ts";
import { createFusionSimulator } from "../../src/simulators/fusion/index.ts";
import { parseNdjson } from "../../src/simulators/fusion/ndjson.ts";
import { TestClock, testCore } from "../support/core.ts";
import { connectWorkspace, makeTenant, runPull } from "../support/pulls.ts";
import type { TestStore } from "../support/stores.ts";
import { A_STORE } from "../support/thorough.ts";

/** A public receivables sample that is not part of the project: beside the repository, or where the variable says. */
const NAME = "accounts-receivable-2466.csv";
const FILE = process.env.RECEIVABLES_SAMPLE ?? resolve(import.meta.dirname, "../../../shared/data", NAME);

/** Ten days in the file, each taken for today; the converter tells the ERP of nothing later. */
const DAYS = [
  ...["2012-09-30", "2012-11-15", "2012-12-31", "2013-02-15", "2013-03-31"],
  ...["2013-05-15", "2013-06-30", "2013-08-15", "2013-09-30", "2013-10-31"],
];

const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;

/** Month/day/year, as the file writes it. */
function fileDay(text: string): number {
  const [month = "", day = "", year = ""] = text.split("/");
  return dayOf(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`);
}

/** When each invoice of the file was paid in the end. */
function settledDays(csv: string): ReadonlyMap<string, number> {
  const lines = csv.split(/\r?\n/).slice(1);
  return new Map(
    lines
      .filter((line) => line !== "")
      .map((line) => {
        const [, , , number = "", , , , , settled = ""] = line.split(",");
        return [number, fileDay(settled)];
      }),
  );
}

/** Absolute errors, in days, of the two ways to say when an installment will be paid. */
interface Errors {
  readonly expected: number;
  readonly due: number;
}

const mean = (errors: readonly Errors[], way: keyof Errors): number =>
  errors.reduce((sum, error) => sum + error[way], 0) / errors.length;

describe.skipIf(!existsSync(FILE)).each(A_STORE)(`expected dates in ${NAME} on $name`, ({ open }) => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.remove());

  /** The errors of every installment with an expected date, as of a day. */
  async function errorsOn(today: string, settled: ReadonlyMap<string, number>): Promise<Errors[]> {
    const core = testCore(opened.store, new TestClock(`${today}T15:00:00.000Z`));
    const converter = join(dirname(FILE), "to-fusion.mjs");
    const ndjson = execFileSync(process.execPath, [converter, FILE, "--as-of", today, "--today", today], {
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    for (const [, closed = ""] of ndjson.matchAll(/"InstallmentClosedDate":"([^"]+)"/g))
      expect(closed <= today).toBe(true);
    const erp = createFusionSimulator(parseNdjson(ndjson));
    try {
      const tenantId = await makeTenant(core);
      const connectionId = await connectWorkspace(core, tenantId, await erp.listen());
      expect(await runPull(core, tenantId, connectionId, erpGateway)).toMatchObject({ status: "succeeded" });
      const actor: Actor = { kind: "api_key", tenantId, keyId: randomUUID(), permission: "readonly" };
      const errors: Errors[] = [];
      let cursor: string | undefined;
      do {
        const input = { include: "payment_history", limit: 100, cursor };
        const { data, pagination } = await listAgingInstallments.call(actor, input, { core, requestId: randomUUID() });
        for (const { invoice_number, due_date, expected_date, past_expected, paid_installments } of data) {
          expect(expected_date === null).toBe((paid_installments ?? 0) < 3 || past_expected === true);
          if (typeof expected_date !== "string" || due_date === null) continue;
          const paid = settled.get(invoice_number) ?? Number.NaN;
          const due = Math.max(dayOf(due_date), dayOf(today));
          errors.push({ expected: Math.abs(dayOf(expected_date) - paid), due: Math.abs(due - paid) });
        }
        cursor = pagination.next_cursor ?? undefined;
      } while (cursor !== undefined);
      return errors;
    } finally {
      await erp.close();
    }
  }

  it("are within a week at the mean, and nearer than due dates on each day [completions.10.expected-real]", async () => {
    const settled = settledDays(readFileSync(FILE, "utf8"));
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
