import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { type AssistantActor, SCOPES } from "../../../src/core/gate/actor.ts";
import { ServiceError } from "../../../src/core/kernel/error.ts";
import { createPaymentLink } from "../../../src/core/payment-links/operations/create-links.ts";
import createPaymentLinksTool from "../../../tools/create-payment-links.ts";
import { askOverRest, callOnce } from "../../support/collecting.ts";
import { errorOf } from "../../support/rest-app.ts";
import { connectAssistant } from "../../support/rows.ts";
import { STORES } from "../../support/stores.ts";
import { useCollecting } from "../../support/use-collecting.ts";

describe.each(STORES)("many payment links on $name", ({ open }) => {
  const { app, book, store } = useCollecting(open, "sandbox");
  let member: AssistantActor;

  beforeEach(async () => {
    member = (await connectAssistant(store, book.tenantId, { role: "admin", scopes: SCOPES })).actor;
  });

  async function asks(count: number): Promise<{ invoice_id: string }[]> {
    const owing = await book.owing(...Array.from({ length: count }, () => "100.00"));
    return owing.installments.map(({ installment_id }) => ({
      invoice_id: owing.invoice.invoice_id,
      installment_id,
      amount_minor: 1,
    }));
  }
  const issue = (links: readonly object[], actor = member, key: string = randomUUID()): Promise<unknown> =>
    createPaymentLinksTool
      .call(actor, { links, idempotency_key: key }, { core: app.core, requestId: "req_test" })
      .catch((thrown: unknown) => thrown);
  const codeOf = (outcome: unknown): string => (outcome instanceof ServiceError ? outcome.code : "issued");

  it("[contract.edges.links.hourly] an assistant connection issues 60 links an hour, exactly, and refused ones do not count", async () => {
    const links = await asks(12);
    const start = app.clock.now();
    // Of 12 at once, five fit; the rest is told when to come back.
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => issue(links)));
    expect(outcomes.map(codeOf).sort()).toEqual([...Array(5).fill("issued"), ...Array(7).fill("rate_limit_exceeded")]);
    const refused = outcomes.find((outcome) => outcome instanceof ServiceError);
    expect(refused).toMatchObject({ retryAfterSeconds: 3_600 });
    expect(await book.links()).toHaveLength(60);
    const other = (await connectAssistant(store, book.tenantId, { role: "admin", scopes: SCOPES })).actor;
    expect(codeOf(await issue(links.slice(0, 1), other))).toBe("issued");
    expect((await askOverRest(app, book, { links: links.slice(0, 2) })).status).toBe(201);
    app.clock.advance(3_599_000);
    expect(await issue(links.slice(0, 1))).toMatchObject({ retryAfterSeconds: 1 });
    app.clock.advance(1_000);
    const nowhere = { invoice_id: randomUUID(), installment_id: randomUUID() };
    for (let index = 0; index < 8; index += 1)
      expect(codeOf(await issue([...links.slice(0, 11), nowhere]))).toBe("not_found");
    for (let index = 0; index < 5; index += 1) expect(codeOf(await issue(links))).toBe("issued");
    expect(codeOf(await issue(links.slice(0, 1)))).toBe("rate_limit_exceeded");
    app.clock.set(start.toISOString());
  });

  it("[contract.edges.links.hourly] a replay is answered beyond the limit too", async () => {
    const links = await asks(12);
    const first = await issue(links, member, "again");
    for (let index = 0; index < 4; index += 1) await issue(links);
    expect(codeOf(await issue(links))).toBe("rate_limit_exceeded");
    expect(await issue(links, member, "again")).toEqual(first);
  });

  it("[contract.edges.links.hourly] a request that waits for its invoice holds up no other of its connection", async ({
    skip,
  }) => {
    if (store.kind === "embedded") return skip("one connection");
    const [busy, free] = [await asks(1), await asks(1)];
    const [{ invoice_id: invoiceId } = { invoice_id: "" }] = busy;
    const [held, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = store.write(book.tenantId, async (tx) => {
      const invoice = tx.selectFrom("invoices").select("invoice_id").where("invoice_id", "=", invoiceId);
      await invoice.where("tenant_id", "=", book.tenantId).forUpdate().execute();
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const waiting = issue(busy);
    await setTimeout(500);
    const first = await Promise.race([issue(free).then(codeOf), waiting.then(() => "the other one")]);
    held.resolve();
    await holding;
    expect(first).toBe("issued");
    expect(codeOf(await waiting)).toBe("issued");
  });

  it("[contract.edges.links.live] an installment holds 12 live links, by every route, and the refusal names them", async () => {
    const [link] = await asks(1);
    if (link === undefined) throw new Error("no installment");
    for (let index = 0; index < 4; index += 1) await callOnce(app.core, createPaymentLink, book.admin, link);
    expect((await askOverRest(app, book, { links: Array.from({ length: 7 }, () => link) })).status).toBe(201);
    const tooMany = await askOverRest(app, book, { links: [link, link] });
    expect([tooMany.status, errorOf(tooMany.body).code]).toEqual([409, "conflict"]);
    expect((await book.links()).filter((row) => row.state === "active")).toHaveLength(11);
    expect(codeOf(await issue([link]))).toBe("issued");
    for (const refused of [
      errorOf((await askOverRest(app, book, link)).body),
      await issue([link]),
      await issue([{ ...link, amount_minor: undefined }]),
    ]) {
      expect(refused).toMatchObject({ code: "conflict" });
      for (const { payment_link_id: id } of await book.links())
        expect(refused).toMatchObject({ message: expect.stringContaining(id) });
    }
    const [live] = await book.links();
    const path = `${app.url}/v1/payment-links/${live?.payment_link_id}/deactivate`;
    await fetch(path, { method: "POST", headers: { authorization: `Bearer ${book.key}` } });
    expect(codeOf(await issue([link]))).toBe("issued");
  });
});
