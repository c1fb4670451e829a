import { describe, expect, it } from "vitest";
import { recomputeInvoices } from "../../../src/core/invoices/recompute.ts";
import { dismissOpenTask, dismissTask } from "../../../src/core/tasks/operations/dismiss-task.ts";
import { matchesArrangement } from "../../../src/core/workflows/auto-generate.ts";
import { disableWorkflow, enableWorkflow } from "../../../src/core/workflows/operations/enable-workflow.ts";
import type { InvoiceRow } from "../../../src/store/tables/invoices.ts";
import { call, refusal } from "../../support/lists.ts";
import { newKey } from "../../support/rest-app.ts";
import { rowOf, setRows } from "../../support/stored.ts";
import { STORES } from "../../support/stores.ts";
import { useOffice } from "./support.ts";

describe("the rule of Payment Arrangement", () => {
  const invoice = { total_amount: "100.00", collection_outstanding: "40", customer_id: "c1" };
  it.each([
    ["100", null, true],
    ["100.01", null, false],
    [null, ["c1"], true],
    [null, ["c0", "c1", "c2"], true],
    [null, ["c2"], false],
    ["100", ["c2"], false],
    ["200", ["c1"], false],
    ["100", ["c1"], true],
    [null, null, false],
  ])("minimum %s and customers %s: %s [completions.7.arrangement-rule]", (minimum_amount, customer_ids, matches) => {
    expect(matchesArrangement({ minimum_amount, customer_ids }, invoice)).toBe(matches);
  });

  it("goes by what is owed where the invoice has no amount [completions.7.arrangement-rule]", () => {
    const rule = { minimum_amount: "40", customer_ids: null };
    expect(matchesArrangement(rule, { ...invoice, total_amount: null })).toBe(true);
    expect(matchesArrangement({ ...rule, minimum_amount: "41" }, { ...invoice, total_amount: null })).toBe(false);
    expect(matchesArrangement({ minimum_amount: null, customer_ids: ["c1"] }, { ...invoice, customer_id: null })).toBe(
      false,
    );
  });
});

