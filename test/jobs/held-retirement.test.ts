import { describe, expect, it } from "vitest";
import { listAttention, summarizeAttention } from "../../src/core/attention/list-attention.ts";
import { readAuditTrail } from "../../src/core/audit-trail/read-audit-trail.ts";
import { setErp } from "../../src/core/erp-connections/operations/set-erp.ts";
import { listErpStates } from "../../src/core/erp-connections/operator-connection.ts";
import { confirmRetirement } from "../../src/core/sync-runs/operations/confirm-retirement.ts";
import { insertLinks } from "../support/emailed-links.ts";
import { linkRow } from "../support/furnish.ts";
import { alderAccount, erpItem } from "../support/pulls.ts";
import { usePushWorld } from "../support/pushes.ts";
import { rowsOf } from "../support/stored.ts";
import { storesOf } from "../support/stores.ts";

const FIRST = 300100180000000000n;
const idOf = (index: number): string => String(FIRST + BigInt(index) * 100n);
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

/** Invoices 0 to 49 of Vision East, 50 to 79 of Vision West; the last two of them are paid, and every fifth is in EUR. */
const item = (index: number, balanceMinor = index >= 78 ? 0n : 100_00n) =>
  erpItem(
    {
      id: FIRST + BigInt(index) * 100n,
      number: `INV-${index}`,
      currency: index % 5 === 0 ? "EUR" : "USD",
      date: `2026-01-${String(1 + (index % 20)).padStart(2, "0")}`,
      parts: [{ balanceMinor }],
    },
    index < 50 ? "Vision East" : "Vision West",
  );
const dataset = {
  invoices: range(0, 80).map((index) => item(index)),
  accounts: [alderAccount("ap@alder.example")],
};
const WEST = range(50, 80);
const HIDDEN =
  "The ERP no longer shows 30 invoices, 28 of the 78 that still owe (Vision West: 30 invoices, 2200.00 USD, 600.00 EUR). None was retired: an admin confirms that they are gone, or has the ERP show them again.";

