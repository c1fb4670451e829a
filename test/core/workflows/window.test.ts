import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WORKFLOW_WORK } from "../../../src/core/collection/to-examine-queries.ts";
import { claimWork } from "../../../src/core/gate/claims.ts";
import { businessDate } from "../../../src/core/kernel/calendar.ts";
import { startOfDay } from "../../../src/core/kernel/local-time.ts";
import { enableWorkflow, planWorkflow } from "../../../src/core/workflows/operations/enable-workflow.ts";
import { setWorkspace } from "../../../src/core/workspace/operations/set-workspace.ts";
import type { InstallmentRow } from "../../../src/store/tables/invoices.ts";
import { secondsWanted } from "../../support/backlog.ts";
import { rowsOf, setRows } from "../../support/stored.ts";
import { STORES } from "../../support/stores.ts";
import { useOffice } from "./support.ts";

const HOUR = 60 * 60_000;

describe.each(STORES)("the days before due of Auto Generate on $name", ({ open }) => {
  const { clock, core, office } = useOffice(open);

  const invoice = async (...dueDates: (string | null)[]) => {
    const customer = await office.book.customer({ email: "pay@globex.example.test" });
    const parts = dueDates.map((due_date): Partial<InstallmentRow> => ({ due_date }));
    return (await office.book.invoice({ customer }, parts)).invoice.invoice_id;
  };
  const enable = (daysBeforeDue?: number) => office.act(enableWorkflow, { type: "auto_generate", daysBeforeDue });
  const linked = async () => {
    const links = await office.links();
    const rows = await rowsOf(core.store, office.tenantId, "installments");
    const dues = new Map(rows.map((row) => [row.installment_id, row.due_date]));
    return links.map((link) => dues.get(link.installment_id)).sort();
  };
  const work = () => rowsOf(core.store, office.tenantId, "workflow_work", {}, "next_attempt_at");

  it("are seven, and hold what falls due later back, and what has no due date [completions.7.days-before-due]", async () => {
    await invoice("2026-01-02", "2026-03-09", "2026-03-10", "2026-03-17", "2026-03-18", null);
    await enable();
    await office.run();
    expect(await linked()).toEqual(["2026-01-02", "2026-03-09", "2026-03-10", "2026-03-17"]);
    await enable(0);
    await office.run();
    expect(await linked()).toHaveLength(4);
    await enable(8);
    await office.run();
    expect(await linked()).toHaveLength(5);
    expect(await work()).toEqual([]);
  });

  it("move the mails that are scheduled as the plan says before [completions.7.plan]", async () => {
    await invoice("2026-03-14", "2026-03-15");
    const plan = (daysBeforeDue: number, sendAt = "09:00") =>
      office.act(planWorkflow, { type: "auto_generate", daysBeforeDue, sendAt });
    await enable(5);
    await office.run();
    const scheduled = async () => [...new Set((await office.links()).map((link) => link.email_send_at))].sort();
    expect(await scheduled()).toEqual(["2026-03-11T13:00:00.000Z"]);
    expect(await plan(5)).toMatchObject({ emails_moved: 0, messages: 0 });
    expect(await plan(0)).toMatchObject({
      ...{ links: 0, emails_moved: 2, emails_again: 0, messages: 2 },
      ...{ send_at: "2026-03-14T13:00:00.000Z", last_send_at: "2026-03-15T13:00:00.000Z" },
    });
    await enable(0);
    expect(await scheduled()).toEqual(["2026-03-14T13:00:00.000Z", "2026-03-15T13:00:00.000Z"]);
    await office.run();
    expect(await plan(20, "06:00")).toMatchObject({
      emails_moved: 2,
      messages: 1,
      send_at: "2026-03-11T10:00:00.000Z",
    });
    await setRows(core.store, office.tenantId, "erp_connections", { status: "disconnected" });
    expect(await plan(20, "06:00")).toMatchObject({ emails_moved: 2, messages: 1 });
    await office.act(enableWorkflow, { type: "auto_generate", daysBeforeDue: 20, sendAt: "06:00" });
    expect(await scheduled()).toEqual(["2026-03-11T10:00:00.000Z"]);
    await office.run();
  });

  it("let an installment in as its day begins in the workspace's timezone [completions.7.comes-into-window]", async () => {
    const invoiceId = await invoice("2026-03-25", "2026-03-19", null, "2026-11-09");
    await enable();
    expect(await office.run()).toBe(1);
    expect(await linked()).toEqual([]);
    // The first on 12 March, at midnight of summer time.
    expect(await work()).toMatchObject([
      { invoice_id: invoiceId, next_attempt_at: "2026-03-12T04:00:00.000Z", attempts: 0 },
    ]);
    clock.set("2026-03-12T03:59:59.999Z");
    expect(await office.run()).toBe(0);
    clock.set("2026-03-12T04:00:00.000Z");
    expect(await office.run()).toBe(1);
    expect(await linked()).toEqual(["2026-03-19"]);
    expect(await work()).toMatchObject([{ next_attempt_at: "2026-03-18T04:00:00.000Z" }]);
    clock.set("2026-03-18T04:00:00.000Z");
    await office.run();
    // Clocks go back on 1 November.
    expect(await work()).toMatchObject([{ next_attempt_at: "2026-11-02T05:00:00.000Z" }]);
    clock.set("2026-11-02T05:00:00.000Z");
    await office.run();
    expect(await linked()).toEqual(["2026-03-19", "2026-03-25", "2026-11-09"]);
    expect(await work()).toEqual([]);
  });

  it("are looked at again in full when they are changed, and when the workspace moves to another timezone [completions.7.comes-into-window]", async () => {
    await invoice("2026-03-20");
    await enable();
    await office.run();
    await enable(5);
    expect(await office.run()).toBe(1);
    expect(await work()).toMatchObject([{ next_attempt_at: "2026-03-15T04:00:00.000Z" }]);
    await office.act(setWorkspace, { timezone: "Asia/Tokyo" });
    await office.run();
    expect(await work()).toMatchObject([{ next_attempt_at: "2026-03-14T15:00:00.000Z" }]);
    await enable(30);
    await office.run();
    expect(await linked()).toEqual(["2026-03-20"]);
  });

  it("leave no work waiting meanwhile, however much is to come [completions.7.comes-into-window]", async () => {
    const waiting = () => secondsWanted(core, office.tenantId, "workflows");
    for (let day = 20; day < 30; day += 1) await invoice(`2026-03-${day}`);
    await enable();
    await office.run();
    clock.advance(HOUR);
    expect(await waiting()).toBe(0);
    expect(await claimWork(core, WORKFLOW_WORK, { limit: 50, leaseMs: HOUR })).toEqual([]);
    clock.set("2026-03-13T05:00:00.000Z");
    expect(await waiting()).toBe(HOUR / 1_000);
    expect(await claimWork(core, WORKFLOW_WORK, { limit: 50, leaseMs: HOUR })).toHaveLength(1);
  });
});

it("a business day begins at the first instant that has its date, whatever clocks do [completions.7.comes-into-window]", () => {
  const zones = [
    "America/New_York",
    "Africa/Cairo",
    "Asia/Beirut",
    "America/Havana",
    "Atlantic/Azores",
    "Pacific/Apia",
  ];
  const timezone = fc.constantFrom(...zones, "America/Santiago", "Australia/Lord_Howe", "Asia/Kolkata", "UTC");
  const date = fc
    .date({ min: new Date("2011-01-01"), max: new Date("2037-12-31"), noInvalidDate: true })
    .map((day) => day.toISOString().slice(0, 10));
  fc.assert(
    fc.property(timezone, date, (zone, day) => {
      const start = Date.parse(startOfDay(day, zone));
      expect(businessDate(new Date(start), zone) >= day).toBe(true);
      expect(businessDate(new Date(start - 1_000), zone) < day).toBe(true);
    }),
    { numRuns: 500, examples: [["Pacific/Apia", "2011-12-30"]] },
  );
});
