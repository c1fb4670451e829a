import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listAgingInstallments } from "../../src/core/aging/operations/list-aging-installments.ts";
import { listCustomerAging } from "../../src/core/aging/operations/list-customer-aging.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { createLocalInvoice } from "../../src/core/invoices/operations/create-local-invoice.ts";
import { getInvoice } from "../../src/core/invoices/operations/get-invoice.ts";
import { listInvoices } from "../../src/core/invoices/operations/list-invoices.ts";
import { createFusionSimulator, type FusionItem, type FusionSimulator } from "../../src/simulators/fusion/index.ts";
import { TestClock, testCore } from "../support/core.ts";
import { call } from "../support/lists.ts";
import { connectWorkspace, erpItem, makeTenant, runPull } from "../support/pulls.ts";
import { expectExactRollup } from "../support/rollup.ts";
import { STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

const PARTY = 300100500000000000n;

/** An overdue invoice of 10.00, billed to whom the ERP says. */
function billed(index: number, to: Partial<Record<"Name" | "Number", string>> & { party?: bigint }): FusionItem {
  const item = erpItem({
    id: 300100180000000000n + BigInt(index) * 100n,
    number: `INV-${index}`,
    customer: null,
    parts: [{ dueDate: "2026-01-31", amountMinor: 10_00n, balanceMinor: 10_00n }],
  });
  return {
    ...item,
    BillToPartyId: to.party ?? null,
    BillToCustomerName: to.Name ?? null,
    BillToCustomerNumber: to.Number ?? null,
  };
}

const BOOK = [
  billed(1, { party: PARTY, Number: "1001", Name: "Alder Logistics" }),
  billed(2, { Number: "2002", Name: "Birch Foods" }),
  billed(3, { Number: "2002", Name: "Birch Foods Ltd" }),
  billed(4, { Number: "3003" }),
  billed(5, {}),
  billed(6, { Name: "Walk-in" }),
  billed(7, { Name: "Somebody else", Number: " " }),
];

describe.each(STORES)("customers of invoices that an ERP says little of, on $name", ({ open }) => {
  const clock = new TestClock();
  const { store } = useStore(open);
  const core = testCore(store, clock);
  let erp: FusionSimulator;
  let tenantId: string;
  let connectionId: string;
  beforeEach(async () => {
    clock.set("2026-03-10T15:00:00.000Z");
    erp = createFusionSimulator({ invoices: BOOK });
    tenantId = await makeTenant(core);
    connectionId = await connectWorkspace(core, tenantId, await erp.listen());
    expect(await runPull(core, tenantId, connectionId)).toMatchObject({ status: "succeeded", invoices_read: 7 });
  });
  afterEach(() => erp.close());

  const actor = () => ({ kind: "api_key", tenantId, keyId: tenantId, permission: "readonly" }) as const;
  /** Who each invoice is of, by the ERP's number of the invoice. */
  const customers = async (connection = connectionId) => {
    const { data } = await call(core, listInvoices, actor(), { connection_id: connection, limit: 100 });
    return new Map(data.map((row) => [row.invoice_number, row.customer]));
  };
  const idOf = async (number: string, connection = connectionId) => (await customers(connection)).get(number)?.id;
  const aged = async (search?: string) =>
    (await call(core, listCustomerAging, actor(), search === undefined ? {} : { search, sort: "customer_asc" })).data;

  it("are told apart by account number, else there is one of the connection [service.2.4.no-id]", async () => {
    const found = await customers();
    expect([...found.values()].filter(({ id }) => id === null)).toEqual([]);
    const [alder, birch, again, numbered, none, walkIn, other] = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7].map((index) => idOf(`INV-${index}`)),
    );
    expect(again).toBe(birch);
    expect([walkIn, other]).toEqual([none, none]);
    expect(new Set([alder, birch, numbered, none]).size).toBe(4);
    expect(found.get("INV-2")).toMatchObject({ number: "2002", name: "Birch Foods", email: null });
    expect(found.get("INV-5")).toMatchObject({ number: null, name: null });
    expect(found.get("INV-6")).toMatchObject({ number: null, name: "Walk-in" });
  });

  it("have a row of aging each, with a name that reads well [service.2.4.no-id] [service.2.6.customer-row]", async () => {
    const rows = await aged();
    expect(rows.filter(({ customer_key: key, customer_id: id }) => key !== id)).toEqual([]);
    expect(
      rows
        .map((row) => [row.customer_name, row.customer_number, row.outstanding, row.invoice_count])
        .sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
    ).toEqual([
      ["3003", "3003", "10.00", 1],
      ["Alder Logistics", "1001", "10.00", 1],
      ["Birch Foods Ltd", "2002", "20.00", 2],
      ["Unassigned", null, "30.00", 3],
    ]);
    const none = await idOf("INV-5");
    const debts = await call(core, listAgingInstallments, actor(), { customer_key: none ?? "" });
    expect(debts.data.map((row) => [row.invoice_number, row.customer_key, row.customer_name]).sort()).toEqual(
      ["INV-5", "INV-6", "INV-7"].map((number) => [number, none, "Unassigned"]),
    );
    expect((await aged("2002")).map((row) => row.customer_name)).toEqual(["Birch Foods Ltd"]);
    await expectExactRollup(core, tenantId);
  });

  it("stay the same, cost no write the second time, and are another's once the ERP says so [service.2.4.no-id]", async () => {
    const before = await customers();
    expect(await runPull(core, tenantId, connectionId)).toMatchObject({ invoices_updated: 0, invoices_created: 0 });
    expect(await customers()).toEqual(before);
    const alder = before.get("INV-1");
    erp.putInvoices(billed(5, { party: PARTY, Number: "1001", Name: "Alder Logistics" }));
    expect(await runPull(core, tenantId, connectionId)).toMatchObject({ invoices_updated: 1 });
    expect((await customers()).get("INV-5")?.id).toBe(alder?.id);
    expect((await customers()).get("INV-6")?.id).toBe(before.get("INV-6")?.id);
    await expectExactRollup(core, tenantId);
  });

  it("are each connection's own [service.2.4.no-id]", async () => {
    const neighbour = createFusionSimulator({ invoices: BOOK });
    try {
      const second = await connectWorkspace(core, tenantId, await neighbour.listen(), []);
      await runPull(core, tenantId, second);
      for (const number of ["INV-2", "INV-5"]) expect(await idOf(number, second)).not.toBe(await idOf(number));
    } finally {
      await neighbour.close();
    }
  });

  it("have all names and account numbers of their invoices, and each debt shows its own number [completions.13.accounts]", async () => {
    const party = PARTY + 3n;
    const a = billed(20, { party, Number: "ACCT-A", Name: "Cedar Works" });
    const b = billed(21, { party, Number: "ACCT-B", Name: "Cedar Timber" });
    const c = billed(22, { party, Number: "ACCT-C", Name: "Cedar" });
    let minute = 0;
    const read = async (...invoices: FusionItem[]) => {
      erp.putInvoices(...invoices);
      clock.set(`2026-03-10T15:0${++minute}:00.000Z`);
      expect(await runPull(core, tenantId, connectionId)).toMatchObject({ status: "succeeded" });
      await expectExactRollup(core, tenantId);
    };
    const found = async (search: string) => (await aged(search)).map((row) => [row.customer_name, row.customer_number]);
    await read(a);
    await read(b);
    const { revision } = await call(core, listCustomerAging, actor(), {});
    for (const search of ["acct-a", "ACCT-B", "cedar works", "CEDAR TIMBER"])
      expect(await found(search), search).toEqual([["Cedar Timber", "ACCT-B"]]);
    // A change of the older invoice changes neither whom a search finds nor what they are shown with.
    await read({ ...a, PaymentTerms: "45 Net" });
    for (const search of ["acct-a", "acct-b", "works", "timber"])
      expect(await found(search), search).toEqual([["Cedar Timber", "ACCT-B"]]);
    expect((await call(core, listCustomerAging, actor(), {})).revision).toBe(revision);
    for (const search of ["acct-a", "works"]) {
      const debts = await call(core, listAgingInstallments, actor(), { search });
      expect(debts.data.map((row) => [row.invoice_number, row.customer_name, row.customer_number]).sort()).toEqual([
        ["INV-20", "Cedar Timber", "ACCT-A"],
        ["INV-21", "Cedar Timber", "ACCT-B"],
      ]);
    }
    expect((await customers()).get("INV-20")).toMatchObject({ name: "Cedar Works", number: "ACCT-A" });
    await read({ ...a, BillToCustomerNumber: "ACCT-C", BillToCustomerName: "Cedar Boards" });
    for (const search of ["acct-a", "works"]) expect(await found(search), search).toEqual([]);
    for (const search of ["acct-c", "boards"]) expect(await found(search)).toEqual([["Cedar Timber", "ACCT-B"]]);
    // An invoice that comes to be another customer's takes its name and number along.
    await read({ ...b, BillToPartyId: PARTY, BillToCustomerName: "Alder Freight" }, c);
    for (const search of ["acct-b", "logistics"]) expect(await found(search)).toEqual([["Alder Freight", "ACCT-B"]]);
    for (const search of ["acct-c", "boards"]) expect(await found(search)).toEqual([["Cedar", "ACCT-C"]]);
    expect(await found("timber")).toEqual([]);
  });

  it("are found, and their invoices, however they are typed, on every store [completions.10.folding]", async () => {
    erp.putInvoices(
      { ...billed(8, { party: PARTY + 1n, Number: "ΟΔ-Σ", Name: "İstanbul Ticaret" }), TransactionNumber: "СЧ-0001" },
      { ...billed(9, { party: PARTY + 2n, Number: "9", Name: "Føroya Bjór" }), TransactionNumber: "FÆR-9" },
      { ...billed(10, { party: PARTY + 2n, Number: "9", Name: "Føroya Bjór" }), TransactionNumber: " 00042 E\u0301" },
    );
    expect(await runPull(core, tenantId, connectionId)).toMatchObject({ invoices_created: 3 });
    const numbers = async (input: object) =>
      (await call(core, listInvoices, actor(), { ...input, order: "asc" })).data.map((row) => row.invoice_number);
    for (const search of ["istanbul", "ISTANBUL", "ıstanbul", "i\u0307stanbul", "сч-0001", "οδ-ς", "οδ-Σ"])
      expect(await numbers({ search }), search).toEqual(["СЧ-0001"]);
    for (const search of ["fær-9", "FÆR-９"]) expect(await numbers({ search }), search).toEqual(["FÆR-9"]);
    for (const invoice_number of ["00042 É", " 00042 É ", "00042 E\u0301", "00042\u200B E\u0301"])
      expect(await numbers({ invoice_number }), invoice_number).toEqual(["00042 É"]);
    expect(await numbers({ invoice_number: "fær-9" })).toEqual([]);
    for (const search of ["istanbul", "ISTANBUL", "οδ-ς"])
      expect(
        (await aged(search)).map((row) => row.customer_name),
        search,
      ).toEqual(["İstanbul Ticaret"]);
  });

  it("are none where the service made the invoice [service.2.4.no-id]", async () => {
    const made = await operate(core, tenantId, createLocalInvoice, {
      number: "L-1",
      customerName: "Walk-in",
      currency: "USD",
      amount: "5.00",
      dueDate: "2026-03-01",
    });
    const invoice = await call(core, getInvoice, actor(), { invoice_id: made.id });
    expect(invoice.customer).toMatchObject({ id: null, name: "Walk-in" });
    const keys = (await aged()).map((row) => row.customer_key).filter((key) => key.startsWith("unassigned:"));
    expect(keys).toEqual([`unassigned:${made.id}`]);
  });
});
