import { describe, expect, it } from "vitest";
import { connectErp } from "../../../src/core/erp-connections/operations/connect-erp.ts";
import { disconnectErp } from "../../../src/core/erp-connections/operations/disconnect-erp.ts";
import { reconnectErp } from "../../../src/core/erp-connections/operations/reconnect-erp.ts";
import { setErp } from "../../../src/core/erp-connections/operations/set-erp.ts";
import { listErp } from "../../../src/core/erp-connections/operator-connection.ts";
import { createPaymentLink } from "../../../src/core/payment-links/operations/create-links.ts";
import {
  disableWorkflow,
  enableWorkflow,
  planWorkflow,
} from "../../../src/core/workflows/operations/enable-workflow.ts";
import { listWorkflowSettings } from "../../../src/core/workflows/operations/list-workflows.ts";
import { planEnabling } from "../../../src/core/workflows/plan-enabling.ts";
import { generateBook } from "../../../src/simulators/fusion/book.ts";
import { runPull, usePullWorld } from "../../support/pulls.ts";
import { connectAssistant } from "../../support/rows.ts";
import { storesOf } from "../../support/stores.ts";
import { useOffice } from "./support.ts";

describe.each(storesOf(import.meta.url))("Auto Generate and a disconnected ERP on $name", ({ open }) => {
  const { clock, core, office } = useOffice(open);

  const owed = async (due_date: string, row: { origin?: "local" } = {}) => {
    const customer = await office.book.customer({ email: "pay@globex.example.test" });
    const { invoice, installments } = await office.book.invoice({ customer, ...row }, [{ due_date }]);
    return { invoice_id: invoice.invoice_id, installment_id: installments[0]?.installment_id ?? "" };
  };
  const enable = () => office.act(enableWorkflow, { type: "auto_generate" });
  const disconnect = () => office.act(disconnectErp, { connectionId: office.book.connectionId });

  it("makes no link for its invoices, says why once, and makes them once it is connected again [completions.7.erp-disconnected]", async () => {
    const now = await owed("2026-03-12");
    const later = await owed("2026-03-20");
    const local = await owed("2026-03-12", { origin: "local" });
    await disconnect();
    expect(await planEnabling(core, office.tenantId, { type: "auto_generate" })).toMatchObject({
      links: 1,
      later: 0,
      erp_disconnected: 2,
    });
    await enable();
    await office.run();
    clock.set("2026-03-15T15:00:00.000Z");
    await enable();
    await office.run();
    expect(await office.links()).toMatchObject([{ invoice_id: local.invoice_id }]);
    const told = (await office.executions()).filter(({ status }) => status === "skipped");
    const reason = { code: "invoice_erp_disconnected" };
    expect(told.map(({ invoice_id }) => invoice_id).sort()).toEqual([now.invoice_id, later.invoice_id].sort());
    expect(told).toMatchObject([{ outcome: "none", reason }, { reason }]);

    await office.act(reconnectErp, {
      connectionId: office.book.connectionId,
      password: "another one",
    });
    await office.run();
    expect(await office.links()).toHaveLength(3);
  });

  it("leaves links that there are, and those that a caller asks for [completions.7.erp-disconnected]", async () => {
    await owed("2026-03-12");
    await enable();
    await office.run();
    const [before] = await office.links();
    const stays = await disconnect();
    expect(stays.remains).toEqual({
      invoices: 1,
      live_links: 1,
      messages: 1,
      receipts_waiting: 0,
      receipts_held: 0,
      receipts_for_a_person: 0,
    });
    await office.run();
    expect(await office.links()).toEqual([before]);
    expect(before).toMatchObject({ state: "active", email_status: "scheduled" });

    const { actor } = await connectAssistant(core.store, office.tenantId, {
      role: "admin",
      scopes: ["receivables:read", "payment_links:write"],
    });
    const request = { core, requestId: "req_test", idempotencyKey: "key-1" };
    await createPaymentLink.call(actor, await owed("2026-03-12"), request);
    expect(await office.links()).toHaveLength(2);
  });

  it("mails no live link of it again before it is connected again [completions.7.erp-disconnected]", async () => {
    await owed("2026-03-12");
    await enable();
    await office.run();
    await office.act(disableWorkflow, { type: "auto_generate" });
    await disconnect();
    const none = { links: 0, emails_again: 0, messages: 0, recipients: [], erp_disconnected: 1 };
    expect(await planEnabling(core, office.tenantId, { type: "auto_generate" })).toMatchObject(none);
    expect((await enable()).plan).toMatchObject(none);
    expect(await office.links()).toMatchObject([{ state: "active", email_status: "cancelled" }]);

    const { connectionId } = office.book;
    await office.act(reconnectErp, { connectionId, password: "another one" });
    expect(await office.links()).toMatchObject([{ state: "active", email_status: "scheduled" }]);
  });
});