describe.each(storesOf(import.meta.url))("a pull that would retire too much, on $name", ({ open }) => {
  const world = usePushWorld(open, dataset);
  const { core, clock, erp, pay, push, payment, act } = world;
  const hide = (indexes: readonly number[]) => erp.removeInvoices(...indexes.map(idOf));
  const show = (indexes: readonly number[]) => erp.putInvoices(...indexes.map((index) => item(index)));
  const pull = () => {
    clock.advance(60_000);
    return world.pull();
  };
  const retired = async (): Promise<number> =>
    [...(await world.book()).values()].filter((invoice) => invoice.retired_at !== null).length;
  const held = async () => (await act(listErpStates, {})).flatMap(({ held }) => held ?? [])[0];
  const confirm = (syncRunId: string) => {
    const { connectionId } = world;
    return act(confirmRetirement, { connection_id: connectionId, sync_run_id: syncRunId });
  };
  const attention = () => act(listAttention, {});

  it("retires nothing, delivers the rest, and says what is missing [completions.12.brake]", async () => {
    const { tenantId } = world;
    const [debt] = (await world.book()).get(idOf(51))?.installments ?? [];
    if (debt === undefined) throw new Error("the invoice is not there");
    await core.store.write(tenantId, async (tx) => {
      const integration = await tx.selectFrom("payment_integrations").selectAll().executeTakeFirstOrThrow();
      await insertLinks(tx, [linkRow(debt, integration.payment_integration_id)]);
    });
    hide(WEST);
    erp.putInvoices(item(3, 40_00n));
    expect(await pull()).toMatchObject({
      ...{ status: "failed", invoices_updated: 1, invoices_retired: 0 },
      error: { code: "erp_rejected", message: HIDDEN },
    });
    expect(await retired()).toBe(0);
    const book = await world.book();
    expect(book.get(idOf(3))?.collection_outstanding).toBe("40");
    expect(book.get(idOf(51))).toMatchObject({ collection_status: "open", retired_at: null });
    expect(await world.connection()).toMatchObject({ status: "connected", unreachable_runs: 0 });

    const since = clock.now().toISOString();
    expect(await pull()).toMatchObject({ status: "failed", error: { message: HIDDEN } });
    const entries = await attention();
    expect(entries).toMatchObject([{ id: null, kind: "retirement_held", since, detail: HIDDEN, amount: null }]);
    const { oldest, counts } = await act(summarizeAttention, { most: 5 });
    expect([oldest, [...counts]]).toEqual([entries, [["retirement_held", 1]]]);

    show(WEST);
    expect(await pull()).toMatchObject({ status: "succeeded", invoices_retired: 0 });
    expect(await attention()).toEqual([]);
    const links = await rowsOf(core.store, tenantId, "payment_links");
    expect(links).toMatchObject([{ state: "active" }]);
  });

  it("retires what was confirmed and is still missing, and nothing that was not shown [completions.12.brake-confirmed]", async () => {
    hide(WEST);
    await pull();
    const shown = (await held())?.sync_run_id ?? "";
    expect(await confirm(shown)).toEqual({ sync_run_id: shown, invoices: 30 });
    expect(await attention()).toEqual([]);
    await expect(confirm(shown)).rejects.toMatchObject({ code: "conflict" });
    show([50, 51]);
    hide(range(0, 16));
    expect(await pull()).toMatchObject({ status: "failed", invoices_retired: 0 });
    expect(await retired()).toBe(0);
    expect(await attention()).toHaveLength(1);

    show([0]);
    expect(await pull()).toMatchObject({ status: "succeeded", invoices_retired: 28 + 15 });
    expect(await attention()).toEqual([]);
    const { entries } = await act(readAuditTrail, { operation: "confirmRetirement" });
    expect(entries).toMatchObject([{ actorKind: "operator", objectId: shown, details: [["invoices", "30"]] }]);
  });

  it("takes a confirmation only for the pull that is held now [completions.12.brake-confirmed]", async () => {
    hide(WEST);
    await pull();
    const before = (await held())?.sync_run_id ?? "";
    hide(range(0, 20));
    await pull();
    await expect(confirm(before)).rejects.toMatchObject({ code: "conflict" });
    await confirm((await held())?.sync_run_id ?? "");
    expect(await pull()).toMatchObject({ status: "succeeded", invoices_retired: 50 });
  });

  it("asks again for what was back and is missing once more [completions.12.brake-confirmed]", async () => {
    hide(WEST);
    await pull();
    await confirm((await held())?.sync_run_id ?? "");
    show(WEST);
    expect(await pull()).toMatchObject({ status: "succeeded", invoices_retired: 0 });
    hide(WEST);
    expect(await pull()).toMatchObject({ status: "failed", error: { message: HIDDEN } });
  });

  it("counts only invoices that owe: ten, or a fifth, are retired at once [completions.12.brake]", async () => {
    hide([78, 79, ...range(0, 15)]);
    expect(await pull()).toMatchObject({ status: "succeeded", invoices_retired: 17 });
    erp.removeInvoices(...range(15, 27).map(idOf));
    expect(await pull()).toMatchObject({ status: "succeeded", invoices_retired: 12 });
    erp.removeInvoices(...range(27, 38).map(idOf));
    expect(await pull()).toMatchObject({ status: "failed", invoices_retired: 0 });
    show([27]);
    expect(await pull()).toMatchObject({ status: "succeeded", invoices_retired: 10 });
  });

  it("has receipts of missing invoices wait, however long, until these are shown again [completions.12.not-on-top] [completions.12.brake]", async () => {
    const [entered, open] = [await pay("INV-51", "100"), await pay("INV-52", "100")];
    erp.enterReceipt({ invoice: "INV-51", installment: 1, amount: "100", number: "CHK-1" });
    hide(range(50, 79));
    const waits = {
      ...{ erp_push_status: "failed", push_retryable: true, erp_receipt_id: null },
      erp_push_error: { code: "invoice_not_shown" },
    };
    for (const hours of [0, 13, 13, 13]) {
      clock.advance(hours * 3_600_000);
      await push();
      expect([await payment(entered), await payment(open)]).toMatchObject([waits, waits]);
      expect(await pull()).toMatchObject({ status: "failed" });
    }
    const late = (await attention()).find(({ payment_id }) => payment_id === open);
    expect(late).toMatchObject({ kind: "receipt_late" });
    expect(late?.advice.say).toContain("is shown the invoice in the ERP. The push then goes on by itself.");

    erp.putInvoices(item(51, 0n), ...range(52, 80).map((index) => item(index)));
    clock.advance(15 * 60_000);
    await push();
    expect(await payment(entered)).toMatchObject({
      ...{ erp_push_status: "failed", push_retryable: false },
      erp_push_error: { code: "balance_fell" },
    });
    expect((await payment(open)).erp_push_status).toBe("applied");
    expect(erp.receipts.map((one) => one.receiptNumber)).toEqual(["CHK-1", expect.stringMatching(/^PAY-/)]);
  });

  it("asks for what could not be read when others were confirmed, and is missing since [completions.12.brake-confirmed]", async () => {
    const garbled = range(0, 16).map((index) => ({ ...item(index), EnteredAmount: "1,000.50" }));
    erp.putInvoices(...garbled);
    hide(WEST);
    expect(await pull()).toMatchObject({ status: "failed", error: { message: HIDDEN }, invoices_set_aside: 16 });
    await confirm((await held())?.sync_run_id ?? "");
    hide(range(0, 16));
    expect(await pull()).toMatchObject({ status: "failed", invoices_retired: 0 });
    await confirm((await held())?.sync_run_id ?? "");
    expect(await pull()).toMatchObject({ status: "succeeded", invoices_retired: 46 });
  });

  it("judges by what the pull reads, and confirms no more than that [completions.12.brake-confirmed]", async () => {
    const { connectionId } = world;
    hide(WEST);
    await pull();
    await act(setErp, { connectionId, pullFrom: "2026-01-11" });
    // Invoices 60 to 69 are dated before.
    expect(await pull()).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("18 of the 38") },
    });
    await confirm((await held())?.sync_run_id ?? "");
    await act(setErp, { connectionId, pullFrom: null });
    hide(range(0, 6));
    expect(await pull()).toMatchObject({ status: "failed", invoices_retired: 0 });
    show([0]);
    expect(await pull()).toMatchObject({ status: "succeeded", invoices_retired: 35 });
  });
});
