import { beforeEach, describe, expect, it } from "vitest";
import { setErp } from "../../src/core/erp-connections/operations/set-erp.ts";
import { openTask } from "../../src/core/tasks/open-task.ts";
import type { ConnectGateway } from "../../src/jobs/pull-invoices.ts";
import { alderAccount, erpItem, quickConnect, usePullWorld } from "../support/pulls.ts";
import { rowsOf } from "../support/stored.ts";
import { STORES } from "../support/stores.ts";

const FIRST = 300100180000000000n;

/** Invoices 0 to 9 of a small book, the older the higher the number. */
const item = (index: number, balanceMinor = 100_00n) =>
  erpItem({
    id: FIRST + BigInt(index) * 100n,
    number: `INV-${index}`,
    date: `2026-01-${String(20 - index).padStart(2, "0")}`,
    parts: [{ balanceMinor }],
  });
const idOf = (index: number): string => String(FIRST + BigInt(index) * 100n);
const dataset = {
  invoices: Array.from({ length: 10 }, (_, index) => item(index)),
  accounts: [alderAccount("ap@alder.example")],
};

/** A connector whose pages leave invoices out, though the ERP has them. */
const leavingOut =
  (...hidden: number[]): ConnectGateway =>
  (provider, settings) => {
    const gateway = quickConnect(provider, settings);
    const ids = new Set(hidden.map(idOf));
    return {
      ...gateway,
      async *readInvoicePages(options) {
        for await (const page of gateway.readInvoicePages(options)) {
          yield { ...page, invoices: page.invoices.filter((invoice) => !ids.has(invoice.erpInvoiceId)) };
        }
      },
    };
  };

