import { describe, expect, it } from "vitest";
import { addMember } from "../../auth/members/add-member.ts";
import { removeMember } from "../../auth/members/remove-member.ts";
import { stampRenamedMembers } from "../../src/core/accounts/stamp-renamed.ts";
import { lockChargeableCurrencies, lockInvoices } from "../../src/core/collection/collection-queries.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { getInvoice } from "../../src/core/invoices/operations/get-invoice.ts";
import { listInvoices } from "../../src/core/invoices/operations/list-invoices.ts";
import { recomputeInvoices } from "../../src/core/invoices/recompute.ts";
import { disconnectIntegration } from "../../src/core/payment-integrations/operations/disconnect-integration.ts";
import { deactivatePaymentLink } from "../../src/core/payment-links/operations/deactivate-payment-link.ts";
import { listPaymentLinks } from "../../src/core/payment-links/operations/list-payment-links.ts";
import { listPayments } from "../../src/core/payments/operations/list-payments.ts";
import { listTasks } from "../../src/core/tasks/operations/list-tasks.ts";
import { insertTask } from "../../src/core/tasks/state-queries.ts";
import { lockRollup, touchShown } from "../../src/store/aging/rollup.ts";
import type { Store } from "../../src/store/store.ts";
import { callOnce } from "../support/collecting.ts";
import { call, pageOf } from "../support/lists.ts";
import { replacing } from "../support/reads.ts";
import { STORES } from "../support/stores.ts";
import { useCollecting } from "../support/use-collecting.ts";

