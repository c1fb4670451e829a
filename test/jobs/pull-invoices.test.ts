import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { setCustomerEmail } from "../../src/core/customers/operations/set-customer-email.ts";
import { setErp } from "../../src/core/erp-connections/operations/set-erp.ts";
import { lastSyncedAt } from "../../src/core/invoices/last-synced-queries.ts";
import { money } from "../../src/core/kernel/money.ts";
import { generateBook } from "../../src/simulators/fusion/book.ts";
import { recordConfirmedPayment } from "../support/confirmed-payment.ts";
import { ALDER, erpItem, usePullWorld } from "../support/pulls.ts";
import { setPaymentPushStatus } from "../support/push-status.ts";
import { expectExactRollup } from "../support/rollup.ts";
import { storesOf } from "../support/stores.ts";

const made = generateBook({ seed: 7, today: "2026-03-10", invoices: 130 });
const ID = 300100180999999900n;

/** One plain invoice in two installments; ids beyond what a float can hold. */
const plan = (over: Parameters<typeof erpItem>[0] = {}) => {
  const parts = [{ dueDate: "2026-03-03" }, { dueDate: "2026-04-02", amountMinor: 50_00n, balanceMinor: 50_00n }];
  return erpItem({ id: ID, number: "INV-X", date: "2026-02-01", terms: "2 x 30", parts, ...over });
};

