import { beforeEach, describe, expect, it } from "vitest";
import { operate } from "../../src/core/gate/operator.ts";
import { disconnectIntegration } from "../../src/core/payment-integrations/operations/disconnect-integration.ts";
import { A_STORE } from "../support/thorough.ts";
import { useOfficeTerminal } from "./support.ts";

const AT_NINE = "mailed at 09:00 (America/New_York)";

describe.each(A_STORE)("what the terminal says of workflows on $name", ({ open }) => {
  const { core, office, admin } = useOfficeTerminal(open);
  beforeEach(async () => {
    const { book } = office;
    const customer = await book.customer({ name: "Globex", email: "pay@globex.example.test" });
    for (const due_date of ["2026-03-01", "2026-03-16"]) await book.invoice({ customer }, [{ due_date }]);
  });

  const said = async (line: string): Promise<string> => {
    const { code, out, err } = await admin(line);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    return out;
  };
  const dryRun = (options = "") => said(`workflow enable --type auto_generate --dry-run ${options}`);
  /** Enabled, and its two links made. */
  const enable = async (options = "") => {
    await said(`workflow enable --type auto_generate ${options}`);
    await office.run();
  };

  it("says which settings were left out, and where they come from [completions.7.plan]", async () => {
    expect(await dryRun()).toMatch(/^Links for .* within 7 days \(the default; --days-before-due changes it\),\n/);
    await enable("--days-before-due 3");
    const kept = await dryRun();
    expect(kept).toContain("due within 3 days (kept from before; --days-before-due changes it),\n");
    expect(kept).toContain(`${AT_NINE} (kept from before; --send-at changes it).\n`);
    expect(await dryRun("--days-before-due 4 --send-at 09:00")).toContain(`due within 4 days,\n${AT_NINE}.\n`);
  });

  it("names the messages that enabling schedules again, with new links of the same customer in them [completions.7.plan]", async () => {
    await enable();
    const stopped = await said("workflow disable --type auto_generate");
    expect(stopped).toContain("1 scheduled mail with 2 links will not be sent. Enabling it again sends");
    expect(await dryRun()).toContain(`No new payment links.
2 live links mailed again, which disabling had stopped
1 mail, one per customer, on 11 Mar 2026, 09:00 (America/New_York), to
  Globex <pay@globex.example.test>: 2 links, 200.00 USD
`);
    // By then the second link's window opens later: a message of its own day.
    const customers = await dryRun("--days-before-due 3");
    expect(customers).toContain("2 mails, one per customer and day, the first on 11 Mar 2026, 09:00");
    expect(customers).toMatch(/Globex <[^>]+>: 1 link, 100\.00 USD, on 13 Mar 2026\n/);
  });

  it("says what goes on after disabling, and how to stop that [completions.7.disable]", async () => {
    await enable();
    const out = await said("workflow disable --type auto_generate --keep-scheduled");
    expect(out).toContain(`It makes no more payment links. Those it made stay payable.
1 scheduled mail with 2 links will still be sent, the first on 11 Mar 2026, 09:00 (America/New_York).
To stop them: workflow disable --type auto_generate, without --keep-scheduled.`);
    expect(out).not.toMatch(/emails_cancelled|[{}]/);
  });

  it("says of Payment Arrangement what it will do, and of Auto Generate only where that is on [completions.7.plan]", async () => {
    const { email } = office.assignee;
    const line = `workflow enable --type payment_arrangement --minimum-amount 50 --assignee ${email} --dry-run`;
    expect(await said(line)).toBe(`Tasks for open invoices of at least 50, each in its own currency,
assigned to ${email}.
2 tasks, one for each matching invoice without one; ${email} gets a mail for each.
`);
    await said(`workflow enable --type auto_generate`);
    const both = await said(line.replace("50 ", "5000 "));
    expect(both).toContain("No tasks: ");
    expect(both).toContain("Auto Generate, which is on, will make:\n2 payment links: 200.00 USD\n");
  });

  it("says that nothing can be made while no payment provider is connected, and how to connect one [completions.7.plan]", async () => {
    await operate(core, office.tenantId, disconnectIntegration, { provider: "sandbox" });
    const out = await dryRun();
    expect(out).toContain("No payment provider is connected: until one is, no link can be made");
    expect(out).toContain("integration connect --provider stripe");
    expect(await said("workflow enable --type auto_generate --dry-run --json")).toContain(
      '"provider_connected": false',
    );
  });

  it("tells the days apart where a message of many was moved to another [completions.7.plan]", async () => {
    for (let number = 0; number < 11; number += 1) {
      const customer = await office.book.customer({
        name: `Customer ${number}`,
        email: `pay${number}@globex.example.test`,
      });
      await office.book.invoice({ customer }, [{ due_date: number === 9 ? "2026-03-16" : "2026-03-01" }]);
    }
    await enable();
    await said("workflow disable --type auto_generate");
    // Customer 9's window opens on 13 March; only the ten before it are named.
    const plan = await dryRun("--days-before-due 3");
    expect(plan).toContain("13 mails, one per customer and day, the first on 11 Mar 2026, 09:00");
    expect(plan).toMatch(/Customer 0 <[^>]+>: 1 link, 100\.00 USD, on 11 Mar 2026\n/);
  });

  it("counts what no provider charges among the chosen customers' invoices only [completions.7.plan]", async () => {
    const { book, assignee } = office;
    const chosen = await book.customer({ name: "Initech" });
    const unchargeable = { currency: "GBP" };
    const parts = [
      { due_date: "2026-03-01", collectible: false, not_collectible_reason: "currency_not_supported" as const },
    ];
    await book.invoice({ customer: chosen, ...unchargeable }, parts);
    await book.invoice({ customer: await book.customer(), ...unchargeable }, parts);
    const line = `workflow enable --type payment_arrangement --assignee ${assignee.email} --dry-run`;
    expect(await said(`${line} --customer ${chosen.customer_id}`)).toContain(
      "Left out:\n  1 invoice: no connected provider charges GBP.\n",
    );
    expect(await said(`${line} --minimum-amount 5000`)).not.toContain("Left out");
    expect(await said(`${line} --minimum-amount 50`)).toContain("2 invoices: no connected provider charges GBP.");
    expect(await dryRun()).toContain("2 invoices: no connected provider charges GBP.");
  });

  it("says what stays where an ERP is disconnected, and what happens to it [completions.7.erp-disconnected]", async () => {
    await enable();
    const out = await said("erp disconnect");
    expect(out).toContain(`Disconnected: nothing is pulled, and the password is forgotten.
2 invoices stay as last read.
Auto Generate makes no new payment links for them until it is connected again.
2 payment links stay payable, and what is paid is recorded.
1 scheduled mail with such links will be sent.
`);
    await office.book.invoice({ customer: await office.book.customer() }, [{ due_date: "2026-03-01" }]);
    expect(await dryRun()).toContain("Left out:\n  1 invoice: the ERP is disconnected.\n");
  });
});
