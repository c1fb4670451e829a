import { describe, expect, it } from "vitest";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { rowsOf } from "../support/stored.ts";
import { STORES } from "../support/stores.ts";
import { type Run, terminalOn, useOfficeTerminal } from "./support.ts";

describe.each(STORES)("what an operator is told on $name", ({ open }) => {
  const { core, office, admin } = useOfficeTerminal(open);
  const run = (line: string, stdin?: string): Promise<Run> => admin(line, stdin);
  const entries = () => rowsOf(core.store, office.tenantId, "audit_entries", {}, "entry_id");

  it("says of an act that changes nothing that it does, and leaves no audit entry [completions.1.operator-audit]", async () => {
    const { id } = await operate(core, office.tenantId, createApiKey, {
      name: "Books",
      permission: "readonly",
    });
    const { email } = office.assignee;
    const customer = await office.book.customer();
    await run("workflow enable --type auto_generate");
    const acts = [
      `api-key revoke --id ${id}`,
      "erp set --interval 120",
      "erp disconnect",
      "workspace set --timezone Europe/Zurich",
      `member role --email ${email} --role member`,
      `customer email --customer ${customer.customer_id} --email ap@globex.example.test`,
      `member link --email ${email} --issuer https://login.example.test --subject s-1`,
      "workflow disable --type auto_generate",
    ];
    for (const act of acts) {
      const first = await run(act);
      expect({ act, code: first.code }).toEqual({ act, code: 0 });
      expect(first.err).not.toContain("Nothing was changed");
      const before = await entries();
      const again = await run(act);
      expect({ act, ...again }).toMatchObject({ act, code: 0, err: "Nothing was changed: it was so already.\n" });
      expect({ act, entries: await entries() }).toEqual({ act, entries: before });
    }
  });

  it("says what adding a person changed [completions.1.operator-audit]", async () => {
    const line = `member add --email ana@${office.tenantId}.test --role`;
    const add = (role: string, password?: string) =>
      run(`${line} ${role} ${password === undefined ? "" : "--password-stdin"}`.trim(), password);
    expect((await add("member")).err).toMatch(
      /^Added as member\. They have no password: .* No mail invites them: tell them\.\n$/,
    );
    expect((await add("admin")).err).toContain("Was a member already: the role is admin, not member.");
    expect((await add("admin", "correct horse battery")).err).toContain("The person has the password that was given.");
    expect((await add("admin", "another horse battery")).err).toContain(
      "Their password was replaced, in every workspace",
    );
    expect((await add("admin")).err).toBe("Nothing was changed: it was so already.\n");
  });

  it("says that a workflow has lost its assignee with the member [completions.7.notifies]", async () => {
    const { email } = office.assignee;
    await run(`workflow enable --type payment_arrangement --minimum-amount 50 --assignee ${email}`);
    const removed = await run(`member remove --email ${email}`);
    expect(removed.err).not.toContain("API key");
    expect(removed.err).toContain("Payment Arrangement has no assignee now, and nobody is told of its tasks");
    expect((await run("workflow list")).out).toContain("nobody (--assignee names one)");
  });

  it("names what there is none of, and how to list what there is [contract.admin.workspace]", async () => {
    expect((await terminalOn(core)("member list --workspace Nowhere")).err).toBe(
      'error: No workspace named "Nowhere": workspace list shows all.\n',
    );
    const unknown = await run("member role --email nobody@example.test --role admin");
    expect(unknown.err).toBe("error: No member with the email nobody@example.test: member list shows all.\n");
    const { tenantId } = office;
    const missing = await run(`erp sync --connection ${tenantId}`);
    expect(missing.err).toBe(`error: No ERP connection with the id ${tenantId}: erp list shows all.\n`);
  });

  it("takes amounts of an invoice in whole minor units of its currency only [contract.invoice-create]", async () => {
    const create = (options: string) => run(`invoice create --number L-1 --customer-name Ann ${options}`);
    expect((await create("--currency USD --amount 10.005")).err).toBe(
      "error: --amount has more decimals than USD has (2).\n",
    );
    expect((await create("--currency JPY --amount 10 --installment :9.5 --installment :0.5")).err).toContain(
      "--installment has more decimals than JPY has (0).",
    );
    // Where a comma is the decimal sign, 10.500 is ten thousand five hundred.
    for (const given of ["--currency USD --amount 10.500", "--currency JPY --amount 10.0"])
      expect((await create(given)).err).toContain("--amount has more decimals than");
    expect((await create("--currency KWD --amount 10.005")).code).toBe(0);
  });
});
