import { beforeEach, describe, expect, it } from "vitest";
import { operate } from "../../src/core/gate/operator.ts";
import { disconnectIntegration } from "../../src/core/payment-integrations/operations/disconnect-integration.ts";
import { listIntegrations } from "../../src/core/payment-integrations/operator-integration.ts";
import { linksIn } from "../core/workflows/support.ts";
import { STORES } from "../support/stores.ts";
import { useOfficeTerminal } from "./support.ts";

const LINKS = 26;

describe.each(STORES)("what makes links and tasks by itself, at the terminal on $name", ({ open }) => {
  const { core, office, admin } = useOfficeTerminal(open);
  const at = (line: string, typed?: string, stdin = "") => admin(line, stdin, typed);
  const done = async (line: string): Promise<string> => {
    const { code, out, err } = await at(line);
    expect({ line, code, err }).toMatchObject({ code: 0 });
    return out;
  };

  describe("connecting a provider while Auto Generate is on", () => {
    const CONNECT = "integration connect --provider sandbox --currencies USD";
    const isConnected = async () =>
      (await operate(core, office.tenantId, listIntegrations, {})).some(({ status }) => status === "connected");

    beforeEach(async () => {
      const customer = await office.book.customer({ name: "Globex", email: "pay@globex.example.test" });
      for (let made = 0; made < LINKS; made += 1) await office.book.invoice({ customer }, [{ due_date: "2026-03-12" }]);
      await operate(core, office.tenantId, disconnectIntegration, { provider: "sandbox" });
      await done("workflow enable --type auto_generate");
      await office.run();
    });

    it("says the same plan, and needs a word for more than 25 links [completions.7.plan] [completions.7.confirmed]", async () => {
      const refused = await at(CONNECT);
      expect(refused).toMatchObject({ code: 1, out: "" });
      expect(refused.err).toContain("Links for what is overdue or due within 7 days,\nmailed at 09:00");
      expect(refused.err).toContain("26 payment links: 2,600.00 USD\n1 mail, one per customer, on 11 Mar 2026");
      expect(refused.err).toMatch(/26 payment links in 1 message .*Nothing was changed\. Add --yes/);
      expect(await at(CONNECT, "25")).toMatchObject({ code: 1, out: "" });
      expect(await isConnected()).toBe(false);
      await office.run();
      expect(await linksIn(core, office.tenantId)).toEqual([]);

      const typed = await at(CONNECT, "26");
      expect(typed.code).toBe(0);
      expect(typed.out).toContain("26 payment links: 2,600.00 USD\n");
      expect(await isConnected()).toBe(true);
      await office.run();
      expect(await linksIn(core, office.tenantId)).toHaveLength(LINKS);
    });

    it("takes --yes for it, and asks nothing where no workflow is on [completions.7.confirmed]", async () => {
      const { plan } = JSON.parse(await done(`${CONNECT} --yes --json`));
      expect(plan).toMatchObject({ type: "auto_generate", links: LINKS, messages: 1, provider_connected: true });
      await done("integration disconnect --provider sandbox");
      await done("workflow disable --type auto_generate");
      expect(JSON.parse(await done(`${CONNECT} --json`))).not.toHaveProperty("plan");
    });
  });

  it("asks for a word where a disconnected ERP comes back [completions.7.erp-disconnected] [completions.7.confirmed]", async () => {
    const { connectionId } = office.book;
    const customer = await office.book.customer({ name: "Globex", email: "pay@globex.example.test" });
    for (let made = 0; made < LINKS; made += 1) await office.book.invoice({ customer }, [{ due_date: "2026-03-12" }]);
    await done(`erp disconnect --connection ${connectionId}`);
    await done("workflow enable --type auto_generate");
    await office.run();
    const reconnect = `erp reconnect --connection ${connectionId} --unchecked --password-stdin`;

    const refused = await at(reconnect, undefined, "secret");
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toMatch(/26 payment links in 1 message at once .*Nothing was changed\. Add --yes/);
    await office.run();
    expect(await linksIn(core, office.tenantId)).toEqual([]);

    const typed = await at(reconnect, "26", "secret");
    expect(typed).toMatchObject({ code: 0, out: expect.stringContaining("26 payment links: 2,600.00 USD\n") });
    await office.run();
    expect(await linksIn(core, office.tenantId)).toHaveLength(LINKS);
  });

  it("asks for a word too where a provider opens invoices for Payment Arrangement [completions.7.confirmed]", async () => {
    const { email } = office.assignee;
    await done(`workflow enable --type payment_arrangement --minimum-amount 50 --assignee ${email}`);
    await done("integration disconnect --provider sandbox");
    const customer = await office.book.customer({ email: "pay@globex.example.test" });
    for (let made = 0; made < LINKS; made += 1) await office.book.invoice({ customer }, [{}]);
    const refused = await at("integration connect --provider sandbox --currencies USD");
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain("26 tasks at once need a confirmation. Nothing was changed. Add --yes");
  });

  describe("a rule of Payment Arrangement", () => {
    const ENABLE = "workflow enable --type payment_arrangement";
    const rule = async (options: string) => {
      const { minimum_amount, customers } = JSON.parse(await done(`${ENABLE} ${options} --json`));
      return { minimum_amount, customers };
    };
    let customer: string;
    beforeEach(async () => {
      customer = (await office.book.customer()).customer_id;
      await done(`${ENABLE} --minimum-amount 100 --customer ${customer} --assignee ${office.assignee.email}`);
    });

    it("keeps what is not given, and the plan says all of it [completions.7.plan]", async () => {
      const out = await done(`${ENABLE} --minimum-amount 500 --dry-run`);
      expect(out).toContain(
        "Tasks for open invoices of at least 500, each in its own currency and of 1 chosen customer (kept from before; --customer or --clear-customers changes it),\n",
      );
      // A variable that is empty by mistake takes nothing away.
      expect((await at(`${ENABLE} --minimum-amount ""`)).code).toBe(2);
      expect(await rule("--minimum-amount 500")).toEqual({ minimum_amount: "500", customers: [customer] });
      const other = (await office.book.customer()).customer_id;
      expect(await rule(`--customer ${other}`)).toEqual({ minimum_amount: "500", customers: [other] });
      expect(await done(`${ENABLE} --customer ${other} --dry-run`)).toContain(
        "of at least 500, each in its own currency (kept from before; --minimum-amount or --clear-minimum-amount changes it) and of 1 chosen customer,\n",
      );
      expect(await rule("")).toEqual({ minimum_amount: "500", customers: [other] });
    });

    it("loses a part only where that is said, and never its last one", async () => {
      expect(await rule("--clear-customers")).toEqual({ minimum_amount: "100", customers: [] });
      expect((await at(`${ENABLE} --clear-minimum-amount`)).err).toMatch(/--minimum-amount or a customer is needed/);
      expect(await rule(`--clear-minimum-amount --customer ${customer}`)).toEqual({
        minimum_amount: null,
        customers: [customer],
      });
      const both = await at(`${ENABLE} --customer ${customer} --clear-customers`);
      expect(both).toMatchObject({ code: 1, out: "" });
      expect(both.err).toBe("error: --customer cannot be given and cleared at once.\n");
    });
  });
});
