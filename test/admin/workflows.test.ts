import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { type Office, openOffice, withSandbox } from "../core/workflows/support.ts";
import { TestClock, testCore } from "../support/core.ts";
import type { TestStore } from "../support/stores.ts";
import { A_STORE } from "../support/thorough.ts";
import { type Run, terminalOn } from "./support.ts";

describe.each(A_STORE)("workflows at the terminal on $name", ({ open }) => {
  const clock = new TestClock();
  let opened: TestStore;
  let core: Core;
  let office: Office;
  let admin: (line: string, stdin?: string, typed?: string) => Promise<Run>;
  beforeAll(async () => {
    opened = await open();
    core = withSandbox(testCore(opened.store, clock));
    office = await openOffice(core);
    admin = terminalOn(core);
  });
  afterAll(() => opened.remove());

  const workspace = () => `--workspace ${office.tenantId}`;
  const json = async (line: string) => {
    const { code, out, err } = await admin(`workflow ${line} ${workspace()} --json`);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    return JSON.parse(out);
  };
  /** What was enabled, without the plan. */
  const enabled = async (line: string) => {
    const { plan: _, ...workflow } = await json(line);
    return workflow;
  };
  const refused = async (line: string): Promise<string> => {
    const { code, err } = await admin(`workflow ${line} ${workspace()}`);
    expect(code).not.toBe(0);
    return err;
  };

  it("enables, changes, disables and lists them [contract.admin.workflow]", async () => {
    const { email } = office.assignee;
    const customer = await office.book.customer();
    expect(await json("list")).toEqual([]);
    const made = await enabled(`enable --type payment_arrangement --minimum-amount 1000.50 --assignee ${email}`);
    expect(made).toEqual({
      id: expect.any(String),
      type: "payment_arrangement",
      name: "Payment Arrangement",
      enabled: true,
      minimum_amount: "1000.50",
      customers: [],
      assignee: email,
      send_at: null,
      days_before_due: null,
      created_at: clock.now().toISOString(),
      updated_at: clock.now().toISOString(),
    });
    clock.advance(60_000);
    const ruled = await enabled(`enable --type payment_arrangement --customer ${customer.customer_id}`);
    expect(ruled).toEqual({
      ...made,
      customers: [customer.customer_id],
      updated_at: clock.now().toISOString(),
    });
    expect(await json("disable --type payment_arrangement")).toEqual({
      ...ruled,
      enabled: false,
      emails_cancelled: 0,
      messages_cancelled: 0,
      still_scheduled: { messages: 0, links: 0, first_at: null },
      timezone: "America/New_York",
    });
    expect(await enabled("enable --type payment_arrangement")).toEqual(ruled);

    const generated = await json("enable --type auto_generate");
    expect(generated).toMatchObject({ name: "Auto Generate", enabled: true, send_at: "09:00", assignee: null });
    expect(generated).toMatchObject({ days_before_due: 7, plan: { links: 0, messages: 0 } });
    expect(await json("enable --type auto_generate --send-at 16:45")).toMatchObject({ send_at: "16:45" });
    expect(await json("enable --type auto_generate --days-before-due 0")).toMatchObject({ days_before_due: 0 });
    expect(await json("enable --type auto_generate")).toMatchObject({
      id: generated.id,
      send_at: "16:45",
      days_before_due: 0,
    });
    expect(await json("list")).toMatchObject([{ type: "payment_arrangement" }, { type: "auto_generate" }]);

    const audited = await core.store.read(office.tenantId, (tx) =>
      tx
        .selectFrom("audit_entries")
        .select(["operation", "object_id", "actor_kind"])
        .where("tenant_id", "=", office.tenantId)
        .where("object_type", "=", "workflow")
        .execute(),
    );
    expect(audited.filter(({ operation }) => operation === "enableWorkflow")).toHaveLength(6);
    expect(audited).toContainEqual({ operation: "disableWorkflow", object_id: made.id, actor_kind: "operator" });
  });

  it("refuses settings it cannot use, naming each [contract.admin.workflow]", async () => {
    const fresh = await openOffice(core);
    const at = async (line: string): Promise<string> => {
      const { code, err } = await admin(`workflow ${line} --workspace ${fresh.tenantId}`);
      expect(code).not.toBe(0);
      return err;
    };
    const { email } = fresh.assignee;
    const stranger = await office.book.customer();
    expect(await at("enable --type email")).toMatch(/--type must be auto_generate or payment_arrangement/);
    expect(await at(`enable --type payment_arrangement --assignee ${email}`)).toMatch(/--minimum-amount .*rule/);
    expect(await at("enable --type payment_arrangement --minimum-amount 5")).toMatch(/--assignee is needed/);
    expect(await at(`enable --type payment_arrangement --minimum-amount 5 --assignee x@example.test`)).toMatch(
      /--assignee is not a member/,
    );
    for (const amount of ["0", "-1", "1e3", "1,000", "ten"])
      expect(await at(`enable --type payment_arrangement --minimum-amount ${amount}`)).toMatch(
        /--minimum-amount must be/,
      );
    expect(await at("enable --type payment_arrangement --customer 1001")).toMatch(/--customer /);
    const line = `enable --type payment_arrangement --assignee ${email} --customer ${stranger.customer_id}`;
    expect(await at(line)).toMatch(/--customer is not a customer of the workspace/);
    for (const time of ["24:00", "9:00", "09:60", "noon"])
      expect(await at(`enable --type auto_generate --send-at ${time}`)).toMatch(/--send-at must be a time of day/);
    for (const days of ["366", "-1", "1.5", "week"])
      expect(await at(`enable --type auto_generate --days-before-due=${days}`)).toMatch(/--days-before-due must be/);
    expect(await at("enable --type payment_arrangement --days-before-due 7")).toMatch(
      /--days-before-due is not a setting/,
    );
    expect(await at("enable --type auto_generate --minimum-amount 5")).toMatch(/--minimum-amount is not a setting/);
    expect(await at("enable --type payment_arrangement --send-at 09:00")).toMatch(/--send-at is not a setting/);
    expect(await at("disable --type auto_generate")).toMatch(/No such workflow/);
    expect(await refused("enable --type auto_generate --send-at 25:00")).toMatch(/--send-at/);
    expect((await admin(`workflow list --workspace ${fresh.tenantId} --json`)).out).toBe("[]\n");
  });

  it("says first what would happen, and needs a word for more than 25 links [completions.7.plan] [completions.7.confirmed]", async () => {
    const shop = await openOffice(core);
    const line = `enable --type auto_generate --workspace ${shop.tenantId}`;
    const rows = async () =>
      core.store.read(shop.tenantId, async (tx) => {
        const { count } = await tx
          .selectFrom("workflows")
          .select((one) => one.fn.countAll<string>().as("count"))
          .where("tenant_id", "=", shop.tenantId)
          .executeTakeFirstOrThrow();
        return Number(count);
      });
    for (let number = 0; number < 12; number += 1) {
      const name = number === 0 ? "<b>Zeta\u0007</b>" : `Customer ${String(number).padStart(2, "0")}`;
      const customer = await shop.book.customer({ name, email: `pay${number}@globex.example.test` });
      const due = { due_date: "2026-03-12", original_amount: "1000.50" };
      await shop.book.invoice({ customer }, number === 0 ? [due, due, due, due] : [due, due]);
    }
    const dry = await admin(`workflow ${line} --dry-run`);
    expect(dry).toMatchObject({ code: 0, err: "" });
    expect(dry.out).toMatch(
      /^Links for what is overdue or due within 7 days \(the default; --days-before-due changes it\),\nmailed at 09:00 \(America\/New_York\) \(the default; --send-at changes it\)\.\n26 payment links: 26,013\.00 USD\n12 messages, one per customer, on 11 Mar 2026, 09:00 \(America\/New_York\), to\n/,
    );
    expect(dry.out).toContain("Zeta");
    expect(dry.out).toContain("Customer 09 <pay9@globex.example.test>: 2 links, 2,001.00 USD\n  and 2 more\n");
    const { plan } = JSON.parse((await admin(`workflow ${line} --dry-run --json`)).out);
    expect(plan).toMatchObject({ links: 26, messages: 12, more_recipients: 2, send_at: "2026-03-11T13:00:00.000Z" });

    const { payments: _, ...unready } = core;
    const refusing = await terminalOn(unready)(`workflow ${line}`);
    expect(refusing.err).toContain("26 cannot be made: The payments integration is not ready.");
    expect(refusing.err).toContain("Nothing was changed");

    const refusedRun = await admin(`workflow ${line}`);
    expect(refusedRun).toMatchObject({ code: 1, out: "" });
    expect(refusedRun.err).toMatch(/26 payment links in 12 messages .*Nothing was changed\. Add --yes/);
    expect(await admin(`workflow ${line}`, "", "25")).toMatchObject({ code: 1, out: "" });
    expect(await rows()).toBe(0);
    const typed = await admin(`workflow ${line}`, "", "26");
    expect(typed).toMatchObject({ code: 0 });
    expect(typed.out).toContain("26 payment links");
    expect(await rows()).toBe(1);
    expect((await admin(`workflow ${line} --yes --json`)).code).toBe(0);
    const disabled = await admin(`workflow disable --type auto_generate --workspace ${shop.tenantId}`);
    expect(disabled.out).toContain("No message is scheduled.");
  });
});