const CONFLICT = { code: "conflict", message: expect.stringContaining("before anybody has seen them") };

describe.each(storesOf(import.meta.url))("an ERP whose invoices nobody has seen yet, on $name", ({ open }) => {
  const world = usePullWorld(open, generateBook({ seed: 3, today: "2026-03-10", invoices: 10 }));
  const { core, clock, erp, pull, act } = world;
  const on = () => act(enableWorkflow, { type: "auto_generate", confirmed: true } as const);
  const off = () => act(disableWorkflow, { type: "auto_generate" } as const);
  const another = () =>
    act(connectErp, {
      ...{ provider: "oracle_fusion" as const, url: erp.url, username: "other", password: "a password" },
      ...{ sameErp: true },
    });

  it("lets no workflow be turned on or previewed before it is synced [completions.7.first-plan]", async () => {
    const { connectionId } = world;
    const refused = { code: "conflict", message: expect.stringContaining("Sync it first") };
    const arrangement = { type: "payment_arrangement", minimumAmount: "1", assignee: "a@b.example" } as const;
    await expect(on()).rejects.toMatchObject(refused);
    await expect(act(enableWorkflow, arrangement)).rejects.toMatchObject(refused);
    await expect(act(planWorkflow, arrangement)).rejects.toMatchObject(refused);
    erp.control({ mode: "500" });
    await pull();
    await expect(on()).rejects.toMatchObject(refused);
    expect(await act(listWorkflowSettings, {})).toEqual({ data: [] });
    await act(disconnectErp, { connectionId });
    expect(await on()).toMatchObject({ enabled: true });
    const again = act(reconnectErp, { connectionId, password: "a password", confirmed: true });
    await expect(again).rejects.toMatchObject(CONFLICT);
    expect(await world.connection()).toMatchObject({ status: "disconnected" });
  });

  it("is not connected while a workflow is on, but once it is off [completions.7.first-plan]", async () => {
    await pull();
    await on();
    await expect(another()).rejects.toMatchObject(CONFLICT);
    expect(await act(listErp, {})).toHaveLength(1);
    await off();
    const { id } = await another();
    await expect(on()).rejects.toMatchObject({ code: "conflict" });
    await runPull(core, world.tenantId, id);
    expect(await on()).toMatchObject({ enabled: true });
  });

  it("is one that was moved to another address, until a sync succeeds there [completions.7.first-plan]", async () => {
    const moveTo = (url: string) =>
      act(reconnectErp, { connectionId: world.connectionId, url, password: "a password" });
    await pull();
    await on();
    await moveTo(`${erp.url.toUpperCase()}/`);
    await expect(moveTo(erp.url.replace("127.0.0.1", "localhost"))).rejects.toMatchObject(CONFLICT);
    expect(await world.connection()).toMatchObject({ base_url: `${erp.url.toUpperCase()}/` });
    await off();
    const moved = await moveTo(erp.url.replace("127.0.0.1", "localhost"));
    expect(moved).toMatchObject({ status: "connected", last_successful_sync_at: null });
    await expect(on()).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("Sync it first") });
    clock.advance(1);
    erp.control({ mode: "500" });
    await pull();
    await expect(on()).rejects.toMatchObject({ code: "conflict" });
    erp.control({ mode: "ok" });
    clock.advance(1);
    await pull();
    expect(await on()).toMatchObject({ enabled: true });
  });

  it("is one whose older invoices are to be imported, too [completions.7.first-plan]", async () => {
    const from = (pullFrom: string | null) => act(setErp, { connectionId: world.connectionId, pullFrom });
    await from("2026-02-01");
    await pull();
    await on();
    await from("2026-02-15");
    await expect(from("2026-01-31")).rejects.toMatchObject(CONFLICT);
    await expect(from(null)).rejects.toMatchObject(CONFLICT);
    await off();
    await from(null);
    await expect(on()).rejects.toMatchObject({ code: "conflict" });
    clock.advance(1);
    await pull();
    expect(await on()).toMatchObject({ enabled: true });
  });
});
