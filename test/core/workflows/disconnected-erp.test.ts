import { describe, expect, it } from "vitest";
import { disconnectErp } from "../../../src/core/erp-connections/operations/disconnect-erp.ts";
import { reconnectErp } from "../../../src/core/erp-connections/operations/reconnect-erp.ts";
import { createPaymentLink } from "../../../src/core/payment-links/operations/create-links.ts";
import { disableWorkflow, enableWorkflow } from "../../../src/core/workflows/operations/enable-workflow.ts";
import { planEnabling } from "../../../src/core/workflows/plan-enabling.ts";
import { connectAssistant } from "../../support/rows.ts";
import { storesOf } from "../../support/stores.ts";
import { useOffice } from "./support.ts";

describe.each(storesOf(import.meta.url))("Auto Generate and a disconnected ERP on $name", ({ open }) => {
  const { clock, core, office } = useOffice(open);

  const owed = async (due_date: string, row: { origin?: "local" } = {}) => {
    const customer = await office.book.customer({ email: "pay@globex.example.test" });
    const { invoice, installments } = await office.book.invoice({ customer, ...row }, [{ due_date }]);
    return { invoice_id: invoice.invoice_id, installment_id: installments[0]?.installment_id ?? "" };
  };
  const enable = () => office.act(enableWorkflow, { type: "auto_generate" });
  const disconnect = () => office.act(disconnectErp, { connectionId: office.book.connectionId });

  it("makes no link for its invoices, says why once, and makes them once it is connected again [completions.7.erp-disconnected]", async () => {
    const now = await owed("2026-03-12");
    const later = await owed("2026-03-20");
    const local = await owed("2026-03-12", { origin: "local" });
    await disconnect();
    expect(await planEnabling(core, office.tenantId, { type: "auto_generate" })).toMatchObject({
      links: 1,
      later: 0,
      erp_disconnected: 2,
    });
    await enable();
    await office.run();
    clock.set("2026-03-15T15:00:00.000Z");
    await enable();
    await office.run();
    expect(await office.links()).toMatchObject([{ invoice_id: local.invoice_id }]);
    const told = (await office.executions()).filter(({ status }) => status === "skipped");
    const reason = "The invoice's ERP connection is disconnected.";
    expect(told.map(({ invoice_id }) => invoice_id).sort()).toEqual([now.invoice_id, later.invoice_id].sort());
    expect(told).toMatchObject([{ outcome: "none", reason }, { reason }]);

    await office.act(reconnectErp, {
      connectionId: office.book.connectionId,
      password: "another one",
    });
    await office.run();
    expect(await office.links()).toHaveLength(3);
  });

  it("leaves links that there are, and those that a caller asks for [completions.7.erp-disconnected]", async () => {
    await owed("2026-03-12");
    await enable();
    await office.run();
    const [before] = await office.links();
    const stays = await disconnect();
    expect(stays.remains).toEqual({
      invoices: 1,
      live_links: 1,
      messages: 1,
      receipts_waiting: 0,
      receipts_held: 0,
      receipts_for_a_person: 0,
    });
    await office.run();
    expect(await office.links()).toEqual([before]);
    expect(before).toMatchObject({ state: "active", email_status: "scheduled" });

    const { actor } = await connectAssistant(core.store, office.tenantId, {
      role: "admin",
      scopes: ["receivables:read", "payment_links:write"],
    });
    const request = { core, requestId: "req_test", idempotencyKey: "key-1" };
    await createPaymentLink.call(actor, await owed("2026-03-12"), request);
    expect(await office.links()).toHaveLength(2);
  });

  it("mails no live link of it again before it is connected again [completions.7.erp-disconnected]", async () => {
    await owed("2026-03-12");
    await enable();
    await office.run();
    await office.act(disableWorkflow, { type: "auto_generate" });
    await disconnect();
    const none = { links: 0, emails_again: 0, messages: 0, recipients: [], erp_disconnected: 1 };
    expect(await planEnabling(core, office.tenantId, { type: "auto_generate" })).toMatchObject(none);
    expect((await enable()).plan).toMatchObject(none);
    expect(await office.links()).toMatchObject([{ state: "active", email_status: "cancelled" }]);

    const { connectionId } = office.book;
    await office.act(reconnectErp, { connectionId, password: "another one" });
    expect(await office.links()).toMatchObject([{ state: "active", email_status: "scheduled" }]);
  });
});
