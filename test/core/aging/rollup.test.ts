import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { advanceRollups } from "../../../src/core/aging/advance-rollups.ts";
import { agingWorkspace } from "../../../src/core/aging/report-envelope-queries.ts";
import { addDays } from "../../../src/core/kernel/calendar.ts";
import { touchInvoices } from "../../../src/store/aging/rollup.ts";
import { ROLLUP_VERSION } from "../../../src/store/aging/rollup-version.ts";
import { verifyAging } from "../../../src/store/aging/verify.ts";
import { terminalOn } from "../../admin/support.ts";
import { insertRows, installmentRow, invoiceRow } from "../../support/book.ts";
import { testCore } from "../../support/core.ts";
import { makeTenant } from "../../support/pulls.ts";
import { everyRow, STORES } from "../../support/stores.ts";
import { type Desk, desks } from "./support.ts";

const DAY_MS = 86_400_000;

function verify({ book, opened }: Desk) {
  return opened.store.read(book.tenantId, (tx) => verifyAging(tx, book.tenantId));
}

/** A book with debts on every day from `past` days ago on, of a customer, and of an invoice's own. */
async function fill({ book }: Desk, past: number): Promise<void> {
  const customer = await book.customer();
  for (const currency of ["EUR", "USD"]) {
    const days = Array.from({ length: past }, (_, index) => ({ due_date: addDays("2026-03-12", -index) }));
    await book.invoice({ customer, currency }, days);
  }
  const paid = Array.from({ length: past }, (_, index) => ({
    ...{ erp_outstanding: "0", closed: true, due_date: "2024-05-01" },
    closed_on: addDays("2024-05-20", -index * 3),
  }));
  await book.invoice({ customer, retired_at: "2026-03-01T00:00:00.000Z" }, paid);
  await book.invoice({ due_date: "2026-03-09", collection_outstanding: "5", customer_name: "Nobody's" });
}

