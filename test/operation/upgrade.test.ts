import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listApiKeys } from "../../auth/api-keys/api-key.ts";
import { listAgingInstallments } from "../../src/core/aging/operations/list-aging-installments.ts";
import { listCustomerAging } from "../../src/core/aging/operations/list-customer-aging.ts";
import { summarizeAging } from "../../src/core/aging/operations/summarize-aging.ts";
import { verifyRollup } from "../../src/core/aging/verify-rollup.ts";
import { listErpConnections } from "../../src/core/erp-connections/operations/list-erp-connections.ts";
import type { ApiKeyActor } from "../../src/core/gate/actor.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { lastSyncedAt } from "../../src/core/invoices/last-synced-queries.ts";
import { listInvoices } from "../../src/core/invoices/operations/list-invoices.ts";
import { searchColumns } from "../../src/core/kernel/text.ts";
import { listPaymentLinks } from "../../src/core/payment-links/operations/list-payment-links.ts";
import { listPayments } from "../../src/core/payments/operations/list-payments.ts";
import { listSyncRuns } from "../../src/core/sync-runs/operations/list-sync-runs.ts";
import { dismissTask } from "../../src/core/tasks/operations/dismiss-task.ts";
import { listTasks } from "../../src/core/tasks/operations/list-tasks.ts";
import { listWorkflowExecutions } from "../../src/core/workflows/operations/list-workflow-executions.ts";
import { findWorkspace } from "../../src/core/workspace/workspaces.ts";
import type { Store } from "../../src/store/store.ts";
import { everyRow, testCore } from "../support/core.ts";
import { call, pageOf } from "../support/lists.ts";
import { OLD_STORES, type OldStore } from "./old-store.ts";

const ACME = "a0000000-0000-4000-8000-000000000001";
const id = (last: string): string => `a0000000-0000-4000-8000-0000000000${last}`;
const actor = (tenantId: string): ApiKeyActor => ({
  kind: "api_key",
  tenantId,
  keyId: id("05"),
  permission: "admin",
  lastUsedAt: null,
});

describe.each(OLD_STORES)("data of the first migrations, opened by today's program, $name", ({ make }) => {
  let old: OldStore;
  let store: Store;
  let core: Core;

  beforeAll(async () => {
    old = await make({ migration: "004-list-indexes", fixture: "book-004.sql" });
    store = await old.open();
    core = testCore(store);
  });
  afterAll(async () => {
    await store?.close();
    await old?.remove();
  });

  const ids = async (operation: Parameters<typeof pageOf>[1], input: object = {}): Promise<string[]> =>
    (await pageOf(core, operation, actor(ACME), input)).data.map((row) => row.id.slice(-2)).sort();

  it("ages to the cent, and the roll-up made of it agrees with the book [contract.operation.upgrade]", async () => {
    const summary = await call(core, summarizeAging, actor(ACME));
    expect(summary).toMatchObject({ report_date: "2026-03-10", timezone: "America/New_York" });
    expect(summary.totals).toEqual([
      expect.objectContaining({ currency: "EUR", outstanding: "50.55", days_31_60: "50.55", overdue: "50.55" }),
      expect.objectContaining({
        currency: "USD",
        outstanding: "300.00",
        current: "100.00",
        days_1_30: "100.00",
        over_90: "100.00",
      }),
    ]);
    const customers = await call(core, listCustomerAging, actor(ACME), { currency: "USD" });
    expect(customers.data).toMatchObject([{ customer_name: "Northwind", invoice_count: 1, installment_count: 3 }]);
    const debts = await call(core, listAgingInstallments, actor(ACME), { search: "northwind" });
    expect(debts.data.map(({ amount }) => amount)).toEqual(["100.00", "100.00", "100.00"]);
    expect(await verifyRollup(core, (await findWorkspace(core, "Old Acme")).id)).toMatchObject({ differences: 0 });
  });

  it("lists everything as it was [contract.operation.upgrade]", async () => {
    expect(await ids(listInvoices)).toEqual(["31", "32", "33", "34"]);
    expect(await ids(listInvoices, { has_active_payment_link: true })).toEqual(["31"]);
    expect(await ids(listInvoices, { collection_status: "paid" })).toEqual(["34"]);
    expect(await ids(listErpConnections)).toEqual(["10"]);
    expect(await ids(listSyncRuns)).toEqual(["11"]);
    expect(await ids(listTasks)).toEqual(["51"]);
    expect(await ids(listPaymentLinks)).toEqual(["61", "62"]);
    expect(await ids(listPayments)).toEqual(["81"]);
    expect(await ids(listWorkflowExecutions)).toEqual(["92"]);
    const keys = await listApiKeys(core, ACME);
    expect(keys.map(({ name }) => name)).toEqual(["Nightly"]);
  });

  it("takes changes, and keeps workspaces apart [contract.operation.upgrade]", async () => {
    await call(core, dismissTask, actor(ACME), { task_id: id("51") });
    const tasks = await pageOf(core, listTasks, actor(ACME), { state: "dismissed" });
    expect(tasks.data).toHaveLength(1);
    const globex = actor("b0000000-0000-4000-8000-000000000001");
    expect((await pageOf(core, listInvoices, globex)).data).toHaveLength(1);
    const summary = await call(core, summarizeAging, globex);
    expect(summary.totals).toMatchObject([{ currency: "USD", outstanding: "999.99" }]);
  });
});

