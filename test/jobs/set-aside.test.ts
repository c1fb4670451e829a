import { describe, expect, it } from "vitest";
import { listAttention, summarizeAttention } from "../../src/core/attention/list-attention.ts";
import { disconnectErp } from "../../src/core/erp-connections/operations/disconnect-erp.ts";
import type { ConnectGateway } from "../../src/jobs/pull-invoices.ts";
import type { FusionItem } from "../../src/simulators/fusion/index.ts";
import { quickConnect } from "../support/pulls.ts";
import { erpInvoice, usePushWorld } from "../support/pushes.ts";
import { setRows } from "../support/stored.ts";
import { storesOf } from "../support/stores.ts";

const MINUTE = 60_000;
const names = (count: number) => Array.from({ length: count }, (_, index) => `part-${index + 100}`);
const unreadable = (name: string, over: FusionItem = { EnteredAmount: "1,000.50" }): FusionItem => ({
  ...erpInvoice(name, [50_000n]),
  ...over,
});

/** A connector whose pages leave out what cannot be read, so that only a look-up by id meets it. */
const leavingOutUnreadable: ConnectGateway = (provider, settings) => {
  const gateway = quickConnect(provider, settings);
  return {
    ...gateway,
    async *readInvoicePages(options) {
      for await (const page of gateway.readInvoicePages(options)) yield { ...page, unreadable: [] };
    },
  };
};

describe.each(storesOf(import.meta.url))("an invoice that cannot be read on $name", ({ open }) => {
  const world = usePushWorld(open);
  const { core, clock, erp, pull, book, pay, push, payment, invoice, act } = world;
  const attention = () => act(listAttention, {});

  it("is set aside: the others are delivered, it keeps what it had, and people are told [completions.7.set-aside]", async () => {
    const before = await invoice("one");
    erp.putInvoices(unreadable("one"), unreadable("new", { DueDate: "2026-02-30" }), erpInvoice("two", [70_000n]));
    for (const _run of [1, 2]) {
      clock.advance(MINUTE);
      expect(await pull()).toMatchObject({
        status: "succeeded",
        invoices_read: 2,
        invoices_created: 0,
        invoices_retired: 0,
        invoices_set_aside: 2,
      });
    }
    expect((await book()).size).toBe(3);
    const { missing_since: _now, ...kept } = await invoice("one");
    const { missing_since: _then, ...known } = before;
    expect(kept).toEqual(known);
    expect((await invoice("two")).total_amount).toBe("700");
    const facts = { kind: "invoice_set_aside", id: null, since: "2026-03-10T15:01:00.000Z" };
    const [one, other, ...rest] = (await attention()).sort((a, b) => (a.detail ?? "").localeCompare(b.detail ?? ""));
    expect(one).toMatchObject({
      ...facts,
      invoice_number: "new",
      customer_name: null,
      detail: "DueDate (“2026-02-30”) is not a date.",
    });
    expect(other).toMatchObject({
      ...facts,
      invoice_number: "one",
      customer_name: "Globex",
      detail: "EnteredAmount (“1,000.50”) is not a number.",
    });
    expect(rest).toEqual([]);
    const summary = await act(summarizeAttention, { most: 1 });
    expect([summary.counts.get("invoice_set_aside"), summary.oldest.length]).toEqual([2, 1]);

    erp.putInvoices(erpInvoice("one", [50_000n]));
    erp.removeInvoices(String(unreadable("new").CustomerTransactionId));
    clock.advance(MINUTE);
    expect(await pull()).toMatchObject({
      status: "succeeded",
      invoices_updated: 1,
      invoices_retired: 0,
      invoices_set_aside: 0,
    });
    expect(await invoice("one")).toMatchObject({ total_amount: "500", missing_since: null });
    expect(await attention()).toEqual([]);
  });

  it("is one whose currency is not in ISO 4217, where there are a hundred such already [completions.7.other-currencies]", async () => {
    const letters = [..."ABCDEFGHIJK"];
    const codes = letters.flatMap((one) => letters.map((two) => `Q${one}${two}`));
    const inEach = codes.map((currency) => ({ ...erpInvoice(currency, [100n]), InvoiceCurrencyCode: currency }));
    erp.putInvoices(...inEach, { ...erpInvoice("franc", [100n]), InvoiceCurrencyCode: "CHF" });
    for (const created of [101, 0]) {
      clock.advance(MINUTE);
      const run = { status: "succeeded", invoices_created: created, invoices_retired: 0, invoices_set_aside: 21 };
      expect(await pull()).toMatchObject(run);
    }
    const told = await attention();
    expect(told).toHaveLength(21);
    expect(told.find(({ invoice_number }) => invoice_number === "QKK")?.detail).toBe(
      "currency (“QKK”) is not in ISO 4217, and the workspace has a hundred such currencies already.",
    );
  });

  it("is set aside and not retired where the pages of its ERP leave it out [completions.7.set-aside]", async () => {
    erp.putInvoices(unreadable("one"));
    clock.advance(MINUTE);
    const run = await pull(leavingOutUnreadable);
    expect(run).toMatchObject({ status: "succeeded", invoices_retired: 0, invoices_set_aside: 1 });
    expect(await invoice("one")).toMatchObject({ retired_at: null });
  });

  it("says how old its figures are, and is not listed while its ERP is disconnected [completions.7.set-aside] [service.2.3.last-synced]", async () => {
    erp.putInvoices(unreadable("one"));
    clock.advance(MINUTE);
    await pull();
    expect(await invoice("one")).toMatchObject({ last_synced_at: "2026-03-10T15:00:00.000Z", retired_at: null });
    await act(disconnectErp, { connectionId: world.connectionId });
    expect(await attention()).toEqual([]);
    await setRows(core.store, world.tenantId, "erp_connections", { status: "connected" });
    expect(await attention()).toHaveLength(1);
  });

  it("does not count among what a pull retires only after a person confirmed it [completions.7.set-aside]", async () => {
    const many = names(60);
    erp.putInvoices(...many.map((name) => erpInvoice(name, [50_000n])));
    await pull();
    erp.putInvoices(...many.slice(0, 20).map((name) => unreadable(name)));
    erp.removeInvoices(...many.slice(40, 51).map((name) => String(unreadable(name).CustomerTransactionId)));
    clock.advance(MINUTE);
    expect(await pull()).toMatchObject({ status: "succeeded", invoices_retired: 11, invoices_set_aside: 20 });
  });

  it("takes the run with it where they are too many, which names the bound [completions.7.set-aside] [completions.7.bounds]", async () => {
    erp.putInvoices(...names(1_001).map((name) => unreadable(name)));
    expect(await pull()).toMatchObject({
      status: "failed",
      invoices_retired: 0,
      error: {
        code: "erp_rejected",
        message: "The ERP went beyond a bound of the service: 1000 invoices that cannot be read.",
      },
    });
  });

  it("gets no receipt on top of a balance that cannot be read [completions.7.set-aside]", async () => {
    const id = await pay("one", "10");
    erp.putInvoices(unreadable("one"));
    clock.advance(MINUTE);
    await push();
    expect(await payment(id)).toMatchObject({
      erp_push_status: "failed",
      push_retryable: false,
      erp_push_error: {
        code: "unusable",
        what: expect.stringMatching(/^EnteredAmount of invoice \d+ is not a number$/),
      },
    });
    expect(erp.receipts).toEqual([]);
  });
});
