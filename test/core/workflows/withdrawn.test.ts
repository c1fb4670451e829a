import { beforeEach, describe, expect, it } from "vitest";
import { money } from "../../../src/core/kernel/money.ts";
import { createPaymentLink } from "../../../src/core/payment-links/operations/create-links.ts";
import { deactivatePaymentLink } from "../../../src/core/payment-links/operations/deactivate-payment-link.ts";
import { deactivateLink } from "../../../src/core/payment-links/withdrawing/deactivate-link.ts";
import { dismissOpenTask } from "../../../src/core/tasks/operations/dismiss-task.ts";
import { enableWorkflow } from "../../../src/core/workflows/operations/enable-workflow.ts";
import { planEnabling } from "../../../src/core/workflows/plan-enabling.ts";
import { recordConfirmedPayment } from "../../support/confirmed-payment.ts";
import { connectAssistant, taskRow } from "../../support/rows.ts";
import { addRows } from "../../support/stored.ts";
import { A_STORE } from "../../support/thorough.ts";
import { useOffice } from "./support.ts";

const MINUTE = 60_000;

describe.each(A_STORE)("a link that a person withdrew on $name", ({ open }) => {
  const { clock, core, office } = useOffice(open);
  let ids: { invoiceId: string; installmentId: string };
  beforeEach(async () => {
    const customer = await office.book.customer({ email: "pay@globex.example.test" });
    const { invoice, installments } = await office.book.invoice({ customer }, [{ due_date: "2026-03-12" }]);
    ids = { invoiceId: invoice.invoice_id, installmentId: installments[0]?.installment_id ?? "" };
    await enable();
    await office.run();
  });

  const enable = () => office.act(enableWorkflow, { type: "auto_generate" });
  const assistant = async () => {
    const scopes = ["receivables:read", "payment_links:write"] as const;
    return (await connectAssistant(core.store, office.tenantId, { role: "admin", scopes })).actor;
  };
  const request = (idempotencyKey = "key-1") => ({ core, requestId: "req_test", idempotencyKey });
  const activeLink = async () => {
    const [link] = (await office.links()).filter(({ state }) => state === "active");
    return link?.payment_link_id ?? "";
  };
  const withdraw = async () => {
    clock.advance(MINUTE);
    await deactivatePaymentLink.call(await assistant(), { payment_link_id: await activeLink() }, request());
  };
  const states = async () => (await office.links()).map(({ state }) => state).sort();
  const skipped = async () => (await office.executions()).filter(({ status }) => status === "skipped");

  it("is not made again, and the history says why once [completions.12.stays-withdrawn]", async () => {
    await withdraw();
    for (let round = 0; round < 3; round += 1) {
      expect((await planEnabling(core, office.tenantId, { type: "auto_generate" })).withdrawn_by_person).toBe(1);
      await enable();
      await office.run();
      clock.advance(MINUTE);
    }
    expect(await states()).toEqual(["deactivated"]);
    const reason = { code: "withdrawn_by_person" };
    expect(await skipped()).toMatchObject([{ invoice_id: ids.invoiceId, status: "skipped", outcome: "none", reason }]);
    expect(await office.queued()).toEqual([]);
  });

  it("is not made again by a task's dismissal, which hands the invoice back [completions.12.stays-withdrawn]", async () => {
    const { tenantId } = office;
    const task = taskRow(tenantId, ids.invoiceId);
    await withdraw();
    await addRows(core.store, tenantId, { tasks: task });
    await core.store.write(tenantId, (tx) => dismissOpenTask(tx, core, { tenantId, taskId: task.task_id }));
    await office.run();
    expect(await states()).toEqual(["deactivated"]);
    expect(await skipped()).toMatchObject([{ invoice_id: ids.invoiceId, reason: { code: "withdrawn_by_person" } }]);
  });

  it("is made anew once its amount changes [completions.12.stays-withdrawn]", async () => {
    await withdraw();
    await office.run();
    clock.advance(MINUTE);
    const paid = { tenantId: office.tenantId, ...ids, amount: money("30") };
    await core.store.write(office.tenantId, (tx) => recordConfirmedPayment(tx, core, paid));
    await office.run();
    expect((await office.links()).at(-1)).toMatchObject({ state: "active", amount_minor: "7000" });
    await withdraw();
    await office.run();
    expect(await states()).toEqual(["deactivated", "deactivated"]);
    expect(await skipped()).toHaveLength(2);
  });

  it("may be followed by others once somebody made one [completions.12.stays-withdrawn]", async () => {
    await withdraw();
    await office.run();
    clock.advance(MINUTE);
    const asked = { invoice_id: ids.invoiceId, installment_id: ids.installmentId };
    const { id: linkId } = await createPaymentLink.call(await assistant(), asked, request("key-2"));
    const { tenantId } = office;
    const { invoiceId } = ids;
    await core.store.write(tenantId, (tx) => deactivateLink(tx, core, { tenantId, linkId, invoiceId }));
    clock.advance(MINUTE);
    await office.run();
    expect(await states()).toEqual(["active", "deactivated", "deactivated"]);
  });

  it("holds up no other installment of its invoice, and what the service withdrew is made again [completions.12.stays-withdrawn]", async () => {
    const { tenantId } = office;
    const { invoiceId } = ids;
    const linkId = await activeLink();
    await core.store.write(tenantId, (tx) => deactivateLink(tx, core, { tenantId, linkId, invoiceId }));
    await office.run();
    expect(await states()).toEqual(["active", "deactivated"]);
    await withdraw();
    await core.store.write(tenantId, async (tx) => {
      const [row] = await tx
        .selectFrom("installments")
        .selectAll()
        .where("tenant_id", "=", tenantId)
        .where("invoice_id", "=", invoiceId)
        .execute();
      if (row === undefined) throw new Error("no installment");
      const other = {
        ...row,
        installment_id: core.newId(),
        sequence_number: 2,
        withdrawn_by_person_at: null,
        withdrawn_by_person_amount: null,
      };
      await tx.insertInto("installments").values(other).execute();
    });
    for (let round = 0; round < 2; round += 1) {
      clock.advance(MINUTE);
      await enable();
      await office.run();
    }
    expect(await states()).toEqual(["active", "deactivated", "deactivated"]);
    expect(await skipped()).toHaveLength(1);
  });
});