describe.each(STORES)("retirement on $name", ({ open }) => {
  const world = usePullWorld(open, dataset);
  const { core, clock, erp, pull, act } = world;
  beforeEach(async () => void (await pull()));
  const row = async (index: number) => {
    const found = (await world.book()).get(idOf(index));
    if (found === undefined) throw new Error(`invoice ${index} is not there`);
    return found;
  };
  const retired = async (): Promise<string[]> =>
    [...(await world.book()).values()]
      .filter((invoice) => invoice.retired_at !== null)
      .map((invoice) => invoice.invoice_number ?? "")
      .sort();

  async function taskPerInvoice(indexes: number[]): Promise<(string | null)[]> {
    const rows = await world.book();
    return core.store.write(world.tenantId, async (tx) => {
      const tasks: (string | null)[] = [];
      for (const index of indexes) {
        const invoiceId = rows.get(idOf(index))?.invoice_id ?? "";
        tasks.push(await openTask(tx, core, { tenantId: world.tenantId, invoiceId, assigneeId: null }));
      }
      return tasks;
    });
  }

  async function taskStates(): Promise<Map<string | null, string>> {
    const rows = await rowsOf(core.store, world.tenantId, "tasks");
    return new Map(rows.map((row) => [row.task_id, row.state]));
  }

  it("retires what a complete pull no longer finds: first, middle and last [service.3.2.retired]", async () => {
    clock.advance(60_000);
    await pull();
    clock.advance(60_000);
    erp.removeInvoices(idOf(0), idOf(4), idOf(9));
    expect(await pull()).toMatchObject({ status: "succeeded", invoices_retired: 3, invoices_updated: 0 });
    expect(await retired()).toEqual(["INV-0", "INV-4", "INV-9"]);
    const gone = await row(4);
    expect(gone).toMatchObject({
      collection_status: "inactive",
      collection_due_date: null,
      collection_outstanding: "100",
      erp_invoice_open_balance: "100",
      updated_at: "2026-03-10T15:02:00.000Z",
      last_synced_at: "2026-03-10T15:01:00.000Z",
    });
    expect(gone.installments[0]?.not_collectible_reason).toBe("retired");
    expect(await row(3)).toMatchObject({ collection_status: "open", updated_at: "2026-03-10T15:00:00.000Z" });
  });

  it("resumes collection when a later pull finds the invoice again [service.3.2.resumed]", async () => {
    erp.removeInvoices(idOf(4));
    await pull();
    const gone = await row(4);
    erp.putInvoices(item(4));
    clock.advance(60_000);
    expect(await pull()).toMatchObject({ invoices_created: 0, invoices_updated: 1, invoices_retired: 0 });
    expect(await row(4)).toMatchObject({
      invoice_id: gone.invoice_id,
      retired_at: null,
      missing_since: null,
      collection_status: "open",
      last_synced_at: "2026-03-10T15:01:00.000Z",
    });
  });

  it("does not believe pages that leave out what the ERP has [completions.7.confirmed]", async () => {
    erp.putInvoices(item(4, 60_00n));
    erp.removeInvoices(idOf(5));
    const run = await pull(leavingOut(0, 4, 9));
    expect(run).toMatchObject({ status: "succeeded", invoices_retired: 1, invoices_updated: 1 });
    expect(await retired()).toEqual(["INV-5"]);
    expect(await row(4)).toMatchObject({ collection_outstanding: "60", missing_since: null });
    expect(await row(0)).toMatchObject({ missing_since: null });
  });

  it("retires nothing when the pull fails, however late [completions.7.failed-retires-nothing]", async () => {
    erp.removeInvoices(idOf(0), idOf(4));
    const failing: ConnectGateway = (provider, settings) => ({
      ...quickConnect(provider, settings),
      async *findInvoices() {
        erp.control({ mode: "500" });
        yield* quickConnect(provider, settings).findInvoices([idOf(0)], { signal: new AbortController().signal });
      },
    });
    expect(await pull(failing)).toMatchObject({ status: "failed", invoices_retired: 0 });
    expect(await retired()).toEqual([]);
    expect((await row(4)).collection_status).toBe("open");
    erp.control({ mode: "ok" });
    expect(await pull()).toMatchObject({ status: "succeeded", invoices_retired: 2 });
  });

  it("keeps the time of the last read of what a failed pull did not meet [service.2.3.last-synced]", async () => {
    erp.removeInvoices(idOf(4));
    clock.advance(60_000);
    erp.control({ mode: "500", after: 1 });
    await pull();
    expect(await row(4)).toMatchObject({ retired_at: null });
    erp.control({ mode: "ok" });
    erp.putInvoices(item(4));
    clock.advance(60_000);
    expect(await pull()).toMatchObject({ status: "succeeded", invoices_retired: 0, invoices_updated: 0 });
    expect(await row(4)).toMatchObject({ missing_since: null, updated_at: "2026-03-10T15:00:00.000Z" });
  });

  it("never retires what its window leaves out [service.2.2.pull-from]", async () => {
    const { connectionId } = world;
    await act(setErp, { connectionId, pullFrom: "2026-01-16" });
    // The window's first day belongs to it.
    expect((await row(4)).invoice_date).toBe("2026-01-16");
    erp.removeInvoices(idOf(2), idOf(4), idOf(7));
    expect(await pull()).toMatchObject({ status: "succeeded", invoices_read: 3, invoices_retired: 2 });
    expect(await retired()).toEqual(["INV-2", "INV-4"]);
    await act(setErp, { connectionId, pullFrom: null });
    expect(await pull()).toMatchObject({ invoices_read: 7, invoices_retired: 1 });
    expect(await retired()).toEqual(["INV-2", "INV-4", "INV-7"]);
  });

  it("keeps what the ERP moved out of the window meanwhile [completions.7.confirmed]", async () => {
    await act(setErp, { connectionId: world.connectionId, pullFrom: "2026-01-16" });
    erp.putInvoices({ ...item(1), TransactionDate: "2025-12-31" });
    expect(await pull()).toMatchObject({ status: "succeeded", invoices_retired: 0, invoices_updated: 1 });
    expect(await row(1)).toMatchObject({ invoice_date: "2025-12-31", retired_at: null, missing_since: null });
  });

  it("empties the book when the ERP says it is empty", async () => {
    erp.removeInvoices(...Array.from({ length: 10 }, (_, index) => idOf(index)));
    expect(await pull()).toMatchObject({ status: "succeeded", invoices_read: 0, invoices_retired: 10 });
    expect(await pull()).toMatchObject({ status: "succeeded", invoices_retired: 0 });
  });

  it("ends the tasks of what is retired or no longer owed in the ERP [service.3.4.not-needed]", async () => {
    const tasks = await taskPerInvoice([2, 3, 4]);
    erp.removeInvoices(idOf(2));
    erp.putInvoices(item(3, 0n));
    await pull();
    const states = await taskStates();
    expect(tasks.map((task) => states.get(task))).toEqual(["not_needed", "not_needed", "open"]);
  });

  it("opens another task for an invoice that came back, one at most [completions.9.task-again]", async () => {
    const [first] = await taskPerInvoice([2]);
    erp.removeInvoices(idOf(2));
    await pull();
    erp.putInvoices(item(2));
    await pull();
    const [second] = await taskPerInvoice([2]);
    const [third] = await taskPerInvoice([2]);
    expect(third).toBeNull();
    const states = await taskStates();
    expect([states.get(first ?? null), states.get(second ?? null)]).toEqual(["not_needed", "open"]);
  });
});
