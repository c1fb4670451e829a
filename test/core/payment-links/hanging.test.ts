import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { revokeApiKey } from "../../../auth/api-keys/revoke-api-key.ts";
import type { Core } from "../../../src/core/gate/dependencies.ts";
import { retireInvoices } from "../../../src/core/invoices/delivery/retire-invoices.ts";
import { createPaymentLink, createPaymentLinks } from "../../../src/core/payment-links/operations/create-links.ts";
import { reviewActiveLinks } from "../../../src/core/payment-links/withdrawing/review-active-links.ts";
import { finishLinks } from "../../../src/jobs/work-off.ts";
import type { FaultInput } from "../../../src/simulators/stripe/faults.ts";
import type { Store } from "../../../src/store/store.ts";
import type { InstallmentRow } from "../../../src/store/tables/invoices.ts";
import { ask, askOverRest, callOnce, linkIn, type Owing, refusedBy } from "../../support/collecting.ts";
import { replacing } from "../../support/reads.ts";
import { rowsOf, setRows } from "../../support/stored.ts";
import { A_STORE } from "../../support/thorough.ts";
import { useCollecting } from "../../support/use-collecting.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe.each(A_STORE)("links left hanging between store and provider on $name", ({ open }) => {
  const { app, book, store, act } = useCollecting(open, "stripe");
  let owing: Owing;
  let madeBefore = 0;

  beforeEach(async () => {
    owing = await book.owing("100.00", "200.00");
    madeBefore = app.stripe.links.length;
  });

  const atStripe = () => app.stripe.links.slice(madeBefore).map(({ id, active }) => ({ id, active }));
  const states = async () => (await book.links()).map((link) => link.state).sort();
  const available = async () => {
    const invoice = await book.read(owing.invoice.invoice_id);
    return invoice.installments.map((part) => part.available_amount);
  };
  const audited = async () => {
    const rows = await rowsOf(store, book.tenantId, "audit_entries", { actor_kind: "api_key" });
    return rows.map((row) => `${row.operation} ${row.outcome} ${row.actor_id === book.admin.keyId}`);
  };

  const retire = (invoiceId: string) =>
    store.write(book.tenantId, (tx) => retireInvoices(tx, app.core, book.tenantId, [invoiceId]));
  const become = (reason: NonNullable<InstallmentRow["not_collectible_reason"]>) =>
    setRows(
      store,
      book.tenantId,
      "installments",
      { collectible: false, not_collectible_reason: reason },
      { installment_id: owing.installments[0]?.installment_id ?? "" },
    );

  const cutOff: FaultInput[] = [
    // The library sends what was dropped once more, whatever it was told.
    { mode: "drop", times: 2 },
    { mode: "drop_after", times: 2 },
    { mode: "hang", times: 1 },
    { mode: "hang_after", times: 1 },
    { mode: "503", times: 1 },
    { mode: "429", times: 1 },
    // Stripe keeps a failure for the key and repeats it for a day.
    { mode: "500", times: 1 },
    { mode: "500_after", times: 1 },
  ];

  it.each(cutOff)("a request repeated after %j gets one link [completions.5.retry]", async (fault) => {
    app.stripe.control(fault);
    const first = await askOverRest(app, book, ask(owing), "key-1");
    expect(refusedBy(first)).toMatchObject({ status: 500, code: "internal_error" });
    expect(await states()).toEqual(["reserved"]);
    expect(await available()).toEqual(["0.00", "200.00"]);
    expect(refusedBy(await askOverRest(app, book, ask(owing), "key-2"))).toMatchObject({ code: "conflict" });
    const again = await askOverRest(app, book, ask(owing), "key-1");
    expect(again.status).toBe(201);
    const [link] = await book.links();
    expect(linkIn(again.body)).toMatchObject({ id: link?.payment_link_id, status: "active" });
    expect(atStripe()).toEqual([{ id: link?.provider_link_id, active: true }]);
    expect(await audited()).toEqual(["createPaymentLink succeeded true"]);
    const replay = await askOverRest(app, book, ask(owing), "key-1");
    expect(replay.text).toBe(again.text);
  });

  it.each(cutOff)(
    "nobody comes back after %j: the reconciler finishes it [completions.5.reconciled]",
    async (fault) => {
      app.stripe.control(fault);
      await askOverRest(app, book, ask(owing), "key-1");
      expect(await finishLinks(app.core)).toBe(0);
      app.clock.advance(2 * MINUTE);
      expect(await finishLinks(app.core)).toBe(1);
      expect(await states()).toEqual(["active"]);
      const [link] = await book.links();
      expect(atStripe()).toEqual([{ id: link?.provider_link_id, active: true }]);
      expect(await audited()).toEqual(["createPaymentLink succeeded true"]);
      expect(await finishLinks(app.core)).toBe(0);
      const late = await askOverRest(app, book, ask(owing), "key-1");
      expect(linkIn(late.body)).toMatchObject({ id: link?.payment_link_id, url: link?.url });
      expect(atStripe()).toHaveLength(1);
      expect(await audited()).toHaveLength(1);
    },
  );

  it("a killed process leaves a reservation that the reconciler finishes [completions.5.reconciled]", async () => {
    // Killed after the first commit: nothing more of it is ever heard.
    const killed: Core = { ...app.core, store: dying(store, { before: "read" }) };
    void createPaymentLinks
      .call(
        book.admin,
        { links: [ask(owing), ask(owing, 1)] },
        { core: killed, requestId: "r", idempotencyKey: "key-1" },
      )
      .catch(() => undefined);
    while ((await states()).length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await states()).toEqual(["reserved", "reserved"]);
    app.clock.advance(2 * MINUTE);
    await finishLinks(app.core);
    expect(await states()).toEqual(["active", "active"]);
    expect(atStripe()).toHaveLength(2);
    expect(await audited()).toEqual(["createPaymentLinks succeeded true"]);
  });

  it("a killed process after the provider made them: repeated or reconciled, there is one each [completions.5.reconciled]", async () => {
    const killed: Core = { ...app.core, store: dying(store, { before: "second write" }) };
    const links = [ask(owing), ask(owing, 1)];
    void createPaymentLinks
      .call(book.admin, { links }, { core: killed, requestId: "r", idempotencyKey: "key-1" })
      .catch(() => undefined);
    while (atStripe().length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    const inFlight = await askOverRest(app, book, { links }, "key-1");
    expect(refusedBy(inFlight)).toMatchObject({ code: "conflict" });
    app.clock.advance(MINUTE);
    const again = await askOverRest(app, book, { links }, "key-1");
    expect(again.status).toBe(201);
    expect(atStripe()).toHaveLength(2);
    expect(await states()).toEqual(["active", "active"]);
  });

  it("one refused for good refuses all, and what was made is withdrawn [completions.5.all-or-nothing]", async () => {
    const links = [ask(owing, 1), ask(owing, 0, 10)];
    const refused = await askOverRest(app, book, { links }, "key-1");
    expect(refusedBy(refused)).toEqual({ status: 400, code: "validation_failed", fields: ["links[1].amount_minor"] });
    expect(await states()).toEqual(["withdrawn", "withdrawn"]);
    expect(atStripe()).toEqual([{ id: expect.any(String), active: false }]);
    expect(await available()).toEqual(["100.00", "200.00"]);
    expect(await audited()).toEqual(["createPaymentLinks failed true"]);
    expect((await book.links()).some((link) => link.withdrawal_due)).toBe(false);
    const mended = await askOverRest(app, book, { links: links.slice(0, 1) }, "key-1");
    expect(mended.status).toBe(201);
  });

  it.each(["401", "403"] as const)(
    "a provider that answers %s leaves nothing [service.7.integration_unavailable]",
    async (mode) => {
      const [code, status] = ["integration_unavailable", 422];
      app.stripe.control({ mode });
      expect(refusedBy(await askOverRest(app, book, ask(owing), "key-1"))).toMatchObject({ status, code });
      expect(await states()).toEqual(["withdrawn"]);
      expect(await available()).toEqual(["100.00", "200.00"]);
      expect(atStripe()).toEqual([]);
      app.stripe.control({ mode: "ok" });
      expect((await askOverRest(app, book, ask(owing), "key-1")).status).toBe(201);
    },
  );

  it("a withdrawal the provider did not hear of is told again until it does [completions.5.withdrawn]", async () => {
    // The second link is refused, and from then on nothing gets through.
    app.stripe.control({ mode: "drop", after: 2 });
    await askOverRest(app, book, { links: [ask(owing, 1), ask(owing, 0, 10)] }, "key-1");
    expect(atStripe()).toEqual([{ id: expect.any(String), active: true }]);
    expect(await available()).toEqual(["100.00", "200.00"]);
    app.clock.advance(MINUTE);
    expect(await finishLinks(app.core)).toBe(1);
    expect(atStripe()).toMatchObject([{ active: true }]);
    app.stripe.control({ mode: "ok" });
    app.clock.advance(2 * MINUTE);
    expect(await finishLinks(app.core)).toBe(1);
    expect(atStripe()).toMatchObject([{ active: false }]);
    expect(await finishLinks(app.core)).toBe(0);
  });

  it("what a clock that was wrong put off by days is settled now [completions.5.wrong-clock]", async () => {
    await callOnce(app.core, createPaymentLink, book.admin, ask(owing));
    app.clock.advance(40 * 24 * HOUR);
    await become("disputed");
    const { invoice_id: invoiceId } = owing.invoice;
    await store.write(book.tenantId, (tx) => reviewActiveLinks(tx, app.core, book.tenantId, [invoiceId]));
    app.clock.advance(-40 * 24 * HOUR);
    expect(atStripe()).toMatchObject([{ active: true }]);
    await finishLinks(app.core);
    expect(atStripe()).toMatchObject([{ active: false }]);
    expect(await book.links()).toMatchObject([{ state: "deactivated", withdrawal_due: false }]);
  });

  it("one of a batch unclear and another refused: the unclear one is looked for and withdrawn [completions.5.withdrawn]", async () => {
    app.stripe.control({ mode: "drop_after", times: 2 });
    await askOverRest(app, book, { links: [ask(owing, 1), ask(owing, 0, 10)] }, "key-1");
    app.stripe.control({ mode: "ok" });
    for (let round = 0; round < 3; round += 1) {
      app.clock.advance(2 * MINUTE);
      await finishLinks(app.core);
    }
    expect(atStripe().filter((link) => link.active)).toEqual([]);
    expect((await states()).filter((state) => state !== "withdrawn")).toEqual([]);
    expect(await available()).toEqual(["100.00", "200.00"]);
  });

  it("refused after it was maybe made: it is looked for and withdrawn [completions.5.withdrawn]", async () => {
    app.stripe.control({ mode: "drop_after", times: 2 });
    await askOverRest(app, book, ask(owing), "key-1");
    app.stripe.control({ mode: "401", times: 1 });
    expect(refusedBy(await askOverRest(app, book, ask(owing), "key-1"))).toMatchObject({ status: 422 });
    expect(await states()).toEqual(["withdrawn"]);
    expect(atStripe()).toMatchObject([{ active: false }]);
  });

  it("a provider that is gone for a day is given up, and what it had made is withdrawn [completions.5.given-up]", async () => {
    app.stripe.control({ mode: "drop_after" });
    await askOverRest(app, book, ask(owing), "key-1");
    for (const hours of [1, 18]) {
      app.clock.advance(hours * HOUR);
      await finishLinks(app.core);
    }
    expect(await states()).toEqual(["reserved"]);
    expect(atStripe()).toHaveLength(1);
    app.clock.advance(HOUR);
    app.stripe.control({ mode: "ok" });
    await finishLinks(app.core);
    expect(await states()).toEqual(["withdrawn"]);
    expect(atStripe()).toMatchObject([{ active: false }]);
    expect(await audited()).toEqual(["createPaymentLink failed true"]);
    const anew = await askOverRest(app, book, ask(owing), "key-1");
    expect(anew.status).toBe(201);
  });

  it.each([
    ["the ERP has no more", (id: string) => retire(id)],
    ["is disputed", () => become("disputed")],
    ["is excluded", () => become("excluded")],
    ["is closed", () => become("closed")],
    ["is not finalised any more", () => become("not_finalised")],
    ["was removed", () => become("removed")],
  ])("nothing is asked for on an installment that %s meanwhile [completions.5.overtaken]", async (_, change) => {
    app.stripe.control({ mode: "drop_after", times: 2 });
    await askOverRest(app, book, ask(owing), "key-1");
    await change(owing.invoice.invoice_id);
    app.clock.advance(2 * MINUTE);
    await finishLinks(app.core);
    expect(await states()).toEqual(["withdrawn"]);
    expect(atStripe()).toMatchObject([{ active: false }]);
    expect(await audited()).toEqual(["createPaymentLink failed true"]);
    const again = await askOverRest(app, book, ask(owing), "key-1");
    expect(refusedBy(again)).toMatchObject({ status: 422, code: "installment_not_collectible" });
  });

  it("what was paid before its installment was disputed is made all the same [completions.5.overtaken]", async () => {
    app.stripe.control({ mode: "drop_after", times: 2 });
    await askOverRest(app, book, ask(owing, 0, 4_000), "key-1");
    const [reserved] = await book.links();
    await app.stripe.pay(reserved?.payment_link_id ?? "");
    await become("disputed");
    app.clock.advance(2 * MINUTE);
    await finishLinks(app.core);
    expect(await states()).toEqual(["paid"]);
  });

  it("whoever loses access while the provider works leaves no link [completions.1.outside-actor]", async () => {
    app.stripe.control({ mode: "ok", latency_ms: 300 });
    const refused = callOnce(app.core, createPaymentLink, book.admin, ask(owing), randomUUID()).catch(
      (error: unknown) => error,
    );
    while ((await states()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await act(revokeApiKey, { id: book.admin.keyId });
    expect(await refused).toMatchObject({ code: "revoked_credentials" });
    expect(await states()).toEqual(["withdrawn"]);
    expect(atStripe()).toMatchObject([{ active: false }]);
    expect(await audited()).toEqual(["createPaymentLink failed true"]);
  });
});

/** A store whose process is killed: what it is asked from then on never begins, nor ends. */
function dying(store: Store, { before }: { before: "read" | "second write" }): Store {
  let writes = 0;
  const never = new Promise<never>(() => undefined);
  return replacing(store, {
    read: (...args) => (before === "read" ? never : store.read(...args)),
    write: (...args) => {
      writes += 1;
      return writes > 1 ? never : store.write(...args);
    },
  });
}