describe.each(storesOf(import.meta.url))("a pull on $name", ({ open }) => {
  const world = usePullWorld(open, made);
  const { core, clock, erp, pull, act } = world;
  /** The plain invoice. */
  const plain = async () => {
    const found = (await world.book()).get(String(ID));
    if (found === undefined) throw new Error("it is not there");
    return found;
  };

  /** Where each row of the tenant's books stands on disk: a write moves it, or its transaction id. */
  async function places(): Promise<unknown[]> {
    const of = async (table: string, id: string) => {
      const { rows } = await core.store.read(world.tenantId, (tx) =>
        sql`select ${sql.ref(id)} as id, xmin::text, ctid::text from ${sql.table(table)}
          where tenant_id = ${world.tenantId} order by 1`.execute(tx),
      );
      return rows;
    };
    return [
      ...(await of("invoices", "invoice_id")),
      ...(await of("installments", "installment_id")),
      ...(await of("customers", "customer_id")),
    ];
  }

  async function readAt(erpInvoiceId: bigint | string): Promise<string | null> {
    const { rows } = await core.store.read(world.tenantId, (tx) =>
      sql<{ at: string | null }>`select ${lastSyncedAt("invoice", world.tenantId)} as at from invoices as invoice
        where invoice.tenant_id = ${world.tenantId} and invoice.erp_invoice_id = ${String(erpInvoiceId)}`.execute(tx),
    );
    return rows[0]?.at ?? null;
  }

  it("brings in every invoice with its installments, to the digit [completions.7.pull] [facts.fusion.ids]", async () => {
    const run = await pull();
    expect(run).toMatchObject({
      status: "succeeded",
      trigger: "manual",
      invoices_read: 130,
      invoices_created: 130,
      invoices_updated: 0,
      invoices_retired: 0,
      error: null,
    });
    const book = await world.book();
    expect(book.size).toBe(130);
    expect([...book.keys()].every((id) => /^3001001800000\d{5}$/.test(id))).toBe(true);
    const split = book.get(made.specimens.get("threeInstallments") ?? "");
    expect(split?.installments.map((row) => [row.sequence_number, row.erp_outstanding, row.due_date])).toEqual([
      [1, "1250.5", "2026-01-24"],
      [2, "1250.5", "2026-02-23"],
      [3, "1250.5", "2026-03-25"],
    ]);
    expect(split).toMatchObject({ collection_outstanding: "3751.5", collection_status: "open" });
    expect(book.get(made.specimens.get("manyInstallments") ?? "")?.installments).toHaveLength(30);
    expect(book.get(made.specimens.get("huge") ?? "")?.total_amount).toMatch(/^9{11,}/);
    expect(book.get(made.specimens.get("withoutInstallments") ?? "")).toMatchObject({
      has_installments: false,
      collection_outstanding: "125050",
      collection_status: "inactive",
    });
  });

  it("gives each specimen its reason [completions.4.reasons-pulled]", async () => {
    await pull();
    const book = await world.book();
    const reason = (name: Parameters<typeof made.specimens.get>[0]) =>
      book.get(made.specimens.get(name) ?? "")?.installments[0]?.not_collectible_reason;
    expect(reason("open")).toBeNull();
    expect(reason("frozen")).toBe("not_finalised");
    expect(reason("settledWithBalance")).toBe("closed");
    expect(reason("excluded")).toBe("excluded");
    expect(reason("disputed")).toBe("disputed");
    expect(reason("zeroBalance")).toBe("nothing_outstanding");
    expect(reason("credit")).toBe("nothing_outstanding");
    expect(reason("withoutEmail")).toBe("no_billing_email");
    expect(reason("withoutCurrency")).toBe("currency_not_supported");
  });

  it("writes no row the second time, and still tells when it was read [service.2.3.last-synced] [completions.7.unchanged]", async () => {
    await pull();
    const before = await places();
    clock.advance(60_000);
    const run = await pull();
    expect(run).toMatchObject({ invoices_read: 130, invoices_created: 0, invoices_updated: 0, invoices_retired: 0 });
    expect(await places()).toEqual(before);
    expect(await readAt(made.specimens.get("open") ?? "")).toBe("2026-03-10T15:01:00.000Z");
  });

  it("writes what changed and nothing else; updated_at moves, created_at never [service.2.3.updated-at]", async () => {
    erp.putInvoices(plan());
    await pull();
    const before = await plain();
    const others = new Set((await places()).map((place) => JSON.stringify(place)));
    clock.advance(60_000);
    erp.putInvoices(plan({ installments: [{ dueDate: "2026-03-03", amountMinor: 100_00n, balanceMinor: 40_00n }] }));
    expect(await pull()).toMatchObject({ invoices_created: 0, invoices_updated: 1 });
    const after = await plain();
    expect(after).toMatchObject({
      invoice_id: before.invoice_id,
      created_at: before.created_at,
      updated_at: "2026-03-10T15:01:00.000Z",
      erp_invoice_open_balance: "40",
      collection_outstanding: "40",
    });
    expect(after.installments.map((row) => [row.installment_id, row.removed_at, row.not_collectible_reason])).toEqual([
      [before.installments[0]?.installment_id, null, null],
      [before.installments[1]?.installment_id, "2026-03-10T15:01:00.000Z", "removed"],
    ]);
    const moved = (await places()).filter((place) => !others.has(JSON.stringify(place)));
    expect(moved).toHaveLength(3);
  });

  it("lets no change be older than what is there to be seen, on a clock that is behind [service.4.4.updated-since]", async () => {
    erp.putInvoices(plan());
    await pull();
    const others = new Set((await places()).map((place) => JSON.stringify(place)));
    clock.advance(-60_000);
    erp.putInvoices(plan({ terms: "another" }), plan({ id: ID + 100n }));
    expect(await pull()).toMatchObject({ invoices_created: 1, invoices_updated: 1 });
    const updated_at = expect.stringMatching(/^2026-03-10T15:00:00\.00\dZ$/);
    const book = await world.book();
    expect(book.get(String(ID))).toMatchObject({ payment_terms: "another", updated_at });
    expect(book.get(String(ID + 100n))).toMatchObject({ created_at: "2026-03-10T14:59:00.000Z", updated_at });
    // The two, and the installments of the new one: what did not change is not written.
    const moved = (await places()).filter((place) => !others.has(JSON.stringify(place)));
    expect(moved).toHaveLength(4);
  });

  it("takes a removed installment back as itself, and none left is nothing outstanding [completions.9.removed]", async () => {
    erp.putInvoices(plan());
    await pull();
    const ids = (await plain()).installments.map((row) => row.installment_id);
    erp.putInvoices(plan({ installments: [], own: { amountMinor: 1n, balanceMinor: 1n, dueDate: null } }));
    await pull();
    expect(await plain()).toMatchObject({
      has_installments: true,
      collection_outstanding: "0",
      collection_status: "inactive",
    });
    erp.putInvoices(plan());
    await pull();
    const back = await plain();
    expect(back.installments.map((row) => row.installment_id)).toEqual(ids);
    expect(back).toMatchObject({ collection_outstanding: "150", collection_status: "open" });
  });

  it("asks for nothing again that was paid on installments the ERP has replaced [completions.6.replaced]", async () => {
    const { tenantId } = world;
    erp.putInvoices(plan());
    await pull();
    const before = await plain();
    const payment = { tenantId, invoiceId: before.invoice_id, amount: money("100") };
    const paymentId = await core.store.write(tenantId, (tx) =>
      recordConfirmedPayment(tx, core, {
        ...payment,
        installmentId: before.installments[0]?.installment_id ?? null,
      }),
    );
    clock.advance(1_000);
    // New terms: the schedule is made anew, under ids of its own.
    const schedule = (open: bigint) =>
      plan({
        id: ID + 10n,
        installments: [
          { dueDate: "2026-03-03", amountMinor: 75_00n, balanceMinor: open },
          { dueDate: "2026-04-02", amountMinor: 75_00n, balanceMinor: open === 0n ? 50_00n : 75_00n },
        ],
      }).receivablesInvoiceInstallments;
    erp.putInvoices({ ...plan(), receivablesInvoiceInstallments: schedule(75_00n) });
    await pull();
    const replaced = await plain();
    expect(replaced).toMatchObject({
      collection_outstanding: "50",
      collection_status: "open",
      amount_collected: "100",
      collection_due_date: "2026-04-02",
    });
    const live = replaced.installments.filter(({ removed_at }) => removed_at === null);
    expect(live?.map((row) => row.collection_outstanding)).toEqual(["0", "50"]);
    await core.store.write(tenantId, (tx) =>
      setPaymentPushStatus(tx, core, { tenantId, paymentId, status: "applied" }),
    );
    clock.advance(1_000);
    erp.putInvoices({ ...plan(), receivablesInvoiceInstallments: schedule(0n) });
    await pull();
    expect(await plain()).toMatchObject({ collection_outstanding: "50", collection_status: "open" });
    await expectExactRollup(core, tenantId);
  });

  it("keeps one customer for many invoices, and two invoices that differ never take turns [service.2.4.customer-key]", async () => {
    const other = { ...ALDER, name: "ALDER LOGISTICS LTD" };
    erp.putInvoices(plan(), plan({ id: ID + 100n, customer: other }));
    await pull();
    const book = await world.book();
    expect(book.get(String(ID))?.customer_id).toBe(book.get(String(ID + 100n))?.customer_id);
    expect(book.get(String(ID))?.customer_name).toBe("Alder Logistics");
    const before = await places();
    await pull();
    expect(await places()).toEqual(before);
  });

  it("moves an invoice to the customer that the ERP has it of now, or of nobody [service.2.3.customer]", async () => {
    const birch = { partyId: 300100500000000009n, number: "1009", name: "Birch Logistics" };
    const customers = [ALDER, birch, null, ALDER];
    const ids: (string | null | undefined)[] = [];
    for (const customer of customers) {
      erp.putInvoices(plan({ customer }));
      await pull();
      const row = await plain();
      expect(row).toMatchObject({ customer_name: customer?.name ?? null, customer_number: customer?.number ?? null });
      ids.push(row?.customer_id);
    }
    const [alder, other, none, again] = ids;
    expect(alder).toEqual(expect.any(String));
    expect(other).toEqual(expect.any(String));
    expect(other).not.toBe(alder);
    expect(again).toBe(alder);
    expect(new Set([alder, other, none, null]).size).toBe(4);
    await act(setCustomerEmail, { customerId: other ?? "", email: "own@birch.example" });
    expect((await plain()).customer_email).not.toBe("own@birch.example");
    await expectExactRollup(core, world.tenantId);
  });

  it("takes billing contacts over; the workspace can keep their names out [service.2.4.contact-name]", async () => {
    const account = { PartyId: ALDER.partyId, PrimaryContactName: "Jo Doe", PrimaryContactEmail: "new@alder.example" };
    erp.putInvoices(plan());
    await pull();
    erp.putAccounts(account);
    await pull();
    expect(await plain()).toMatchObject({
      customer_email: "new@alder.example",
      contact_name: "Jo Doe",
    });
    const { connectionId } = world;
    await act(setErp, { connectionId, contactName: false });
    const names = async () => [...(await world.book()).values()].filter((row) => row.contact_name !== null);
    expect(await names()).toEqual([]);
    await pull();
    expect(await names()).toEqual([]);
    await act(setErp, { connectionId, contactName: true });
    await pull();
    expect((await plain()).contact_name).toBe("Jo Doe");
  });

  it("makes hostile text harmless and keeps what is only unusual [service.1.text]", async () => {
    const name = "100%_'Ölmühle' \\ \"株式会社\"";
    erp.putInvoices(
      plan({
        number: "INV\u202E-1\u0007",
        customer: { ...ALDER, name: `${name}\u200B\u0000` },
        currency: "usd",
        terms: "x'); drop table invoices; --",
      }),
    );
    expect(await pull()).toMatchObject({ status: "succeeded" });
    expect(await plain()).toMatchObject({
      invoice_number: "INV-1",
      customer_name: name,
      search_text: `${name.toLowerCase()}\n1001\ninv-1`,
      payment_terms: "x'); drop table invoices; --",
      currency: "USD",
    });
  });

  it("counts an applied payment once, from the first read that began after it [completions.6.reflected]", async () => {
    const { tenantId } = world;
    erp.putInvoices(plan());
    await pull();
    const { invoice_id: invoiceId, installments, updated_at } = await plain();
    const installmentId = installments[0]?.installment_id ?? "";
    const paymentId = await core.store.write(tenantId, (tx) =>
      recordConfirmedPayment(tx, core, { tenantId, invoiceId, installmentId, amount: money("100") }),
    );
    expect(await plain()).toMatchObject({ collection_outstanding: "50", amount_collected: "100", updated_at });
    await pull();
    expect(await plain()).toMatchObject({ collection_outstanding: "50", erp_push_state: "pending" });

    await core.store.write(tenantId, (tx) =>
      setPaymentPushStatus(tx, core, { tenantId, paymentId, status: "applied" }),
    );
    await pull(); // began at the very instant of the application: the balance may be older
    expect(await plain()).toMatchObject({ collection_outstanding: "50", erp_push_state: "applied" });
    clock.advance(1_000);
    erp.putInvoices(
      plan({
        installments: [
          { dueDate: "2026-03-03", amountMinor: 100_00n, balanceMinor: 0n },
          { dueDate: "2026-04-02", amountMinor: 50_00n, balanceMinor: 50_00n },
        ],
      }),
    );
    await pull();
    expect(await plain()).toMatchObject({ collection_outstanding: "50", collection_status: "open" });
    erp.putInvoices(plan()); // the ERP's balance rises again: that debt is new
    clock.advance(1_000);
    await pull();
    expect(await plain()).toMatchObject({ collection_outstanding: "150", amount_collected: "100" });
  });

  it("reflects a payment on an invoice that did not change otherwise, without moving updated_at [completions.6.reflected]", async () => {
    const { tenantId } = world;
    erp.putInvoices(plan());
    await pull();
    const before = await plain();
    const payment = { tenantId, invoiceId: before.invoice_id, amount: money("30") };
    const installmentId = before.installments[0]?.installment_id ?? "";
    await core.store.write(tenantId, async (tx) => {
      const paymentId = await recordConfirmedPayment(tx, core, { ...payment, installmentId });
      await setPaymentPushStatus(tx, core, { tenantId, paymentId, status: "applied" });
    });
    expect((await plain()).collection_outstanding).toBe("120");
    clock.advance(1_000);
    expect(await pull()).toMatchObject({ invoices_updated: 0 });
    expect(await plain()).toMatchObject({
      collection_outstanding: "150",
      updated_at: before.updated_at,
    });
  });
});