describe.each(OLD_STORES)("invoices that an ERP gave to another customer before, $name", ({ make }) => {
  it("are taken in anew by the next pull, and no others are [contract.operation.upgrade] [service.2.3.customer]", async () => {
    const old = await make({ migration: "011-erp-invoice-ids", fixture: "book-011.sql" });
    const store = await old.open();
    try {
      const rows = await everyRow(store, (tx) =>
        tx.selectFrom("invoices").select(["invoice_number", "content_hash"]).orderBy("invoice_number").execute(),
      );
      expect(rows.map((row) => [row.invoice_number, row.content_hash])).toEqual([
        ["GIVEN", null],
        ["KEPT", "h1"],
        ["MOVED", null],
        ["NOBODY", null],
        ["OWN", "h5"],
      ]);
      // Under the service's own role the walls stand as before.
      const others = await store.read(crypto.randomUUID(), (tx) => sql`select 1 from invoices`.execute(tx));
      expect(others.rows).toEqual([]);
    } finally {
      await store.close();
      await old.remove();
    }
  });
});

describe.each(OLD_STORES)("invoices that runs of before read last, $name", ({ make }) => {
  it("tell when as they did, of those runs that still matter [contract.operation.upgrade] [service.2.3.last-synced]", async () => {
    const old = await make({ migration: "027-emails-cancelled-with-workflow", fixture: "book-027.sql" });
    const store = await old.open();
    try {
      const tenantId = "e0000000-0000-4000-8000-000000000001";
      const invoices = await store.read(tenantId, (tx) =>
        sql<{ id: string; day: string }>`
          select erp_invoice_id as id, to_char(${lastSyncedAt("invoice", sql`invoice.tenant_id`)} at time zone 'UTC', 'MM-DD') as day
          from invoices as invoice where tenant_id = ${tenantId} order by 1`.execute(tx),
      );
      expect(invoices.rows.map(({ id, day }) => [id, day])).toEqual([
        ["100", "03-04"],
        ["110", "03-05"],
        ["130", "03-03"],
        ["140", "03-03"],
        ["160", "03-02"],
        ["165", "03-01"],
        ["170", "03-01"],
      ]);
      const runs = await everyRow(store, (tx) =>
        tx.selectFrom("sync_runs").select(["started_at"]).where("covers", "=", true).orderBy("started_at").execute(),
      );
      expect(runs.map((run) => run.started_at.slice(5, 10))).toEqual(["03-01", "03-02", "03-03", "03-04", "03-05"]);
    } finally {
      await store.close();
      await old.remove();
    }
  });
});

