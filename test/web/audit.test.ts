import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { removeMember } from "../../auth/members/remove-member.ts";
import type { Actor, OperatorActor, PersonActor } from "../../src/core/gate/actor.ts";
import { recordDone } from "../../src/core/gate/audit.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { createLocalInvoice } from "../../src/core/invoices/operations/create-local-invoice.ts";
import { money } from "../../src/core/kernel/money.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import type { BrowserPage } from "../support/browser.ts";
import { recordConfirmedPayment } from "../support/confirmed-payment.ts";
import { register, signInAndApprove } from "../support/oauth-client.ts";
import { setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

const NONE = "no link";

describe.each(A_STORE)("the page of the audit trail on $name", ({ open }) => {
  const site = useAuthApp(open);

  async function connect(email: string, clientName: string): Promise<void> {
    const { origin } = site.app;
    await signInAndApprove(origin, {
      email,
      password: PASSWORD,
      client: await register(origin, { client_name: clientName }),
    });
  }
  async function record(
    actor: Actor | OperatorActor | PersonActor,
    operation: string,
    changed = { type: "payment_link", id: String(randomUUID()) },
  ) {
    const requestId = `request-${randomUUID()}`;
    const act = { actor, operation, requestId };
    await site.app.core.store.write(actor.tenantId, (tx) => recordDone(tx, site.app.core, act, changed));
    return { objectId: changed.id, requestId };
  }
  /** The newest connection of a workspace, as its assistant acts. */
  async function assistantOf(tenantId: string): Promise<Extract<Actor, { kind: "assistant" }>> {
    const { connection_id: connectionId, member_id: memberId } = await site.app.core.store.read(tenantId, (tx) =>
      tx
        .selectFrom("assistant_connections")
        .select(["connection_id", "member_id"])
        .where("tenant_id", "=", tenantId)
        .orderBy("created_at", "desc")
        .executeTakeFirstOrThrow(),
    );
    const acting = { kind: "assistant", readsOnly: false, role: "admin", scopes: ["payment_links:write"] } as const;
    return { ...acting, tenantId, memberId, connectionId };
  }
  const rowsOf = (page: BrowserPage): string[] =>
    [...page.html.matchAll(/<tr>([\s\S]*?)<\/tr>/g)]
      .map(([, row = ""]) => row)
      .filter((row) => row.includes("<td"))
      .map((row) =>
        row
          .replace(/<wbr>|(<[^>]+>)/g, (_, tag) => (tag === undefined ? "" : " "))
          .replace(/\s+/g, " ")
          .trim(),
      );

  it("names the person and their assistant, the key or the operator, with what they did [completions.1.audit.page]", async () => {
    const { tenantId, email, memberId, browser } = await site.app.newcomer();
    const { id: keyId } = await operate(site.app.core, tenantId, createApiKey, {
      name: "Dunning job",
      permission: "admin",
    });
    await connect(email, "Claude");
    const now = site.clock.now();
    const at = now.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "Europe/Berlin" });
    const byKey = await record({ kind: "api_key", tenantId, keyId, permission: "admin" }, "createPaymentLinks");
    const byAssistant = await record(await assistantOf(tenantId), "deactivatePaymentLink");
    const byPage = await record({ kind: "person", tenantId, memberId }, "connectIntegration");

    const page = await browser.open("/audit");
    expect(page.status).toBe(200);
    expect(page.heading).toBe("Audit trail");
    expect(page.text).toContain("Times are in Europe/Berlin.");
    const rows = rowsOf(page);
    const of = ({ requestId }: { requestId: string }) => rows.find((row) => row.includes(requestId));
    const tail = ({ objectId, requestId }: typeof byKey) =>
      `Payment link Succeeded Ids object ${objectId} request ${requestId}`;
    expect(of(byKey)).toBe(`${at} Dunning job API key Create several payment links ${tail(byKey)}`);
    expect(of(byAssistant)).toBe(`${at} ${email} Assistant Claude Withdraw payment link ${tail(byAssistant)}`);
    expect(page.html).toContain(`<time datetime="${now.toISOString()}">`);
    expect(of(byPage)).toContain(`${email} These pages Connect integration`);
    expect(rows.some((row) => /Operator Terminal Create API key/.test(row))).toBe(true);
  });

  it("calls payments and invoices what people call them, and knows no other workspace's [completions.1.audit.labels]", async () => {
    const { tenantId, memberId, browser } = await site.app.newcomer();
    const other = await site.app.newcomer();
    const { core } = site.app;
    const book = async (owner: string, number: string) => {
      const facts = { number, currency: "USD", amount: "1234.5", customerName: "Harbor <b>Foods", installments: [] };
      const { id: invoiceId } = await operate(core, owner, createLocalInvoice, facts);
      const payment = { tenantId: owner, invoiceId, installmentId: null, amount: money("1000") };
      const paymentId = await core.store.write(owner, (tx) => recordConfirmedPayment(tx, core, payment));
      await setRows(core.store, owner, "payments", { erp_receipt_number: "PAY-1" }, { payment_id: paymentId });
      return { invoiceId, paymentId };
    };
    const mine = await book(tenantId, "NW-1");
    const more = await book(tenantId, "NW-2");
    const theirs = await book(other.tenantId, "FOREIGN-1");
    const audited = async (type: string, id: string) => {
      const { requestId } = await record({ kind: "person", tenantId, memberId }, "pushPayment", { type, id });
      return requestId;
    };
    const requests = {
      payment: await audited("payment", mine.paymentId),
      invoice: await audited("invoice", mine.invoiceId),
      batch: await audited("payment_batch", `${mine.paymentId} ${more.paymentId}`),
      foreign: await audited("payment", theirs.paymentId),
      odd: await audited("payment", "no id"),
    };
    const page = await browser.open("/audit");
    const rows = rowsOf(page);
    const of = (request: string) => rows.find((row) => row.includes(request));
    const debt = (number: string) => `Invoice ${number}, Harbor &lt;b&gt;Foods`;
    expect(of(requests.payment)).toContain(`Payment ${debt("NW-1")}: 1,000.00 USD, receipt PAY-1 Succeeded`);
    expect(of(requests.invoice)).toContain(`Invoice ${debt("NW-1")}: 1,234.50 USD Succeeded Ids`);
    expect(of(requests.batch)).toContain(
      `Payment batch ${debt("NW-1")}: 1,000.00 USD, receipt PAY-1 ${debt("NW-2")}: 1,000.00 USD, receipt PAY-1 `,
    );
    expect(of(requests.foreign)).toContain(`Payment Succeeded Ids object ${theirs.paymentId}`);
    expect(of(requests.odd)).toContain("Payment Succeeded Ids object no id");
    expect(page.html).not.toContain("FOREIGN-1");
  });

  it("walks every entry once, newest first, while new ones come [completions.1.audit.pages]", async () => {
    const { tenantId, memberId, browser } = await site.app.newcomer();
    const actor = { kind: "person", tenantId, memberId } as const;
    const recorded: string[] = [];
    for (let count = 0; count < 120; count += 1) {
      if (count % 3 === 0) site.clock.advance(1_000);
      recorded.push((await record(actor, "deactivatePaymentLink")).requestId);
    }
    let page = await browser.open("/audit?operation=deactivatePaymentLink");
    expect(page.linkTo("Newest")).toBe(NONE);
    const seen = rowsOf(page);
    for (let older = page.linkTo("Older"); older !== NONE; older = page.linkTo("Older")) {
      await record(actor, "deactivatePaymentLink");
      page = await browser.open(older);
      expect(page.status).toBe(200);
      seen.push(...rowsOf(page));
    }
    const requests = seen.map((row) => row.split(" ").at(-1) ?? "");
    expect([...requests].sort()).toEqual([...recorded].sort());
    const second = (request: string) => Math.floor(recorded.indexOf(request) / 3);
    expect(requests.map(second)).toEqual(requests.map(second).sort((a, b) => b - a));
    const newest = page.linkTo("Newest");
    expect(rowsOf(await browser.open(newest))).toHaveLength(50);
    expect(newest).toContain("operation=deactivatePaymentLink");
  });

  it("opens no page by a cursor of other filters, another workspace or nobody [completions.1.audit.pages]", async () => {
    const { tenantId, memberId, browser } = await site.app.newcomer();
    const other = await site.app.newcomer();
    for (const one of [{ tenantId, memberId }, other])
      for (let count = 0; count < 51; count += 1) await record({ kind: "person", ...one }, "deactivatePaymentLink");
    const cursor = new URL((await browser.open("/audit")).linkTo("Older"), site.app.origin).searchParams.get("cursor");
    const foreign = await other.browser.open(`/audit?cursor=${cursor}`);
    const refiltered = await browser.open(`/audit?operation=deactivatePaymentLink&cursor=${cursor}`);
    const altered = await browser.open(`/audit?cursor=${cursor}x`);
    for (const page of [foreign, refiltered, altered]) {
      expect(page.status).toBe(400);
      expect(page.text).toContain("That page cannot be opened");
      expect(rowsOf(page)).toHaveLength(50);
    }
    expect(foreign.html).not.toContain(memberId);
  });

  it("is narrowed by person, connection and operation, alone or together [completions.1.audit.filters]", async () => {
    const { tenantId, email, memberId, browser } = await site.app.newcomer();
    const second = await site.app.addPerson(tenantId, { role: "admin" });
    await connect(second.email, "ChatGPT");
    const assistant = await assistantOf(tenantId);
    const mine = await record({ kind: "person", tenantId, memberId }, "createPaymentLinks");
    const theirs = await record({ kind: "person", tenantId, memberId: second.memberId }, "createPaymentLinks");
    const through = await record(assistant, "dismissTask");
    const all = await browser.open("/audit");
    const option = (label: string) => new RegExp(`<option value="([^"]+)"[^>]*>${label}`).exec(all.html)?.[1] ?? "";
    const found = async (query: Record<string, string>) => {
      const page = await browser.open(`/audit?${new URLSearchParams({ ...all.formWith("Apply").fields, ...query })}`);
      return rowsOf(page).map((row) => row.split(" ").at(-1));
    };
    // The newcomer has signed in, too.
    expect(await found({ person: option(email), operation: "createPaymentLinks" })).toEqual([mine.requestId]);
    expect(await found({ person: option(email) })).toHaveLength(2);
    const ofSecond = await found({ person: option(second.email), connection: "" });
    expect(ofSecond).toEqual(expect.arrayContaining([theirs.requestId, through.requestId]));
    expect(ofSecond).not.toContain(mine.requestId);
    expect(await found({ connection: option("ChatGPT") })).toEqual([through.requestId]);
    expect(await found({ person: option(second.email), operation: "createPaymentLinks" })).toEqual([theirs.requestId]);
    expect(await found({ person: option(email), connection: option("ChatGPT") })).toEqual([]);
    const narrowed = await browser.open(`/audit?operation=dismissTask`);
    expect(narrowed.html).toContain('<option value="dismissTask" selected>Dismiss task</option>');
    expect(narrowed.linkTo("Clear all")).toBe(`/audit?workspace=${tenantId}`);
  });

  it("keeps what a person did under their name after they left and came back [completions.1.audit.filters]", async () => {
    const { tenantId, browser } = await site.app.newcomer();
    const { email, memberId } = await site.app.addPerson(tenantId);
    const before = await record({ kind: "person", tenantId, memberId }, "dismissTask");
    await operate(site.app.core, tenantId, removeMember, { member: { email } });
    const again = await site.app.addPerson(tenantId, { email });
    expect(again.memberId).not.toBe(memberId);
    const after = await record({ kind: "person", tenantId, memberId: again.memberId }, "dismissTask");
    const all = await browser.open("/audit");
    const options = [...all.html.matchAll(/<option value="([^"]+)"[^>]*>([^<]*)</g)].filter(([, , of]) => of === email);
    expect(options).toHaveLength(1);
    const rows = rowsOf(await browser.open(`/audit?person=${options[0]?.[1]}`));
    expect(new Set(rows.map((row) => row.split(" ").at(-1)))).toEqual(new Set([before.requestId, after.requestId]));
  });

  it("tells an admin of several workspaces of one at a time, and of no other [completions.1.audit.admins]", async () => {
    const first = await site.app.newcomer("admin", (await site.app.addWorkspace({ name: "Alpha" })).id);
    const beta = await site.app.addWorkspace({ name: "Beta" });
    const { memberId } = await site.app.addPerson(beta.id, { email: first.email });
    const foreign = await site.app.newcomer("admin", (await site.app.addWorkspace({ name: "Gamma" })).id);
    const member = await site.app.addWorkspace({ name: "Delta" });
    await site.app.addPerson(member.id, { email: first.email, role: "member" });
    const inAlpha = await record({ kind: "person", ...first }, "dismissTask");
    const inBeta = await record({ kind: "person", tenantId: beta.id, memberId }, "pushHeldPayments");
    const page = await first.browser.open("/audit");
    expect(page.text).toContain("Alpha Beta");
    expect(page.text).not.toContain("Gamma");
    expect(page.text).not.toContain("Delta");
    expect(page.text).toContain(inAlpha.requestId);
    expect(page.text).not.toContain(inBeta.requestId);
    const chosen = await first.browser.open(page.linkTo("Beta"));
    expect(chosen.text).toContain(inBeta.requestId);
    expect(chosen.text).not.toContain(inAlpha.requestId);
    expect(chosen.html).not.toContain("dismissTask");
    const theirs = /<option value="([^"]+)"[^>]*>[^<]*@/.exec((await foreign.browser.open("/audit")).html)?.[1];
    for (const query of [
      `workspace=${foreign.tenantId}`,
      `workspace=${member.id}`,
      `person=${theirs}`,
      "person=nobody",
      `connection=${randomUUID()}`,
      "operation=pushHeldPayments",
    ])
      expect((await first.browser.open(`/audit?${query}`)).status, query).toBe(404);
    expect((await first.browser.open("/audit?operation=%00")).status).toBe(400);
  });

  it("shows the names that clients and keys give themselves as text alone [completions.1.audit.page]", async () => {
    const { tenantId, email, browser } = await site.app.newcomer();
    const hostile = '<script>alert("1")</script>\u202Eexe.';
    await connect(email, hostile);
    const key = await operate(site.app.core, tenantId, createApiKey, {
      name: `"><img src=x>${hostile}`,
      permission: "admin",
    });
    await record(await assistantOf(tenantId), "dismissTask");
    await record({ kind: "api_key", tenantId, keyId: key.id, permission: "admin" }, "dismissTask");
    // However a name came into the store, nothing in it disguises another.
    await setRows(site.app.core.store, tenantId, "api_keys", { name: `${key.name}\u202E` });
    const page = await browser.open("/audit");
    expect(page.html).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;exe.");
    expect(page.html).not.toMatch(/<script(?! src="\/assets\/page-)|<img|\u202E/);
  });
});
