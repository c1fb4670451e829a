import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Core } from "../../src/core/core.ts";
import { type Office, openOffice } from "../core/workflows/support.ts";
import { TestClock, testCore } from "../support/core.ts";
import type { TestStore } from "../support/stores.ts";
import { A_STORE } from "../support/thorough.ts";
import { type Run, terminalOn } from "./support.ts";

describe.each(A_STORE)("workflows at the terminal on $name", ({ open }) => {
  const clock = new TestClock();
  let opened: TestStore;
  let core: Core;
  let office: Office;
  let admin: (line: string, stdin?: string) => Promise<Run>;
  beforeAll(async () => {
    opened = await open();
    core = testCore(opened.store, clock);
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
  const refused = async (line: string): Promise<string> => {
    const { code, err } = await admin(`workflow ${line} ${workspace()}`);
    expect(code).not.toBe(0);
    return err;
  };

  it("enables, changes, disables and lists them [contract.admin.workflow]", async () => {
    const { email } = office.assignee;
    const customer = await office.book.customer();
    expect(await json("list")).toEqual([]);
    const made = await json(`enable --type payment_arrangement --minimum-amount 1000.50 --assignee ${email}`);
    expect(made).toEqual({
      id: expect.any(String),
      type: "payment_arrangement",
      name: "Payment Arrangement",
      enabled: true,
      minimum_amount: "1000.50",
      customers: [],
      assignee: email,
      send_at: null,
      created_at: clock.now().toISOString(),
      updated_at: clock.now().toISOString(),
    });
    clock.advance(60_000);
    const ruled = await json(`enable --type payment_arrangement --customer ${customer.customer_id}`);
    expect(ruled).toEqual({
      ...made,
      minimum_amount: null,
      customers: [customer.customer_id],
      updated_at: clock.now().toISOString(),
    });
    expect(await json("disable --type payment_arrangement")).toEqual({ ...ruled, enabled: false });
    expect(await json("enable --type payment_arrangement")).toEqual(ruled);

    const generated = await json("enable --type auto_generate");
    expect(generated).toMatchObject({ name: "Auto Generate", enabled: true, send_at: "09:00", assignee: null });
    expect(await json("enable --type auto_generate --send-at 16:45")).toMatchObject({ send_at: "16:45" });
    expect(await json("enable --type auto_generate")).toMatchObject({ id: generated.id, send_at: "16:45" });
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
    expect(await at("enable --type auto_generate --minimum-amount 5")).toMatch(/--minimum-amount is not a setting/);
    expect(await at("enable --type payment_arrangement --send-at 09:00")).toMatch(/--send-at is not a setting/);
    expect(await at("disable --type auto_generate")).toMatch(/No such workflow/);
    expect(await refused("enable --type auto_generate --send-at 25:00")).toMatch(/--send-at/);
    expect((await admin(`workflow list --workspace ${fresh.tenantId} --json`)).out).toBe("[]\n");
  });
});
