import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { ErpConnectionRow } from "../../src/store/tables/erp.ts";
import type { TaskRow } from "../../src/store/tables/workflows.ts";
import { type Book, openBook } from "../support/book.ts";
import { TestClock, testCore } from "../support/core.ts";
import { newKey, openRestApp, type RestApp, send } from "../support/rest-app.ts";
import { taskRow } from "../support/rows.ts";
import { addRows, rowOf, rowsOf, setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

describe.each(A_STORE)("what an admin key changes on $name", ({ open }) => {
  const clock = new TestClock();
  const opened = useStore(open);
  const core = testCore(opened.store, clock);
  let app: RestApp;
  let book: Book;
  let key: string;

  beforeAll(async () => {
    app = await openRestApp(core, { limited: false });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    book = await openBook(opened.store, { name: "Northwind" });
    key = await newKey(core, book.tenantId);
    await setConnection({ credential: "sealed" });
  });

  const call = (path: string, init: Parameters<typeof send>[1] = {}) => send(`${app.url}${path}`, { key, ...init });
  const post = (path: string, json?: unknown) =>
    call(path, { method: "POST", ...(json === undefined ? {} : { json }) });
  const connection = () => `/v1/erp-connections/${book.connectionId}`;
  const setConnection = (set: Partial<ErpConnectionRow>) =>
    setRows(opened.store, book.tenantId, "erp_connections", set);
  const row = () => rowOf(opened.store, book.tenantId, "erp_connections");
  const audited = () => rowsOf(opened.store, book.tenantId, "audit_entries", { actor_kind: "api_key" });

  it("says whose key it is, and its previous use [service.4.3.me]", async () => {
    const first = await call("/v1/me");
    expect(first).toMatchObject({
      status: 200,
      body: {
        tenant_id: book.tenantId,
        tenant_name: "Northwind",
        api_key: { name: "admin", permission: "admin", created_at: clock.now().toISOString(), last_used_at: null },
      },
    });
    expect((await call("/v1/me")).body).toMatchObject({ api_key: { last_used_at: clock.now().toISOString() } });
  });

  it("starts a sync, and one at a time [service.4.6.start]", async () => {
    const started = await post(`${connection()}/sync`);
    expect(started).toMatchObject({ status: 202, body: { status: "running", sync_run_id: expect.any(String) } });
    const runs = await call(`/v1/sync-runs?connection_id=${book.connectionId}&status=running`);
    expect(runs.body).toMatchObject({
      data: [{ connection_id: book.connectionId, trigger: "manual", status: "running" }],
    });
    const second = await post(`${connection()}/sync`);
    const details = [{ field: "sync_run_id", message: Reflect.get(Object(started.body), "sync_run_id") }];
    expect(second).toMatchObject({ status: 409, body: { error: { code: "conflict", details } } });
    expect(Number(second.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await row()).auto_sync_enabled).toBe(false);
    expect(await audited()).toMatchObject([
      { operation: "startErpSync", object_type: "sync_run", actor_kind: "api_key", outcome: "succeeded" },
    ]);
  });

  it("starts one of several at once [service.4.6.start]", async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(`${connection()}/sync`)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([202, 409, 409, 409, 409, 409]);
  });

  it("refuses where sync is off or no credential is held, and starts where it has expired [service.4.6.refusals]", async () => {
    const sync = async () => {
      const { status, body } = await post(`${connection()}/sync`);
      return { status, body };
    };
    await setConnection({ sync_enabled: false });
    expect(await sync()).toMatchObject({ status: 422, body: { error: { code: "sync_disabled" } } });
    await setConnection({ sync_enabled: true, status: "disconnected", credential: null });
    expect(await sync()).toMatchObject({ status: 422, body: { error: { code: "connection_disconnected" } } });
    await setConnection({ status: "requires_reauthentication", credential: "sealed" });
    expect(await sync()).toMatchObject({ status: 202 });
  });

  it("wakes who takes runs up, once the run is there to take [service.4.6.start]", async () => {
    const told: string[] = [];
    const unsubscribe = opened.store.subscribe(({ topic, payload }) => {
      if (topic === "sync_runs_reserved") told.push(payload);
    });
    const started = await post(`${connection()}/sync`);
    await vi.waitUntil(() => told.some((id) => started.text.includes(id)), { timeout: 30_000 });
    unsubscribe();
  });

  it("sets the schedule and keeps the interval while it is off [service.4.7.schedule]", async () => {
    const on = await post(`${connection()}/sync-schedule`, { interval_minutes: 1440, enabled: true });
    expect(on).toMatchObject({
      status: 200,
      body: { id: book.connectionId, auto_sync_enabled: true, auto_sync_interval_minutes: 1440 },
    });
    const off = await post(`${connection()}/sync-schedule`, { interval_minutes: 10, enabled: false });
    expect(off.body).toMatchObject({ auto_sync_enabled: false, auto_sync_interval_minutes: 10 });
    const { body } = await call("/v1/erp-connections");
    expect(body).toMatchObject({ data: [off.body] });
    expect((await post(`${connection()}/sync`)).status).toBe(202);
    expect((await audited()).map((entry) => entry.operation).sort()).toEqual([
      "setErpSyncSchedule",
      "setErpSyncSchedule",
      "startErpSync",
    ]);
  });

  it("sets whether receipts are held [completions.5.push-mode]", async () => {
    const held = await post(`${connection()}/payment-push-mode`, { mode: "held" });
    expect(held).toMatchObject({ status: 200, body: { connection_id: book.connectionId, mode: "held" } });
    expect((await row()).payment_push_mode).toBe("held");
    expect((await post(`${connection()}/payment-push-mode`, { mode: "later" })).status).toBe(400);
    expect((await row()).payment_push_mode).toBe("held");
  });

  describe("tasks", () => {
    const task = async (state: Partial<TaskRow>) => {
      const { invoice } = await book.invoice();
      const made = taskRow(book.tenantId, invoice.invoice_id, state);
      await addRows(opened.store, book.tenantId, { tasks: made });
      return made.task_id;
    };
    const stored = async (id: string) => rowOf(opened.store, book.tenantId, "tasks", { task_id: id });

    it.each(["open", "configured"] as const)(
      "dismisses one that is %s; again changes nothing [service.4.9.dismiss]",
      async (state) => {
        const id = await task({ state });
        const at = clock.now().toISOString();
        expect(await post(`/v1/tasks/${id}/dismiss`)).toMatchObject({ status: 200, body: { ok: true } });
        expect(await stored(id)).toMatchObject({ state: "dismissed", dismissed_at: at });
        clock.advance(60_000);
        expect(await post(`/v1/tasks/${id}/dismiss`)).toMatchObject({ status: 200, body: { ok: true } });
        expect(await stored(id)).toMatchObject({ state: "dismissed", dismissed_at: at });
      },
    );

    it("does not dismiss one that is not needed any more [completions.9.not-needed] [service.7.conflict-retry]", async () => {
      const id = await task({ state: "not_needed" });
      const refused = await post(`/v1/tasks/${id}/dismiss`);
      expect(refused).toMatchObject({ status: 409, body: { error: { code: "conflict" } } });
      expect(refused.headers.get("Retry-After")).toBeNull();
      expect(await stored(id)).toMatchObject({ state: "not_needed" });
    });
  });

  it("stops with the key, whatever was under way before [service.5.4.revocation]", async () => {
    expect((await call("/v1/me")).status).toBe(200);
    await setRows(
      opened.store,
      null,
      "api_keys",
      { revoked_at: clock.now().toISOString() },
      { tenant_id: book.tenantId },
    );
    expect(await call("/v1/me")).toMatchObject({ status: 401, body: { error: { code: "revoked_credentials" } } });
  });
});
