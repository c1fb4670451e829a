import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setCustomerEmail } from "../../../src/core/customers/operations/set-customer-email.ts";
import type { Core } from "../../../src/core/gate/dependencies.ts";
import { operate } from "../../../src/core/gate/operator.ts";
import { money } from "../../../src/core/kernel/money.ts";
import { finishReservation } from "../../../src/core/payment-links/issuing/finish-reservation.ts";
import { deactivateLink } from "../../../src/core/payment-links/withdrawing/deactivate-link.ts";
import { paymentProviders } from "../../../src/core/provider-access/payment-providers.ts";
import { dismissOpenTask } from "../../../src/core/tasks/operations/dismiss-task.ts";
import { configureTask } from "../../../src/core/tasks/state-queries.ts";
import { disableWorkflow, enableWorkflow } from "../../../src/core/workflows/operations/enable-workflow.ts";
import { type PaymentGateway, PaymentProviderError } from "../../../src/gateways/payments/gateway.ts";
import { runWorkflows } from "../../../src/jobs/work-off.ts";
import type { InstallmentRow } from "../../../src/store/tables/invoices.ts";
import { recordConfirmedPayment } from "../../support/confirmed-payment.ts";
import { TestClock, testCore } from "../../support/core.ts";
import { trailOf } from "../../support/stored.ts";
import { A_STORE } from "../../support/thorough.ts";
import { useStore } from "../../support/use-store.ts";
import { insertLink, type Office, openOffice } from "./support.ts";

const MINUTE = 60_000;
const TO = "pay@globex.example.test";