describe.each(OLD_STORES)("invoices whose ERP record names no customer, kept before, $name", ({ make }) => {
  it("have their connection's one for such, in aging too, and those of the service's own have none [contract.operation.upgrade] [service.2.4.no-id]", async () => {
    const old = await make({ migration: "016-workflow-queue-age", fixture: "book-016.sql" });
    const store = await old.open();
    try {
      const rows = await everyRow(store, (tx) =>
        tx
          .selectFrom("invoices as invoice")
          .leftJoin("customers as customer", (join) =>
            join
              .onRef("customer.tenant_id", "=", "invoice.tenant_id")
              .onRef("customer.customer_id", "=", "invoice.customer_id"),
          )
          .select(["invoice.invoice_number", "invoice.content_hash", "customer.erp_customer_id"])
          .orderBy("invoice.invoice_number")
          .execute(),
      );
      expect(rows.map((row) => [row.invoice_number, row.content_hash, row.erp_customer_id])).toEqual([
        ["KEPT", "h1", "501"],
        ["NOBODY-1", null, "none"],
        ["NOBODY-2", null, "none"],
        ["OWN", null, null],
      ]);
      const core = testCore(store);
      const tenantId = "d0000000-0000-4000-8000-000000000001";
      const { data } = await call(core, listCustomerAging, actor(tenantId));
      expect(data.map((row) => [row.customer_name, row.outstanding, row.customer_id === null]).sort()).toEqual([
        ["Northwind", "100.00", false],
        ["Unassigned", "1.00", true],
        ["Unassigned", "30.00", false],
      ]);
      expect(await verifyRollup(core, (await findWorkspace(core, "Old Umbrella")).id)).toMatchObject({
        differences: 0,
      });
    } finally {
      await store.close();
      await old.remove();
    }
  });
});

describe.each(OLD_STORES)("idempotency keys of API keys, kept before, $name", ({ make }) => {
  it("are the workspace's, the newest answer of each, and those of assistants stay theirs [contract.operation.upgrade] [completions.10.idempotency-workspace]", async () => {
    const old = await make({ migration: "016-workflow-queue-age", fixture: "book-016.sql" });
    const store = await old.open();
    try {
      const rows = await everyRow(store, (tx) =>
        tx
          .selectFrom("idempotency_records")
          .select(["caller", "idempotency_key", "operation", "request_hash"])
          .where("caller", "not like", "key:%")
          .execute(),
      );
      expect(
        rows.map((row) => [row.caller, row.idempotency_key, row.operation, row.request_hash].join(" ")).sort(),
      ).toEqual([
        "connection:c one pushHeldPayments h8",
        "workspace one createPaymentLink h2",
        "workspace three createPaymentLink h6",
        "workspace two pushHeldPayments h4",
      ]);
      // Processes of the version before go on with theirs until they are stopped.
      const before = await everyRow(store, (tx) =>
        sql`insert into idempotency_records (tenant_id, caller, operation, idempotency_key, request_hash, response, created_at)
          values ('d0000000-0000-4000-8000-000000000001', 'key:b', 'createPaymentLink', 'one', 'h2', '{}', now())
          on conflict (tenant_id, caller, operation, idempotency_key) do update set response = excluded.response
          returning (xmax <> 0) as was_there`.execute(tx),
      );
      expect(before.rows).toEqual([{ was_there: true }]);
    } finally {
      await store.close();
      await old.remove();
    }
  });
});

describe.each(OLD_STORES)("names that end in a sigma, kept before, $name", ({ make }) => {
  it("are found and ordered like all others [contract.operation.upgrade] [service.4.10.search]", async () => {
    const old = await make({ migration: "011-erp-invoice-ids", fixture: "book-011.sql" });
    const store = await old.open();
    try {
      const of = (table: "customers" | "invoices" | "aging_customers") =>
        everyRow(store, (tx) =>
          tx.selectFrom(table).select(["search_text", "sort_name"]).where("search_text", "<>", "").execute(),
        );
      expect(await of("customers")).toEqual([searchColumns("ΟΔΥΣΣΕΥΣ", "O-1")]);
      expect(await of("invoices")).toEqual([searchColumns("ΟΔΥΣΣΕΥΣ", null)]);
      expect(await of("aging_customers")).toEqual([searchColumns("ΟΔΥΣΣΕΥΣ", null)]);
      // Whoever looks past the walls is the system alone, as before.
      const others = await store.read(crypto.randomUUID(), (tx) => sql`select 1 from customers`.execute(tx));
      expect(others.rows).toEqual([]);
    } finally {
      await store.close();
      await old.remove();
    }
  });
});
