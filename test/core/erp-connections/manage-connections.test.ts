import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { connectErp } from "../../../src/core/erp-connections/operations/connect-erp.ts";
import { disconnectErp } from "../../../src/core/erp-connections/operations/disconnect-erp.ts";
import { reconnectErp } from "../../../src/core/erp-connections/operations/reconnect-erp.ts";
import { setErp } from "../../../src/core/erp-connections/operations/set-erp.ts";
import { listErp } from "../../../src/core/erp-connections/operator-connection.ts";
import { operate } from "../../../src/core/gate/operator.ts";
import { ServiceError } from "../../../src/core/kernel/error.ts";
import { money } from "../../../src/core/kernel/money.ts";
import { pullInvoices } from "../../../src/jobs/pull-invoices.ts";
import { recordConfirmedPayment } from "../../support/confirmed-payment.ts";
import { insertLinks } from "../../support/emailed-links.ts";
import { linkRow } from "../../support/furnish.ts";
import { makeTenant, quickConnect, startLed, usePullWorld } from "../../support/pulls.ts";
import { erpInvoice } from "../../support/pushes.ts";
import { rowOf, rowsOf } from "../../support/stored.ts";
import { STORES } from "../../support/stores.ts";
import { startSync } from "../../support/sync.ts";
import { waitForRun } from "../../support/wait-for-run.ts";

const settings = {
  provider: "oracle_fusion",
  url: "https://erp.example:8443/pod",
  username: "integration",
  password: "p\u00e4ss word",
} as const;

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  );

