import { beforeEach, describe, expect, it } from "vitest";
import { SCOPES } from "../../../src/core/gate/actor.ts";
import { disconnectIntegration } from "../../../src/core/payment-integrations/operations/disconnect-integration.ts";
import { createPaymentLink } from "../../../src/core/payment-links/operations/create-links.ts";
import { deactivatePaymentLink } from "../../../src/core/payment-links/operations/deactivate-payment-link.ts";
import { finishLinks } from "../../../src/jobs/work-off.ts";
import deactivateTool from "../../../tools/deactivate-payment-link.ts";
import { atStripe, connectProvider, everythingOf, openCollectingBook } from "../../support/collecting.ts";
import { putEmail } from "../../support/emailed-links.ts";
import { call } from "../../support/lists.ts";
import { errorOf, send } from "../../support/rest-app.ts";
import { connectAssistant } from "../../support/rows.ts";
import { rowsOf, setRows } from "../../support/stored.ts";
import { A_STORE } from "../../support/thorough.ts";
import { useCollecting } from "../../support/use-collecting.ts";

describe.each(A_STORE)("withdrawing a payment link on $name", ({ open }) => {
  const { app, book, store, act } = useCollecting(open, "stripe");
  let link: { id: string; invoice_id: string; installment_id: string };

  beforeEach(async () => {
    link = await book.issue();
  });

  const deactivate = () => call(app.core, deactivatePaymentLink, book.admin, { payment_link_id: link.id });
  const overRest = (id: string) =>
    send(`${app.url}/v1/payment-links/${id}/deactivate`, { method: "POST", key: book.key });
  const stored = async () => (await book.links()).find((row) => row.payment_link_id === link.id);
  const invoice = () => book.read(link.invoice_id);
  const schedule = (status: "scheduled" | "sent") =>
    store.write(book.tenantId, (tx) => putEmail(tx, book.tenantId, link.id, status));

  it("withdraws it here and at the provider, and frees what it asked for [completions.5.deactivate]", async () => {
    const at = app.clock.now().toISOString();
    const answer = await overRest(link.id);
    expect(answer).toMatchObject({ status: 200, body: { id: link.id, status: "deactivated", deactivated_at: at } });
    expect(atStripe(app, link.id)?.active).toBe(false);
    expect(await stored()).toMatchObject({ state: "deactivated", withdrawal_due: false, next_attempt_at: null });
    expect(await invoice()).toMatchObject({
      has_active_payment_link: false,
      installments: [{ available_amount: "100.00" }],
    });
    await expect(call(app.core, createPaymentLink, book.admin, {})).rejects.toMatchObject({
      code: "idempotency_key_required",
    });
    expect(await book.issue()).toMatchObject({ status: "active" });
  });

  it("again changes nothing [completions.5.deactivate]", async () => {
    const first = await deactivate();
    app.clock.advance(60_000);
    app.stripe.forgetRequests();
    expect(await deactivate()).toEqual(first);
    expect(app.stripe.requests).toEqual([]);
  });

  it("refuses a paid one, and ones there are none of [completions.5.deactivate-paid]", async () => {
    await app.stripe.pay(link.id);
    const foreign = await openCollectingBook(app, "sandbox");
    const before = await everythingOf(app.core, book.tenantId);
    const { actor } = await connectAssistant(store, book.tenantId, { role: "admin", scopes: SCOPES });
    const byTool = deactivateTool.call(actor, { payment_link_id: link.id }, { core: app.core, requestId: "r" });
    await expect(byTool).rejects.toMatchObject({ code: "conflict" });
    const paid = await overRest(link.id);
    expect({ status: paid.status, code: errorOf(paid.body).code }).toEqual({ status: 409, code: "conflict" });
    const theirs = await send(`${app.url}/v1/payment-links/${link.id}/deactivate`, {
      method: "POST",
      key: foreign.key,
    });
    expect({ status: theirs.status, code: errorOf(theirs.body).code }).toEqual({ status: 404, code: "not_found" });
    expect(await everythingOf(app.core, book.tenantId)).toEqual(before);
  });

  it("cancels an email that is scheduled, and leaves one that was sent [completions.4.email-withdrawn]", async () => {
    await schedule("scheduled");
    expect(await deactivate()).toMatchObject({ email: { status: "cancelled" } });
    link = await book.issue();
    await schedule("sent");
    expect(await deactivate()).toMatchObject({ email: { status: "sent" } });
  });

  it("does not wait for a provider that is away, and tells it later [completions.5.withdrawn]", async () => {
    app.stripe.control({ mode: "503" });
    expect(await deactivate()).toMatchObject({ status: "deactivated" });
    expect(atStripe(app, link.id)?.active).toBe(true);
    expect(await stored()).toMatchObject({ withdrawal_due: true });
    app.stripe.control({ mode: "ok" });
    expect(await finishLinks(app.core)).toBe(0);
    app.clock.advance(60_000);
    expect(await finishLinks(app.core)).toBe(1);
    expect(atStripe(app, link.id)?.active).toBe(false);
    expect(await stored()).toMatchObject({ withdrawal_due: false });
  });

  it("withdraws it through the same account connected anew, and waits while none is [completions.5.withdrawn]", async () => {
    await act(disconnectIntegration, { provider: "stripe" });
    expect(await deactivate()).toMatchObject({ status: "deactivated" });
    expect(atStripe(app, link.id)?.active).toBe(true);
    await connectProvider(app, book.tenantId, "stripe");
    app.clock.advance(60 * 60_000);
    await finishLinks(app.core);
    expect(atStripe(app, link.id)?.active).toBe(false);
    expect(await stored()).toMatchObject({ withdrawal_due: false });
  });

  it("goes on looking for one the provider never told of, unless it saw all there are [completions.5.withdrawn]", async () => {
    app.stripe.control({ mode: "503" });
    await deactivate();
    app.stripe.control({ mode: "ok" });
    await setRows(store, book.tenantId, "payment_links", { provider_link_id: null }, { payment_link_id: link.id });
    const { payments } = app.core;
    const nearsighted: typeof payments = (wanted) => {
      const gateway = payments?.(wanted) ?? null;
      return gateway && { ...gateway, findLinks: async () => ({ links: [], complete: false }) };
    };
    app.clock.advance(60_000);
    expect(await finishLinks({ ...app.core, payments: nearsighted })).toBe(1);
    expect(await stored()).toMatchObject({ withdrawal_due: true });
    expect(atStripe(app, link.id)?.active).toBe(true);
    app.clock.advance(60 * 60_000);
    expect(await finishLinks(app.core)).toBe(1);
    expect(await stored()).toMatchObject({ withdrawal_due: false });
    expect(atStripe(app, link.id)?.active).toBe(false);
  });

  it("is one audit entry each time [completions.1.link-audit]", async () => {
    await deactivate();
    const entries = await rowsOf(store, book.tenantId, "audit_entries", { operation: "deactivatePaymentLink" });
    expect(entries).toMatchObject([{ object_id: link.id, outcome: "succeeded" }]);
  });
});