describe.each(STORES)("what changed since a list was read, on $name", ({ name, open }) => {
  const { app, book, act } = useCollecting(open, "stripe");

  const LISTS = {
    collected: [listInvoices, "collection_updated_since"],
    payments: [listPayments, "updated_since"],
    links: [listPaymentLinks, "updated_since"],
    tasks: [listTasks, "updated_since"],
  } as const;

  /** Walks everything; what each list has had since comes with the next call, by id. */
  async function reader() {
    const since = new Map<string, string>();
    const poll = async () => {
      const changed: Record<string, string[]> = {};
      for (const [name, [operation, filter]] of Object.entries(LISTS)) {
        const from = since.get(name);
        const input = from === undefined ? {} : { [filter]: from };
        const { data, pagination } = await pageOf(app.core, operation, book.reader, input);
        if (data.length > 0) changed[name] = data.map((row) => row.id);
        since.set(name, pagination.as_of);
      }
      return changed;
    };
    await poll();
    return poll;
  }

  const taskOf = (invoiceId: string, assignee: string | null, id: string) => ({
    ...{ tenant_id: book.tenantId, task_id: id, type: "payment_arrangement" as const, invoice_id: invoiceId },
    ...{ state: "open" as const, assignee_id: assignee, configured_at: null, dismissed_at: null },
    created_at: app.clock.now().toISOString(),
  });

  it("is each row that shows something else, once, and not what only was written again [completions.13.change-cursor] [completions.13.change-cursor.still]", async () => {
    const owing = await book.owing("100.00");
    const { invoice_id: id } = owing.invoice;
    const recompute = () =>
      app.core.store.write(book.tenantId, async (tx) => {
        await lockChargeableCurrencies(tx, book.tenantId);
        await lockInvoices(tx, book.tenantId, [id]);
        await recomputeInvoices(tx, app.core, book.tenantId, [id]);
        touchShown(tx, "invoices", [id]);
      });
    await recompute();
    const poll = await reader();
    expect(await poll()).toEqual({});
    const link = await book.issue(owing);
    expect(await poll()).toEqual({ collected: [id], links: [link.id] });
    expect(await poll()).toEqual({});
    await recompute();
    await call(app.core, getInvoice, book.reader, { invoice_id: id });
    expect(await poll()).toEqual({});
    const { paymentIntent } = await app.stripe.pay(link.id);
    const [payment] = await book.payments();
    expect(await poll()).toEqual({ collected: [id], payments: [payment?.id], links: [link.id] });
    await app.stripe.refund(paymentIntent, 2_500);
    expect(await poll()).toEqual({ payments: [payment?.id] });
    expect(await poll()).toEqual({});
  });

  it("is told though the clock of the process that changes it went back [completions.13.change-cursor]", async () => {
    const link = await book.issue();
    const poll = await reader();
    app.clock.advance(-3_600_000);
    await callOnce(app.core, deactivatePaymentLink, book.admin, { payment_link_id: link.id });
    expect(await poll()).toEqual({ collected: [link.invoice_id], links: [link.id] });
  });

  it("is why an installment cannot be collected, also where a provider no longer charges its currency [completions.13.change-cursor]", async () => {
    const owing = await book.owing("100.00");
    await book.issue(owing);
    const poll = await reader();
    await act(disconnectIntegration, { provider: "stripe" });
    expect((await poll()).collected).toContain(owing.invoice.invoice_id);
    const read = await call(app.core, getInvoice, book.reader, { invoice_id: owing.invoice.invoice_id });
    expect(read.installments[0]?.not_collectible_reason).toBe("currency_not_supported");
  });

  it("is what shows a member by name, in all their workspaces, when they are called otherwise or removed [completions.13.change-cursor.names]", async () => {
    const email = "clerk@globex.example.test";
    const { id: memberId } = await act(addMember, { email, role: "admin" });
    const [asked, other] = [await book.owing("100.00"), await book.owing("50.00")];
    const [mine, nobodys] = [app.core.newId(), app.core.newId()];
    await app.core.store.write(book.tenantId, async (tx) => {
      await insertTask(tx, taskOf(asked.invoice.invoice_id, memberId, mine));
      await insertTask(tx, taskOf(other.invoice.invoice_id, null, nobodys));
    });
    const poll = await reader();
    await act(addMember, { email, role: "admin", name: "Ada" });
    expect(await poll()).toEqual({ tasks: [mine] });
    await act(addMember, { email, role: "admin", name: "Ada" });
    expect(await poll()).toEqual({});
    await act(removeMember, { member: { email } });
    expect(await poll()).toEqual({ tasks: [mine] });
  });

  it.skipIf(name === "the embedded store")(
    "is told of a removal after it where the figures are held, for which nobody's removal waits [completions.13.change-cursor.names] [service.1.immediate-stop]",
    async () => {
      const email = "clerk@globex.example.test";
      const { id: memberId } = await act(addMember, { email, role: "admin" });
      const owing = await book.owing("100.00");
      const id = app.core.newId();
      await app.core.store.write(book.tenantId, (tx) => insertTask(tx, taskOf(owing.invoice.invoice_id, memberId, id)));
      const poll = await reader();
      await app.core.store.patient.write(book.tenantId, async (tx) => {
        await lockRollup(tx, book.tenantId);
        await act(removeMember, { member: { email } });
        await stampRenamedMembers(app.core);
        expect(await poll()).toEqual({});
      });
      await stampRenamedMembers(app.core);
      expect(await poll()).toEqual({ tasks: [id] });
      await stampRenamedMembers(app.core);
      expect(await poll()).toEqual({});
    },
  );

  it("is nothing of an act whose author was stopped while its figures were brought up to date [service.1.immediate-stop]", async () => {
    await book.issue(await book.owing("100.00"));
    const poll = await reader();
    const stopped = new AbortController();
    const write: Store["write"] = (tenantId, work, signal) =>
      app.core.store.write(
        tenantId,
        async (tx) => {
          const done = await work(tx);
          stopped.abort(new Error("removed"));
          return done;
        },
        signal,
      );
    const core = { ...app.core, store: replacing(app.core.store, { write }) };
    const { signal } = stopped;
    const acted = operate(core, book.tenantId, disconnectIntegration, { provider: "stripe" }, { signal });
    await expect(acted).rejects.toThrow("removed");
    expect(await poll()).toEqual({});
  });
});