describe.each(STORES)("what operators do with ERP connections on $name", ({ open }) => {
  const world = usePullWorld(open);
  const { core, clock, erp, pull, connection, act } = world;

  it("encrypts the credential, bound to its connection, and shows it nowhere [service.2.2.no-credentials]", async () => {
    const tenantId = await makeTenant(core);
    const made = await operate(core, tenantId, connectErp, settings);
    expect(made).toMatchObject({
      status: "connected",
      url: settings.url,
      username: "integration",
      apply_mode: "rest_action",
    });
    expect(JSON.stringify([made, await operate(core, tenantId, listErp, {})])).not.toContain("ss word");
    const row = await rowOf(core.store, tenantId, "erp_connections");
    expect(JSON.stringify(row)).not.toContain("ss word");
    expect(core.secrets.decrypt(row.credential ?? "", `erp_connections/${made.id}`)).toBe(settings.password);
    expect(() => core.secrets.decrypt(row.credential ?? "", `erp_connections/${randomUUID()}`)).toThrow();
  });

  it.each([
    ["url", "ftp://erp.example"],
    ["url", "https://evil.example\\@erp.example"],
    ["url", "https://user:secret@erp.example"],
    ["url", "https://erp.example/?x=1"],
    ["url", "not an address"],
    ["username", ""],
    ["password", ""],
    ["pullFrom", "2026-02-30"],
    ["intervalMinutes", 9],
    ["intervalMinutes", 1441],
  ])("refuses %s %j and names it", async (field, value) => {
    const refused = act(connectErp, { ...settings, [field]: value });
    await expect(refused).rejects.toMatchObject({ code: "validation_failed", details: [{ field }] });
  });

  it("leaves an audit entry for each act, in its transaction [completions.1.audit-operator]", async () => {
    const { connectionId } = world;
    await act(setErp, { connectionId, intervalMinutes: 30 });
    await codeOf(act(setErp, { connectionId: randomUUID(), intervalMinutes: 30 }));
    await act(disconnectErp, { connectionId });
    const entries = await rowsOf(core.store, world.tenantId, "audit_entries");
    const acts = entries.map((entry) => entry.operation).sort();
    expect(acts).toEqual(["connectErp", "connectIntegration", "disconnectErp", "setErp"]);
    expect(new Set(entries.map((entry) => entry.actor_kind))).toEqual(new Set(["operator"]));
  });

  it("refuses a start that cannot be: off, disconnected, unknown, another workspace's [service.4.6.errors]", async () => {
    const { tenantId, connectionId } = world;
    await act(setErp, { connectionId, sync: false });
    expect(await codeOf(startSync(core, tenantId, connectionId))).toBe("sync_disabled");
    await act(setErp, { connectionId, sync: true });
    await act(disconnectErp, { connectionId });
    expect(await codeOf(startSync(core, tenantId, connectionId))).toBe("connection_disconnected");
    expect(await codeOf(startSync(core, tenantId, randomUUID()))).toBe("not_found");
    expect(await codeOf(startSync(core, await makeTenant(core), connectionId))).toBe("not_found");
  });

  it("starts one run of many asked for at once [service.3.5.one-in-flight]", async () => {
    const codes = await Promise.all(
      Array.from({ length: 6 }, () => codeOf(startSync(core, world.tenantId, world.connectionId))),
    );
    expect(codes.sort()).toEqual(["conflict", "conflict", "conflict", "conflict", "conflict", "done"]);
  });

  it("takes any number of starts and finishes at once without losing one", async () => {
    const { tenantId, connectionId } = world;
    for (let round = 0; round < 5; round += 1) {
      const led = await startLed(core, tenantId, connectionId);
      const [, ...codes] = await Promise.all([
        pullInvoices(core, quickConnect, led, new AbortController().signal),
        ...Array.from({ length: 4 }, () => codeOf(startSync(core, tenantId, connectionId))),
      ]);
      expect(codes.every((code) => ["done", "conflict"].includes(code ?? ""))).toBe(true);
      const next = codes.includes("done");
      expect(await waitForRun(core, tenantId, led.sync_run_id)).toMatchObject({ status: "succeeded" });
      if (next) await act(setErp, { connectionId, sync: false });
      await act(setErp, { connectionId, sync: true });
    }
  });

  it("ends the run in flight when the connection is switched off, disconnected or reconnected [service.3.1.disconnected]", async () => {
    const { tenantId, connectionId } = world;
    const acts = [
      () => operate(core, tenantId, setErp, { connectionId, sync: false }),
      () => operate(core, tenantId, disconnectErp, { connectionId }),
      () => operate(core, tenantId, reconnectErp, { connectionId, password: "new", url: erp.url }),
    ];
    for (const act of acts) {
      await operate(core, tenantId, setErp, { connectionId, sync: true });
      await operate(core, tenantId, reconnectErp, { connectionId, password: "known" });
      const led = await startLed(core, tenantId, connectionId);
      await act();
      await pullInvoices(core, quickConnect, led, new AbortController().signal);
      expect(await waitForRun(core, tenantId, led.sync_run_id)).toMatchObject({
        status: "failed",
        error: { code: "interrupted" },
      });
    }
    expect(await pull()).toMatchObject({ status: "succeeded" });
  });

  it("forgets the credential on disconnecting and is back with a new one [service.3.1.disconnected]", async () => {
    const { connectionId } = world;
    expect(await act(disconnectErp, { connectionId })).toMatchObject({ status: "disconnected" });
    expect(await connection()).toMatchObject({ status: "disconnected", credential: null });
    expect(await act(reconnectErp, { connectionId, password: "again" })).toMatchObject({
      status: "connected",
    });
    expect(await pull()).toMatchObject({ status: "succeeded" });
  });

  it("takes one of two connections to an ERP that are made at once [contract.pages.erp-twin]", async () => {
    const tenantId = await makeTenant(core);
    const users = ["one", "other"].map((username) => operate(core, tenantId, connectErp, { ...settings, username }));
    expect((await Promise.all(users.map(codeOf))).sort()).toEqual(["done", "validation_failed"]);
    const [{ id: connectionId } = { id: "" }] = await operate(core, tenantId, listErp, {});
    const again = { ...settings, username: "third", url: "https://ERP.example:8443/pod/" };
    expect(await codeOf(operate(core, tenantId, connectErp, again))).toBe("validation_failed");
    await operate(core, tenantId, connectErp, { ...again, url: "https://erp.example:8443/test" });
    await operate(core, tenantId, connectErp, { ...again, url: "https://erp.example:8443" });
    await operate(core, tenantId, reconnectErp, { connectionId, password: "newer", url: again.url });
  });

  it("asks before the ERP of invoices that stayed is connected again, and names the connection to reconnect [contract.pages.erp-left]", async () => {
    const { connectionId } = world;
    const given = { ...settings, url: (await connection()).base_url };
    const elsewhere = await act(connectErp, settings);
    const moving = { connectionId: elsewhere.id, url: given.url, password: "newer" };
    erp.putInvoices(erpInvoice("one", [100_00n]));
    await pull();
    await act(disconnectErp, { connectionId });
    const details = [
      { field: "sameErp", message: expect.stringContaining(`erp reconnect --connection ${connectionId}`) },
    ];
    const refusal = { code: "validation_failed", details };
    await expect(act(connectErp, given)).rejects.toMatchObject(refusal);
    await expect(act(reconnectErp, moving)).rejects.toMatchObject(refusal);
    const other = await act(connectErp, { ...given, sameErp: true });
    await act(disconnectErp, { connectionId: other.id });
    await act(reconnectErp, { connectionId: other.id, password: "newer" });
    await act(disconnectErp, { connectionId: other.id });

    await act(reconnectErp, { connectionId, password: "newer" });
    erp.removeInvoices(...(await world.book()).keys());
    expect(await pull()).toMatchObject({ invoices_retired: 1 });
    await act(disconnectErp, { connectionId });
    await act(connectErp, given);
  });

  it("asks before payments and links follow a connection to another address, by the ids of their invoices [contract.pages.erp-moved]", async () => {
    const { tenantId, connectionId } = world;
    const url = "https://other.example";
    const move = (over: object = {}) => act(reconnectErp, { connectionId, password: "newer", url, ...over });
    erp.putInvoices(erpInvoice("one", [100_00n]));
    await pull();
    const { base_url: home } = await connection();
    await move();
    await move({ url: home });
    clock.advance(60_000);
    await pull();
    const [invoice] = (await world.book()).values();
    const [debt] = invoice?.installments ?? [];
    if (invoice === undefined || debt === undefined) throw new Error("the invoice is not there");
    const asked = (stake: string) => ({
      ...{ code: "validation_failed" },
      details: [{ field: "sameInvoices", message: expect.stringContaining(`has ${stake}, which go with`) }],
    });
    await core.store.write(tenantId, async (tx) => {
      const integration = await tx
        .selectFrom("payment_integrations")
        .select("payment_integration_id")
        .where("tenant_id", "=", tenantId)
        .executeTakeFirstOrThrow();
      await insertLinks(tx, [linkRow(debt, integration.payment_integration_id)]);
    });
    await expect(move()).rejects.toMatchObject(asked("0 payments and 1 live payment link"));
    const paid = { tenantId, invoiceId: invoice.invoice_id, installmentId: debt.installment_id, amount: money("10") };
    await core.store.write(tenantId, (tx) => recordConfirmedPayment(tx, core, paid));
    await expect(move()).rejects.toMatchObject(asked("1 payment and 1 live payment link"));
    expect((await connection()).base_url).toBe(home);
    await act(reconnectErp, { connectionId, password: "newer" });
    expect(await move({ sameInvoices: true })).toMatchObject({ url });
  });

  it("changes what is given and keeps the rest", async () => {
    const { connectionId } = world;
    const before = await act(setErp, {
      connectionId,
      pullFrom: "2026-01-01",
      applyMode: "automatch",
    });
    expect(before).toMatchObject({ pull_invoice_date_from: "2026-01-01", apply_mode: "automatch", sync_enabled: true });
    const after = await act(setErp, {
      connectionId,
      autoSync: false,
      intervalMinutes: 1440,
      pullFrom: null,
    });
    expect(after).toEqual({
      ...before,
      auto_sync_enabled: false,
      auto_sync_interval_minutes: 1440,
      pull_invoice_date_from: null,
    });
  });
});