describe.each(A_STORE)("Auto Generate on $name", ({ open }) => {
  const clock = new TestClock();
  const { store } = useStore(open);
  let core: Core;
  let office: Office;
  /** What the provider says to an attempt at a link, by its amount. */
  let answer: (amountMinor: bigint) => PaymentProviderError | null = () => null;
  beforeAll(async () => {
    const plain = testCore(store, clock);
    const sandbox = paymentProviders({ secrets: plain.secrets, clock, sandboxAt: "https://receivables.example.test" });
    core = {
      ...plain,
      payments: (access) => {
        const gateway = sandbox(access);
        if (gateway === null) return null;
        const mintLink: PaymentGateway["mintLink"] = async (request) => {
          const error = answer(request.amountMinor);
          if (error !== null) throw error;
          return gateway.mintLink(request);
        };
        return { ...gateway, mintLink };
      },
    };
  });
  beforeEach(async () => {
    clock.set("2026-03-10T15:00:00.000Z");
    answer = () => null;
    office = await openOffice(core);
  });

  const enable = (sendAt = "09:00") =>
    office.act(enableWorkflow, { type: "auto_generate", sendAt, daysBeforeDue: 365 });
  const invoice = async (parts: readonly Partial<InstallmentRow>[] = [{}]) => {
    const customer = await office.book.customer({ email: TO });
    const made = await office.book.invoice({ customer }, parts);
    return { invoiceId: made.invoice.invoice_id, installmentIds: made.installments.map((row) => row.installment_id) };
  };
  const links = () => office.links();
  const inTenant = <T>(work: Parameters<typeof core.store.write<T>>[1]) => core.store.write(office.tenantId, work);

  it("leaves an audit entry for each link, by its own name [completions.1.audit]", async () => {
    await invoice([{ original_amount: "100" }, { original_amount: "50" }]);
    await enable();
    await runWorkflows(core);
    const entries = await trailOf(core.store, office.tenantId, "createPaymentLink");
    const by = { actor_kind: "system", actor_name: "auto_generate", outcome: "succeeded" };
    expect(entries).toMatchObject([by, by]);
    const made = (await links()).map((link) => link.payment_link_id);
    expect(entries.map((entry) => entry.object_id).sort()).toEqual(made.sort());
  });

  it("makes a link for each collectible installment without one, and schedules its email [completions.7.auto-generate]", async () => {
    const { invoiceId, installmentIds } = await invoice([
      { original_amount: "10.00" },
      { original_amount: "20.00", not_collectible_reason: "disputed" },
      { original_amount: "30.00" },
      { original_amount: "40.00" },
    ]);
    const [first = "", , third, fourth] = installmentIds;
    await insertLink(
      core,
      office.tenantId,
      { invoiceId, installmentId: first },
      { amount: "1.00", amount_minor: "100" },
    );
    const { id: workflowId } = await enable();
    expect(await office.run()).toBe(1);
    const [, ...made] = await links();
    expect(made).toMatchObject([
      { installment_id: third, amount_minor: "3000", state: "active", email_status: "scheduled" },
      { installment_id: fourth, amount_minor: "4000", state: "active", email_status: "scheduled" },
    ]);
    for (const link of made)
      expect(link).toMatchObject({
        created_by_kind: "workflow",
        created_by_id: workflowId,
        url: expect.stringMatching(/^https:\/\/receivables\.example\.test\/pay\//),
        email_to: TO,
        email_send_at: "2026-03-11T13:00:00.000Z",
      });
    expect(await office.executions()).toMatchObject([
      { invoice_id: invoiceId, status: "succeeded", outcome: "link_created", reason: null },
    ]);
    expect(await office.queued()).toEqual([]);

    await enable();
    expect(await office.run()).toBe(1);
    expect(await links()).toHaveLength(3);
    expect(await office.executions()).toHaveLength(1);
  });

  it("is in the history once for all links of a run, whatever the clock says meanwhile [completions.7.auto-generate]", async () => {
    const moving: Core["clock"] = {
      now() {
        clock.advance(1);
        return clock.now();
      },
    };
    await invoice([{}, {}]);
    for (const sendAt of ["09:00", "10:00"]) {
      await enable(sendAt);
      expect(await runWorkflows({ ...core, clock: moving })).toBe(1);
      expect(await office.executions()).toMatchObject([{ status: "succeeded", outcome: "link_created" }]);
    }
    expect(await links()).toHaveLength(2);
  });

  it("makes none while it is off, for an invoice that is not open, or without a billing email [completions.7.auto-generate]", async () => {
    await office.book.invoice({ collection_status: "inactive", customer_email: TO }, [{}]);
    await office.book.invoice({ collection_status: "inactive" }, [{ not_collectible_reason: "no_billing_email" }]);
    await enable();
    expect(await office.run()).toBe(0);
    await invoice();
    await enable();
    await office.act(disableWorkflow, { type: "auto_generate" });
    expect(await office.run()).toBe(1);
    expect(await links()).toEqual([]);
    expect(await office.executions()).toEqual([]);
  });

  it("leaves an invoice with a task alone until the task is dismissed [service.3.4.auto-generate-waits]", async () => {
    const { invoiceId } = await invoice();
    const { tenantId, assignee } = office;
    const arrangement = { type: "payment_arrangement", minimumAmount: "1", assignee: assignee.email } as const;
    await operate(core, tenantId, enableWorkflow, arrangement);
    // At the same moment either could come first.
    await office.run();
    clock.advance(MINUTE);
    await enable();
    await office.run();
    expect(await links()).toEqual([]);
    const [task] = await office.tasks();
    const skipped = { invoice_id: invoiceId, status: "skipped", outcome: "none" };
    const history = [{ outcome: "task_opened" }, { ...skipped, reason: { code: "task_not_dismissed" } }];
    expect(await office.executions()).toMatchObject(history);

    await inTenant((tx) => configureTask(tx, core, { tenantId, invoiceId }));
    clock.advance(MINUTE);
    await enable();
    await office.run();
    expect(await links()).toEqual([]);
    expect(await office.executions()).toMatchObject(history);

    clock.advance(MINUTE);
    await inTenant((tx) => dismissOpenTask(tx, core, { tenantId, taskId: task?.task_id ?? "" }));
    expect(await office.run()).toBe(1);
    expect(await links()).toMatchObject([{ invoice_id: invoiceId, state: "active" }]);
    expect(await office.executions()).toMatchObject([...history, { status: "succeeded", outcome: "link_created" }]);
    expect(await office.tasks()).toMatchObject([{ state: "dismissed" }]);
  });

  it("asks for what a payment left, and again where a link was withdrawn [completions.7.after-whatever-moved]", async () => {
    const { invoiceId, installmentIds } = await invoice([{ original_amount: "100.00" }]);
    const [installmentId = ""] = installmentIds;
    const { tenantId } = office;
    await enable();
    await office.run();
    const [link] = await links();
    const linkId = link?.payment_link_id ?? "";
    clock.advance(MINUTE);
    await inTenant((tx) => deactivateLink(tx, core, { tenantId, linkId, invoiceId }));
    expect(await office.run()).toBe(1);
    expect((await links()).map(({ state, amount_minor }) => [state, amount_minor])).toEqual([
      ["deactivated", "10000"],
      ["active", "10000"],
    ]);

    clock.advance(MINUTE);
    await inTenant(async (tx) => {
      await tx
        .updateTable("payment_links")
        .set({ state: "paid", paid_at: clock.now().toISOString() })
        .where("tenant_id", "=", tenantId)
        .where("state", "=", "active")
        .execute();
      await recordConfirmedPayment(tx, core, { tenantId, invoiceId, installmentId, amount: money("60") });
    });
    expect(await office.run()).toBe(1);
    expect((await links()).at(-1)).toMatchObject({ state: "active", amount_minor: "4000" });
  });

  it("looks again when a customer's billing email makes debt collectible [completions.7.after-whatever-moved]", async () => {
    await enable();
    const customer = await office.book.customer({ email: null });
    const part = { not_collectible_reason: "no_billing_email" } as const;
    await office.book.invoice({ customer, collection_status: "inactive" }, [part]);
    expect(await office.run()).toBe(0);
    await office.act(setCustomerEmail, {
      customerId: customer.customer_id,
      email: "new@globex.example.test",
    });
    expect(await office.run()).toBe(1);
    expect(await links()).toMatchObject([{ email_to: "new@globex.example.test", state: "active" }]);
  });

  it("makes the other links where one is refused, and says why once [completions.7.refused-link]", async () => {
    const { invoiceId } = await invoice([{ original_amount: "0.10" }, { original_amount: "50.00" }]);
    const least = "The amount is below the provider's least.";
    answer = (amount) => (amount === 10n ? new PaymentProviderError("amount_too_small", least) : null);
    await enable();
    await office.run();
    expect(await links()).toMatchObject([{ amount_minor: "5000", state: "active" }]);
    const history = (await office.executions()).map((one) => [one.invoice_id, one.status, one.outcome, one.reason]);
    expect(history.sort()).toEqual([
      [invoiceId, "failed", "none", { code: "links_refused", refused: 1, of: 2, errors: [least] }],
      [invoiceId, "succeeded", "link_created", null],
    ]);
    expect(await office.queued()).toEqual([]);
  });

  it("tries again, less and less often, while the provider refuses its credentials [completions.7.refused-link]", async () => {
    const { invoiceId } = await invoice();
    answer = () => new PaymentProviderError("authentication_failed", "The provider refused the credentials.");
    await enable();
    let attempts = 0;
    for (let minute = 0; minute < 120; minute += 1) {
      attempts += await office.run();
      clock.advance(MINUTE);
    }
    expect(attempts).toBeGreaterThan(3);
    expect(attempts).toBeLessThan(8);
    expect(await office.executions()).toMatchObject([
      {
        invoice_id: invoiceId,
        status: "failed",
        outcome: "none",
        reason: { code: "link_refused", refused: 1, of: 1, errors: ["The provider refused the credentials."] },
      },
    ]);
    answer = () => null;
    clock.advance(60 * MINUTE);
    expect(await office.run()).toBe(1);
    expect(await links()).toMatchObject([{ state: "active" }]);
    expect((await office.executions()).map(({ status }) => status)).toEqual(["failed", "succeeded"]);
    expect(await office.queued()).toEqual([]);
  });

  it("leaves a link that nobody can tell of to be settled, and then knows of it [completions.7.unclear-link]", async () => {
    const { invoiceId } = await invoice();
    answer = () => new PaymentProviderError("unreachable", "The provider did not answer.", { effectUnknown: true });
    await enable();
    await office.run();
    const [reserved] = await links();
    expect(reserved).toMatchObject({ state: "reserved", email_status: "scheduled" });
    expect(await office.executions()).toEqual([]);
    expect(await office.queued()).toEqual([invoiceId]);
    expect(await office.run()).toBe(0);

    answer = () => null;
    await finishReservation(core, office.tenantId, reserved?.reservation_id ?? "");
    clock.advance(10 * MINUTE);
    expect(await office.run()).toBe(1);
    expect(await links()).toMatchObject([{ payment_link_id: reserved?.payment_link_id, state: "active" }]);
    expect(await office.executions()).toMatchObject([
      { invoice_id: invoiceId, status: "succeeded", outcome: "link_created", reason: null },
    ]);
    expect(await office.queued()).toEqual([]);
  });

  it("says so where no provider can make links [completions.7.refused-link]", async () => {
    await invoice();
    await enable();
    const { payments: _, ...without } = core;
    await runWorkflows(without);
    expect(await office.executions()).toMatchObject([
      { status: "failed", reason: { errors: [expect.stringContaining("not ready")] } },
    ]);
    expect(await links()).toEqual([]);
  });

  it("makes one link for each installment however many workers look [completions.7.one-live-link]", async () => {
    for (let number = 0; number < 6; number += 1) await invoice([{}, {}]);
    await enable();
    const again = async (): Promise<void> => {
      await inTenant((tx) =>
        tx
          .updateTable("workflow_work")
          .set({ next_attempt_at: "2026-01-01T00:00:00.000Z" })
          .where("tenant_id", "=", office.tenantId)
          .execute()
          .then(() => undefined),
      );
      await office.run();
    };
    await Promise.all([office.run(), again(), again(), again()]);
    // Whoever met another's reservation comes back for it.
    clock.advance(10 * MINUTE);
    await office.run();
    const made = await links();
    expect(made).toHaveLength(12);
    expect(new Set(made.map((link) => link.installment_id)).size).toBe(12);
    expect(made.every((link) => link.state === "active")).toBe(true);
    expect(await office.executions()).toHaveLength(6);
    expect(await office.queued()).toEqual([]);
  });
});