describe.each(STORES)("the roll-up of aging on $name", ({ open }) => {
  const desk = desks(open);

  it("is built by the first report, from whatever is there [facts.store.rollup-built]", async () => {
    await fill(desk(), 5);
    expect(await verify(desk())).toMatchObject({ as_of: null, debts: 0 });
    expect((await desk().summary()).totals.map((total) => total.outstanding)).toEqual(["500.00", "505.00"]);
    expect(await verify(desk())).toEqual({
      as_of: "2026-03-10",
      ...{ debts: 11, customers: 3, currencies: 2, differences: 0 },
    });
  });

  it("moves to another day by what crosses an edge, as if it were built on it [facts.store.rollup-advance]", async () => {
    const { book, clock, opened, summary } = desk();
    await fill(desk(), 100);
    await summary();
    for (const days of [1, 1, -2, 29, 40, -70, 365]) {
      clock.advance(days * DAY_MS);
      const moved = await summary();
      expect(await verify(desk())).toMatchObject({ as_of: moved.report_date, debts: 201, differences: 0 });
    }
    // The same with the workspace's own midnight.
    await opened.store.write(book.tenantId, (tx) =>
      sql`update tenants set timezone = 'Pacific/Kiritimati' where tenant_id = ${book.tenantId}`.execute(tx),
    );
    const { report_date } = await summary();
    expect(await verify(desk())).toMatchObject({ as_of: report_date, differences: 0 });
  });

  it("is there before the first report of a day where jobs run [facts.store.rollup-advance]", async () => {
    const { book, clock, opened } = desk();
    const core = testCore(opened.store, clock);
    const go = new AbortController().signal;
    await advanceRollups(core, go);
    expect(await verify(desk())).toMatchObject({ as_of: null });
    await fill(desk(), 20);
    await advanceRollups(core, go);
    await fill(desk(), 20);
    expect(await verify(desk())).toMatchObject({ as_of: "2026-03-10", debts: 82, differences: 0 });
    clock.advance(DAY_MS);
    expect(await advanceRollups(core, go)).toBeGreaterThan(0);
    expect(await verify(desk())).toMatchObject({ as_of: "2026-03-11", debts: 82, differences: 0 });
    expect(await advanceRollups(core, go)).toBe(0);
    await opened.store.read(book.tenantId, async (tx) => {
      const { as_of: asOf } = await agingWorkspace(tx, book.tenantId);
      expect(asOf).toBe("2026-03-11");
    });
  });

  it("is there in other workspaces where one cannot be brought to its day [facts.store.rollup-advance]", async () => {
    const { clock, opened } = desk();
    const core = testCore(opened.store, clock);
    const go = new AbortController().signal;
    await fill(desk(), 3);
    await advanceRollups(core, go);
    const lost = await makeTenant(core, "Nowhere/Nothing");
    await opened.store.write(lost, (tx) =>
      sql`insert into aging_state (tenant_id, as_of, version) values (${lost}, '2026-03-09', ${ROLLUP_VERSION})`.execute(
        tx,
      ),
    );
    clock.advance(DAY_MS);
    await advanceRollups(core, go);
    expect(await verify(desk())).toMatchObject({ as_of: "2026-03-11", differences: 0 });
    await everyRow(opened.store, (tx) => tx.deleteFrom("aging_state").where("tenant_id", "=", lost).execute());
    await everyRow(opened.store, (tx) => tx.deleteFrom("tenants").where("tenant_id", "=", lost).execute());
  });

  it("is verified and made anew at the terminal; what a writer kept from it shows [facts.store.rollup-verify]", async () => {
    const { book, clock, opened, summary } = desk();
    await fill(desk(), 3);
    await summary();
    const admin = terminalOn(testCore(opened.store, clock));
    const line = (verb: string) => admin(`aging ${verb} --workspace ${book.tenantId} --json`);
    expect(await line("verify")).toMatchObject({ code: 0, err: "" });

    await opened.store.write(book.tenantId, async (tx) => {
      await sql`update installments set collection_outstanding = 7 where tenant_id = ${book.tenantId}
        and due_date = '2026-03-11'`.execute(tx);
    });
    const wrong = await line("verify");
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining("aging rebuild") });
    // Two debts, the customer's two currencies, both totals and both days: each there twice, as it is and as it should be.
    expect(JSON.parse(wrong.out)).toMatchObject({ differences: 16 });
    expect(await line("rebuild")).toMatchObject({ code: 0, err: "" });
    expect(await verify(desk())).toMatchObject({ differences: 0 });
    expect((await summary({ currency: "EUR" })).totals).toMatchObject([{ outstanding: "207.00" }]);
  });

  it("ranks amounts exactly, however many digits they have [service.4.10.sort]", async () => {
    const { book, customers } = desk();
    const amounts = [
      "90071992547409930.02",
      "90071992547409930.01",
      "90071992547409929",
      "1000",
      "999.99",
      "0.5",
      "0.05",
    ];
    for (const amount of amounts.toReversed()) {
      const customer = await book.customer();
      await book.invoice({ customer }, [{ erp_outstanding: amount, due_date: "2026-01-31" }]);
    }
    for (const filter of [{}, { sort: "outstanding_desc" }, { overdue_only: true }, { bucket: "days_31_60" }]) {
      const first = await customers({ ...filter, limit: 3 });
      const { data } = await customers({ ...filter, limit: 3, cursor: first.pagination.next_cursor });
      expect([...first.data, ...data].map((row) => Number(row.outstanding))).toEqual(amounts.slice(0, 6).map(Number));
      expect(first.data.map((row) => row.outstanding)).toEqual([...amounts.slice(0, 2), `${amounts[2]}.00`]);
    }
  });

  it("stays exact under writers and readers of several days at once [facts.store.rollup-concurrency]", async () => {
    const { book, opened, summary } = desk();
    const { tenantId, connectionId } = book;
    const customers = await Promise.all([book.customer(), book.customer({ name: "Initech" })]);
    await summary();
    const writer = async (own: number): Promise<void> => {
      for (let round = 0; round < 8; round += 1) {
        const customer = customers[(own + round) % 2];
        const invoice = invoiceRow(tenantId, {
          connection_id: connectionId,
          customer_id: customer?.customer_id ?? null,
          has_installments: true,
        });
        const parts = ["2026-03-09", "2026-03-10", "2026-02-08"].map((due_date) =>
          installmentRow(tenantId, invoice.invoice_id, { due_date, sequence_number: own }),
        );
        await opened.store.write(tenantId, (tx) => insertRows(tx, { invoices: [invoice], installments: parts }));
        await opened.store.write(tenantId, async (tx) => {
          await sql`update installments set collection_outstanding = collection_outstanding - ${round}
            where tenant_id = ${tenantId} and invoice_id = ${invoice.invoice_id}`.execute(tx);
          touchInvoices(tx, [invoice.invoice_id]);
        });
      }
    };
    const reader = async (): Promise<void> => {
      for (let round = 0; round < 6; round += 1) {
        desk().clock.advance(round % 2 === 0 ? DAY_MS : -DAY_MS);
        const { report_date, totals } = await summary();
        for (const total of totals) expect(Number(total.outstanding) % 1, report_date).toBe(0);
      }
    };
    await Promise.all([writer(1), writer(2), writer(3), reader()]);
    expect(await verify(desk())).toMatchObject({ debts: 72, differences: 0 });
    const paid = 3 * 3 * (0 + 1 + 2 + 3 + 4 + 5 + 6 + 7);
    expect((await summary()).totals).toMatchObject([{ outstanding: `${7200 - paid}.00` }]);
  });
});
