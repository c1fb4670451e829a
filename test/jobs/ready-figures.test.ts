import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BUCKETS } from "../../src/core/aging/buckets.ts";
import { readInstallments } from "../../src/core/aging/installment-queries.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { createLocalInvoice } from "../../src/core/invoices/operations/create-local-invoice.ts";
import { listInvoices } from "../../src/core/invoices/operations/list-invoices.ts";
import { erpGateway } from "../../src/gateways/erp/index.ts";
import { readyFigures } from "../../src/jobs/ready-figures.ts";
import { generateBook } from "../../src/simulators/fusion/book.ts";
import { createFusionSimulator, type FusionSimulator } from "../../src/simulators/fusion/index.ts";
import { unexpectedRows } from "../../src/store/statistics.ts";
import { freshRequest } from "../support/acting.ts";
import { insertRows, installmentRow, invoiceRow, openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { connectWorkspace, makeTenant, runPull } from "../support/pulls.ts";
import { blocksOf } from "../support/reads.ts";
import { everyRow, storesOf } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

/** Whether statistics tell of rows in a table, on workers in the part of it that a tenant has there. */
const hasRows = ({ store }: Core): RawBuilder<boolean> =>
  store.isDistributed
    ? sql`(select count(*) filter (where result::float8 > 0) = 1 from run_command_on_shards(
        pg_class.oid::regclass, 'select reltuples from pg_class where oid = ''%s''::regclass'))`
    : sql`reltuples > 0`;

describe.each(storesOf(import.meta.url))("a first pull on $name", ({ open }) => {
  const opened = useStore(open, { isNew: true });
  let erp: FusionSimulator;
  beforeAll(async () => {
    erp = createFusionSimulator(generateBook({ seed: 9, today: "2026-03-10", invoices: 1_500 }));
  });
  afterAll(async () => {
    await erp.close();
  });

  it("leaves aging built and statistics taken, so that the first page costs what later ones do [facts.scale.ready]", async () => {
    const core = testCore(opened.store);
    const tenantId = await makeTenant(core);
    const connectionId = await connectWorkspace(core, tenantId, await erp.listen());
    expect(await runPull(core, tenantId, connectionId, erpGateway)).toMatchObject({ status: "succeeded" });

    const state = await core.store.read(tenantId, (tx) =>
      tx.selectFrom("aging_state").select("as_of").where("tenant_id", "=", tenantId).executeTakeFirst(),
    );
    expect(state).toEqual({ as_of: "2026-03-10" });
    const tables = ["aging_customers", "aging_debts", "customers", "installments", "invoices"];
    const { rows } = await everyRow(core.store, (tx) =>
      sql<{ name: string; hasRows: boolean }>`select relname as name, ${hasRows(core)} as "hasRows" from pg_class
        where relname = any(${tables}::text[]) order by 1`.execute(tx),
    );
    expect(rows).toEqual(tables.map((table) => ({ name: table, hasRows: true })));
    // What workers read is not counted.
    if (core.store.isDistributed) return;

    const query = { tenantId, reportDate: "2026-03-10", buckets: BUCKETS };
    const page = () =>
      blocksOf(core, (on) => on.store.read(tenantId, (tx) => readInstallments(tx, query, { limit: 50, after: null })));
    await page();
    const atOnce = await page();
    await everyRow(core.store, async (tx) => {
      await sql`set local role none`.execute(tx);
      await sql`analyze`.execute(tx);
    });
    expect(atOnce).toBeLessThanOrEqual(2 * (await page()));
  });

  it("of a few hundred beside a book of thousands is planned for as what it is [facts.store.statistics]", async () => {
    const core = testCore(opened.store);
    const { tenantId: larger } = await openBook(core.store);
    const invoices = Array.from({ length: 8_000 }, () => invoiceRow(larger));
    const installments = invoices.map(({ invoice_id: id }) => installmentRow(larger, id, { due_date: "2026-03-01" }));
    await core.store.write(larger, (tx) => insertRows(tx, { invoices, installments }));
    const run = { tenant_id: larger, sync_run_id: core.newId(), moved: invoices.length };
    await readyFigures(core, run, new AbortController().signal);

    const small = createFusionSimulator(generateBook({ seed: 8, today: "2026-03-10", invoices: 500 }));
    try {
      const tenantId = await makeTenant(core);
      await runPull(core, tenantId, await connectWorkspace(core, tenantId, await small.listen()), erpGateway);
      const actor = { kind: "api_key", tenantId, keyId: core.newId(), permission: "readonly" } as const;
      await listInvoices.call(actor, { overdue: true, include_total: true }, freshRequest(core));
      for (const table of ["invoices", "installments", "aging_debts", "invoice_figures"] as const)
        expect(await core.store.read(tenantId, (tx) => unexpectedRows(tx, tenantId, [table])), table).toBe(0);
    } finally {
      await small.close();
    }
  });

  it("is not needed for invoices of the service's own to be in the statistics [facts.store.statistics]", async () => {
    const core = testCore(opened.store);
    const { tenantId } = await openBook(core.store);
    const invoices = Array.from({ length: 300 }, () => invoiceRow(tenantId, { origin: "local" }));
    await core.store.write(tenantId, (tx) => insertRows(tx, { invoices }));
    const unexpected = () => core.store.read(tenantId, (tx) => unexpectedRows(tx, tenantId, ["invoices"]));
    expect(await unexpected()).toBe(300);
    const given = {
      number: "L-1",
      customerName: "Globex",
      currency: "USD",
      amount: "10.00",
      dueDate: "2026-04-01",
    };
    await operate(core, tenantId, createLocalInvoice, given);
    expect(await unexpected()).toBe(0);
  });
});