describe.each(STORES)("Payment Arrangement on $name", ({ open }) => {
  const { clock, core, office } = useOffice(open);

  const enable = (minimumAmount = "100") =>
    office.act(enableWorkflow, {
      type: "payment_arrangement",
      minimumAmount,
      assignee: office.assignee.email,
    });
  const invoice = async (row: Partial<InvoiceRow> = {}) =>
    (await office.book.invoice({ customer_email: "pay@globex.example.test", ...row }, [{}])).invoice.invoice_id;
  const setInvoice = (invoiceId: string, set: Partial<InvoiceRow>) =>
    core.store.write(office.tenantId, async (tx) => {
      await tx
        .updateTable("invoices")
        .set(set)
        .where("tenant_id", "=", office.tenantId)
        .where("invoice_id", "=", invoiceId)
        .execute();
      await recomputeInvoices(tx, core, office.tenantId, [invoiceId]);
    });

  it("opens a task once per open invoice that matches, and tells the assignee [service.3.4.open] [completions.9.matches-open]", async () => {
    const matching = await invoice();
    await invoice({ total_amount: "99.99" });
    await invoice({ collection_status: "inactive" });
    await invoice({ collection_status: "paid" });
    await enable();
    expect(await office.run()).toBe(2);
    expect(await office.queued()).toEqual([]);
    const tasks = await office.tasks();
    expect(tasks).toMatchObject([{ invoice_id: matching, assignee_id: office.assignee.memberId, state: "open" }]);
    expect(await office.mails()).toMatchObject([
      { recipient: office.assignee.email, subject_id: tasks[0]?.task_id, status: "queued" },
    ]);
    const executions = [{ invoice_id: matching, status: "succeeded", outcome: "task_opened", reason: null }];
    expect(await office.executions()).toMatchObject(executions);

    await enable();
    expect(await office.run()).toBe(2);
    expect(await office.tasks()).toMatchObject(tasks);
    expect(await office.mails()).toHaveLength(1);
    expect(await office.executions()).toMatchObject(executions);
  });

  it("opens no second task for a dismissed one [completions.7.once-per-invoice]", async () => {
    await invoice();
    await enable();
    await office.run();
    const [task] = await office.tasks();
    await core.store.write(office.tenantId, (tx) =>
      dismissOpenTask(tx, core, { tenantId: office.tenantId, taskId: task?.task_id ?? "" }),
    );
    expect(await office.run()).toBe(1);
    expect(await office.tasks()).toMatchObject([{ task_id: task?.task_id, state: "dismissed" }]);
  });

  it("opens a new one when an invoice whose task was not needed is back [completions.9.task-again]", async () => {
    const invoiceId = await invoice();
    await enable();
    await office.run();
    const [first] = await office.tasks();
    await setInvoice(invoiceId, { retired_at: clock.now().toISOString() });
    expect(await office.queued()).toEqual([]);
    expect(await office.tasks()).toMatchObject([{ ...first, state: "not_needed" }]);
    clock.advance(1_000);
    await setInvoice(invoiceId, { retired_at: null });
    expect(await office.run()).toBe(1);
    expect(await office.tasks()).toMatchObject([
      { ...first, state: "not_needed" },
      { invoice_id: invoiceId, state: "open" },
    ]);
  });

  it("does nothing while it is off, and looks at everything once it is on [completions.7.enabled]", async () => {
    await enable();
    await office.act(disableWorkflow, { type: "payment_arrangement" });
    const invoiceId = await invoice();
    await setInvoice(invoiceId, { total_amount: "500" });
    expect(await office.queued()).toEqual([]);
    await enable();
    expect(await office.queued()).toEqual([invoiceId]);
    await office.act(disableWorkflow, { type: "payment_arrangement" });
    expect(await office.run()).toBe(1);
    expect(await office.tasks()).toMatchObject([]);
    await enable();
    await office.run();
    expect(await office.tasks()).toHaveLength(1);
  });

  it("says so when nobody could be notified, for the assignee was removed [completions.7.notifies]", async () => {
    const invoiceId = await invoice();
    await enable();
    await setRows(
      core.store,
      null,
      "members",
      { removed_at: clock.now().toISOString() },
      { member_id: office.assignee.memberId },
    );
    await office.run();
    expect(await office.tasks()).toMatchObject([{ invoice_id: invoiceId, assignee_id: null, state: "open" }]);
    expect(await office.mails()).toMatchObject([]);
    expect(await office.executions()).toMatchObject([
      { status: "succeeded", outcome: "task_opened", reason: { code: "assignee_removed" } },
    ]);
  });

  it("hands a dismissed invoice back to the queue, once [service.3.4.dismissed] [completions.9.dismiss-not-needed]", async () => {
    const invoiceId = await invoice();
    await enable();
    await office.run();
    const [task] = await office.tasks();
    const taskId = task?.task_id ?? "";
    await newKey(core, office.tenantId);
    const key = await rowOf(core.store, office.tenantId, "api_keys");
    const actor = { kind: "api_key", tenantId: office.tenantId, keyId: key.key_id, permission: "admin" } as const;
    expect(await call(core, dismissTask, actor, { task_id: taskId })).toEqual({ ok: true });
    expect(await office.queued()).toEqual([invoiceId]);
    await office.run();
    expect(await call(core, dismissTask, actor, { task_id: taskId })).toEqual({ ok: true });
    expect(await office.queued()).toEqual([]);

    await setInvoice(invoiceId, { retired_at: clock.now().toISOString() });
    expect(await refusal(call(core, dismissTask, actor, { task_id: taskId }))).toMatchObject({
      error: { code: "conflict" },
    });
    expect(await refusal(call(core, dismissTask, actor, { task_id: invoiceId }))).toMatchObject({
      error: { code: "not_found" },
    });
  });

  it("opens one task however many workers look [completions.9.one-open-task]", async () => {
    for (let number = 0; number < 10; number += 1) await invoice();
    await enable();
    const runs = await Promise.all([1, 2, 3, 4].map(() => office.run()));
    expect(runs.reduce((total, count) => total + count, 0)).toBe(10);
    const tasks = await office.tasks();
    expect(new Set(tasks.map((task) => task.invoice_id)).size).toBe(10);
    expect(tasks).toHaveLength(10);
    expect(await office.mails()).toHaveLength(10);
  });
});
