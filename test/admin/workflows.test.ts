import { describe, expect, it } from "vitest";
import { openOffice } from "../core/workflows/support.ts";
import { rowsOf } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";
import { terminalIn, useOfficeTerminal } from "./support.ts";

describe.each(A_STORE)("workflows at the terminal on $name", ({ open }) => {
  const { core, office, admin, clock } = useOfficeTerminal(open);
  const json = (line: string) => admin.json(`workflow ${line}`);
  /** What was enabled, without the plan. */
  const enabled = async (line: string) => {
    const { plan: _, ...workflow } = await json(line);
    return workflow;
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

    const audited = await rowsOf(core.store, office.tenantId, "audit_entries", { object_type: "workflow" });
    expect(audited.filter(({ operation }) => operation === "enableWorkflow")).toHaveLength(6);
    const disabled = { operation: "disableWorkflow", object_id: made.id, actor_kind: "operator" };
    expect(audited).toContainEqual(expect.objectContaining(disabled));
  });

  it("refuses settings it cannot use, naming each [contract.admin.workflow]", async () => {
    const { email } = office.assignee;
    const stranger = await (await openOffice(core)).book.customer();
    const arrangement = "enable --type payment_arrangement";
    const generate = "enable --type auto_generate";
    const lines: [line: string, refusal: RegExp][] = [
      ["enable --type email", /--type must be `auto_generate` or `payment_arrangement`, not /],
      [`${arrangement} --assignee ${email}`, /--minimum-amount .*rule/],
      [`${arrangement} --minimum-amount 5`, /--assignee is needed/],
      [`${arrangement} --minimum-amount 5 --assignee x@example.test`, /--assignee is not a member/],
      ...["0", "-1", "1e3", "1,000", "ten"].map((amount): [string, RegExp] => [
        `${arrangement} --minimum-amount ${amount}`,
        /--minimum-amount must be/,
      ]),
      [`${arrangement} --customer 1001`, /--customer /],
      [
        `${arrangement} --assignee ${email} --customer ${stranger.customer_id}`,
        /--customer is not a customer of the workspace/,
      ],
      ...["24:00", "9:00", "09:60", "noon"].map((time): [string, RegExp] => [
        `${generate} --send-at ${time}`,
        /--send-at must be a time of day/,
      ]),
      ...["366", "-1", "1.5", "week"].map((days): [string, RegExp] => [
        `${generate} --days-before-due=${days}`,
        /--days-before-due must be/,
      ]),
      [`${arrangement} --days-before-due 7`, /--days-before-due is not a setting/],
      [`${generate} --minimum-amount 5`, /--minimum-amount is not a setting/],
      [`${arrangement} --send-at 09:00`, /--send-at is not a setting/],
      ["disable --type auto_generate", /No such workflow/],
    ];
    for (const [line, refusal] of lines) {
      const { code, err } = await admin(`workflow ${line}`);
      expect(code, line).not.toBe(0);
      expect(err).toMatch(refusal);
    }
    expect(await json("list")).toEqual([]);
  });

  it("says first what would happen, and needs a word for more than 25 links [completions.7.plan] [completions.7.confirmed]", async () => {
    const line = "enable --type auto_generate";
    const count = async () => (await json("list")).length;
    for (let number = 0; number < 12; number += 1) {
      const name = number === 0 ? "<b>Zeta\u0007</b>" : `Customer ${String(number).padStart(2, "0")}`;
      const customer = await office.book.customer({ name, email: `pay${number}@globex.example.test` });
      const due = { due_date: "2026-03-12", original_amount: "1000.50" };
      await office.book.invoice({ customer }, number === 0 ? [due, due, due, due] : [due, due]);
    }
    const dry = await admin(`workflow ${line} --dry-run`);
    expect(dry).toMatchObject({ code: 0, err: "" });
    expect(dry.out).toMatch(
      /^Links for what is overdue or due within 7 days \(the default; --days-before-due changes it\),\nmailed at 09:00 \(America\/New_York\) \(the default; --send-at changes it\)\.\n26 payment links: 26,013\.00 USD\n12 mails, one per customer, on 11 Mar 2026, 09:00 \(America\/New_York\), to\n/,
    );
    expect(dry.out).toContain("Zeta");
    expect(dry.out).toContain("Customer 09 <pay9@globex.example.test>: 2 links, 2,001.00 USD\n  and 2 more\n");
    const { plan } = JSON.parse((await admin(`workflow ${line} --dry-run --json`)).out);
    expect(plan).toMatchObject({ links: 26, messages: 12, more_recipients: 2, send_at: "2026-03-11T13:00:00.000Z" });

    const { payments: _, ...unready } = core;
    const refusing = await terminalIn(unready, office.tenantId)(`workflow ${line}`);
    expect(refusing.err).toContain(
      "26 links cannot be made now and will be tried again for a day: The payments integration is not ready.",
    );
    expect(refusing.err).toContain("Nothing was changed");

    const refusedRun = await admin(`workflow ${line}`);
    expect(refusedRun).toMatchObject({ code: 1, out: "" });
    expect(refusedRun.err).toMatch(/26 payment links in 12 messages .*Nothing was changed\. Add --yes/);
    expect(await admin(`workflow ${line}`, "", "25")).toMatchObject({ code: 1, out: "" });
    expect(await count()).toBe(0);
    const typed = await admin(`workflow ${line}`, "", "26");
    expect(typed).toMatchObject({ code: 0 });
    expect(typed.out).toContain("26 payment links");
    expect(await count()).toBe(1);
    expect((await admin(`workflow ${line} --yes --json`)).code).toBe(0);
    const disabled = await admin(`workflow disable --type auto_generate`);
    expect(disabled.out).toContain("No message is scheduled.");
  });
});
