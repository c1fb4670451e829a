import { describe, expect, it } from "vitest";
import { connectionRow, customerRow } from "../../support/book.ts";
import { setRows } from "../../support/stored.ts";
import { storesOf } from "../../support/stores.ts";
import { desks } from "./support.ts";

const OLD = "2026-02-18T06:00:00.000Z";
const NEW = "2026-03-10T06:00:00.000Z";

describe.each(storesOf(import.meta.url))("how old aging is on $name", ({ open }) => {
  const desk = desks(open);

  /** Two ERPs that were read, one that never was, and an invoice made in the service. */
  async function furnish() {
    const { book } = desk();
    const connections = [OLD, NEW, null].map((at) => connectionRow(book.tenantId, { last_successful_sync_at: at }));
    const customers = connections.map(({ connection_id }, place) =>
      customerRow(book.tenantId, connection_id, { name: `Customer ${place}` }),
    );
    await book.insert({ erp_connections: connections, customers });
    const owe = async (place: number, currency: string, due_date: string) => {
      const [customer, connection] = [customers[place], connections[place]];
      if (customer === undefined || connection === undefined) throw new Error("there are three");
      await book.invoice({ customer, connection_id: connection.connection_id, currency }, [{ due_date }]);
    };
    await owe(0, "EUR", "2026-03-01");
    await owe(0, "USD", "2026-03-20");
    await owe(1, "USD", "2026-03-01");
    await owe(1, "USD", "2026-01-01");
    await owe(2, "JPY", "2026-03-01");
    await owe(2, "EUR", "2026-04-01");
    await book.invoice({ origin: "local", currency: "USD", customer_name: "Walk-in", due_date: "2026-03-01" });
    await book.invoice({ origin: "local", currency: "GBP", customer_name: "Walk-in", due_date: "2026-03-01" });
    return { customers, connections };
  }

  it("is told of rows and totals by the ERP among theirs that was read longest ago [completions.10.as-of]", async () => {
    const { customers: made } = await furnish();
    const { summary, customers, installments } = desk();
    const totals = async (filters = {}) => {
      const answers = [await summary(filters), await customers(filters), await installments(filters)];
      const told = answers.map((answer) => answer.totals.map(({ currency, as_of }) => `${currency} ${as_of}`));
      expect(told[1]).toEqual(told[0]);
      expect(told[2]).toEqual(told[0]);
      return told[0];
    };
    // In EUR one of two ERPs was never read to its end: no day can be named.
    expect(await totals()).toEqual(["EUR null", "GBP null", "JPY null", `USD ${OLD}`]);
    const HISTORY = { include: "payment_history" };
    for (const more of [{}, HISTORY]) {
      expect(await totals({ ...more, overdue_only: true })).toEqual([
        `EUR ${OLD}`,
        "GBP null",
        "JPY null",
        `USD ${NEW}`,
      ]);
      expect(await totals({ ...more, bucket: "days_61_90" })).toEqual([`USD ${NEW}`]);
      expect(await totals({ ...more, currency: "USD", due_to: "2026-03-10" })).toEqual([`USD ${NEW}`]);
      expect(await totals({ ...more, search: "customer 0" })).toEqual([`EUR ${OLD}`, `USD ${OLD}`]);
      expect(await totals({ ...more, customer_key: made[1]?.customer_id })).toEqual([`USD ${NEW}`]);
      expect(await totals({ ...more, search: "customer", due_from: "2026-03-11" })).toEqual(["EUR null", `USD ${OLD}`]);
    }
    const rows = (await customers({ currency: "USD", sort: "customer_asc" })).data;
    expect(rows.map((row) => [row.customer_name, row.as_of])).toEqual([
      ["Customer 0", OLD],
      ["Customer 1", NEW],
      ["Walk-in", null],
    ]);
    const debts = (await installments({ currency: "USD" })).data;
    expect(debts.map(({ customer_name, as_of }) => `${customer_name} ${as_of}`).sort()).toEqual([
      `Customer 0 ${OLD}`,
      ...[`Customer 1 ${NEW}`, `Customer 1 ${NEW}`],
      "Walk-in null",
    ]);
  });

  it("moves with each sync, and with it no revision [completions.10.as-of]", async () => {
    const { connections } = await furnish();
    const { book, opened, summary } = desk();
    const before = await summary({ currency: "USD" });
    await setRows(
      opened.store,
      book.tenantId,
      "erp_connections",
      { last_successful_sync_at: "2026-03-10T11:00:00.000Z" },
      { connection_id: connections[0]?.connection_id ?? "" },
    );
    const after = await summary({ currency: "USD" });
    expect(after.totals).toEqual(before.totals.map((total) => ({ ...total, as_of: NEW })));
    expect(after.revision).toBe(before.revision);
  });
});
