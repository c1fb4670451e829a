import { describe, expect, it } from "vitest";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { lookUpReceipt } from "../../src/core/payments/operations/settle-receipt-by-hand.ts";
import { erpGateway } from "../../src/gateways/erp/index.ts";
import { generateBook } from "../../src/simulators/fusion/book.ts";
import { endlessErp } from "../support/endless-server.ts";
import { bookOf, connectWorkspace, makeTenant, runPull } from "../support/pulls.ts";
import { DATASET, usePushWorld } from "../support/pushes.ts";
import { setRows } from "../support/stored.ts";
import { storesOf } from "../support/stores.ts";

const BOOK = generateBook({ seed: 3, today: "2026-03-10", invoices: 90 });

describe.each(storesOf(import.meta.url))("a sync of an ERP that goes on without end on $name", ({ open }) => {
  const world = usePushWorld(open, { ...BOOK, invoices: [...BOOK.invoices, ...(DATASET.invoices ?? [])] });
  const { core, erp, pay, push, payment } = world;
  const bounded = (erpBounds: Core["erpBounds"]): Core => ({ ...core, ...(erpBounds && { erpBounds }) });

  it("fails at the bound on the workspace's invoices, which it names; what was delivered stays [completions.7.bounds]", async () => {
    const core = bounded({ invoicesOfWorkspace: 60 });
    const tenantId = await makeTenant(core);
    const connectionId = await connectWorkspace(core, tenantId, erp.url, []);
    expect(await runPull(core, tenantId, connectionId)).toMatchObject({
      status: "failed",
      invoices_created: 40,
      invoices_retired: 0,
      error: {
        code: "erp_rejected",
        message: "The ERP went beyond a bound of the service: 60 invoices of a workspace (MAX_INVOICES_PER_WORKSPACE).",
      },
    });
    expect((await bookOf(core, tenantId)).size).toBe(40);
    const [known = ""] = (await bookOf(core, tenantId)).keys();
    erp.removeInvoices(known);
    expect(await runPull(core, tenantId, connectionId)).toMatchObject({ status: "failed", invoices_retired: 0 });
    expect((await bookOf(core, tenantId)).get(known)?.retired_at).toBeNull();
    // What is stored already is read on, however many that are.
    const enough = bounded({ invoicesOfWorkspace: 93 });
    expect(await runPull(enough, tenantId, connectionId)).toMatchObject({ status: "succeeded", invoices_retired: 1 });
    expect(await runPull(core, tenantId, connectionId)).toMatchObject({ status: "succeeded", invoices_created: 0 });
  });

  it("fails after the longest time of a run [completions.7.bounds]", async () => {
    erp.control({ mode: "ok", latency_ms: 200 });
    expect(await runPull(bounded({ hoursOfRun: 0.5 / 3_600 }), world.tenantId, world.connectionId)).toMatchObject({
      status: "failed",
      error: { code: "erp_rejected", message: expect.stringMatching(/hours of a sync \(MAX_SYNC_HOURS\)\.$/) },
    });
  });

  it("fails at an endless schedule, keeps what came before, and begins again at the next [completions.7.bounds]", async () => {
    const { tenantId } = world;
    const { url } = await endlessErp("schedule");
    const connectionId = await connectWorkspace(core, tenantId, url, []);
    for (const _run of [1, 2])
      expect(await runPull(core, tenantId, connectionId)).toMatchObject({
        status: "failed",
        error: { code: "erp_rejected", message: expect.stringMatching(/MAX_INSTALLMENTS_PER_INVOICE/) },
      });
  });

  it("asks again for customers of long ago rather than keep all of them [completions.7.bounds]", async () => {
    const { tenantId } = world;
    const { url, requests } = await endlessErp("book");
    const core = bounded({ invoicesOfWorkspace: 5_800 });
    const connectionId = await connectWorkspace(core, tenantId, url, []);
    expect(await runPull(core, tenantId, connectionId, erpGateway)).toMatchObject({ status: "failed" });
    const asked = requests.filter(({ pathname, searchParams }) => {
      return pathname.endsWith("/accounts") && /[(,]1[,)]/.test(searchParams.get("q") ?? "");
    });
    expect(asked).toHaveLength(2);
  });

  it("ends a look-up of a receipt to settle by hand, and a push, at the bound on receipts [completions.7.bounds]", async () => {
    const { tenantId } = world;
    const id = await pay("one", "10");
    const { url } = await endlessErp("receipts");
    await setRows(core.store, tenantId, "erp_connections", { base_url: url });
    const message = "The ERP went beyond a bound of the service: 1000 rows of a look-up";
    await push();
    expect(await payment(id)).toMatchObject({
      erp_push_status: "failed",
      erp_push_error: { code: "beyond_bound", most: 1_000 },
    });
    await expect(lookUpReceipt(core, tenantId, { paymentId: id, receiptNumber: "CHK-1" })).rejects.toMatchObject({
      details: [{ field: "receiptNumber", message: `cannot be looked up: ${message}` }],
    });
    expect(erp.receipts).toEqual([]);
  });
});
