import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { connectErp } from "../../src/core/erp-connections/operations/connect-erp.ts";
import type { AnyActor } from "../../src/core/gate/actor.ts";
import { recordDone } from "../../src/core/gate/audit.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { createLocalInvoice } from "../../src/core/invoices/operations/create-local-invoice.ts";
import { disableWorkflow, enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import { readListFile } from "../support/csv.ts";
import { register, signInAndApprove } from "../support/oauth-client.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("the audit trail for an auditor on $name", ({ open }) => {
  const site = useAuthApp(open);

  /** A workspace in which an operator made a key and an invoice, and the key did something yesterday. */
  async function workspace() {
    const { core } = site.app;
    const { id: tenantId } = await site.app.addWorkspace();
    const { email, memberId } = await site.app.addPerson(tenantId);
    const { id: keyId } = await operate(core, tenantId, createApiKey, { name: "=Dunning", permission: "admin" });
    const facts = { number: "NW-1", currency: "USD", amount: "12.50", customerName: "Globex", installments: [] };
    const { id: invoiceId } = await operate(core, tenantId, createLocalInvoice, facts);
    const yesterday = { now: () => new Date(site.clock.now().getTime() - 24 * 3_600_000) };
    const record = (actor: AnyActor, operation: string, clock: { now(): Date } = site.clock) =>
      core.store.write(tenantId, (tx) =>
        recordDone(
          tx,
          { ...core, clock },
          { actor, operation, requestId: randomUUID() },
          { type: "invoice", id: invoiceId },
        ),
      );
    await record({ kind: "api_key", tenantId, keyId, permission: "admin" }, "dismissTask", yesterday);
    await record({ kind: "person", tenantId, memberId }, "connectIntegration");
    const day = (clock: { now(): Date }) =>
      new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Berlin" }).format(clock.now());
    return { tenantId, email, invoiceId, record, today: day(site.clock), yesterday: day(yesterday) };
  }

  const operationsOn = (html: string): string[] =>
    [...html.matchAll(/<data value="([^"]+)">/g)].map(([, name = ""]) => name);

  it("is narrowed by days of the workspace and by kinds of callers, sign-ins among them [completions.1.audit.filters]", async () => {
    const { email, today, yesterday } = await workspace();
    const browser = await site.app.signedIn(email);
    const found = async (query: string) => operationsOn((await browser.open(`/audit?${query}`)).html);
    expect(await found(`to=${yesterday}`)).toEqual(["dismissTask"]);
    expect(await found(`from=${today}&through=person`)).toEqual(
      expect.arrayContaining(["signIn", "connectIntegration"]),
    );
    expect(await found(`from=${today}`)).not.toContain("dismissTask");
    expect(await found("through=api_key")).toEqual(["dismissTask"]);
    expect(await found("operation=signIn")).toEqual(["signIn"]);
    expect(await found("through=operator")).toEqual(expect.arrayContaining(["createApiKey", "createLocalInvoice"]));
    expect(await found("through=operator")).not.toContain("signIn");
    const refused = await browser.open("/audit?from=yesterday");
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("the first not after the last")]);
  });

  it("has names in the place of ids, and leads to the invoice it is about [completions.1.audit.labels]", async () => {
    const { email, invoiceId } = await workspace();
    const browser = await site.app.signedIn(email);
    const page = await browser.open("/audit");
    expect(page.text).toContain("API key =Dunning");
    expect(page.text).toContain(`Member ${email}`);
    const link = new RegExp(`href="(/invoices/${invoiceId}[^"]*)"[^>]*>Invoice NW-1, Globex: 12.50 USD`).exec(
      page.html,
    )?.[1];
    const invoice = await browser.open(link ?? "");
    expect(invoice.heading).toContain("Invoice NW-1");
    expect(invoice.text).toContain("Dismiss task");
    const history = await browser.open(`/audit?invoice=${invoiceId}`);
    expect(new Set(operationsOn(history.html))).toEqual(
      new Set(["connectIntegration", "createLocalInvoice", "dismissTask"]),
    );
    expect((await browser.open("/audit?invoice=nothing")).status).toBe(404);
  });

  it("is a file, with the filters of the page and the number of its rows [pages.look.csv]", async () => {
    const { tenantId, email, record } = await workspace();
    const member = await site.app.addPerson(tenantId, { role: "member" });
    const browser = await site.app.signedIn(email);
    const file = await browser.open("/audit.csv?through=api_key");
    expect([file.status, file.headers.get("x-total-count")]).toEqual([200, "1"]);
    expect(readListFile(file.html).rows).toEqual([
      expect.objectContaining({
        ...{ who: "'=Dunning", through: "API key", operation: "Dismiss task", outcome: "succeeded" },
        ...{ invoice_number: "NW-1", customer_name: "Globex", amount: "12.50", currency: "USD" },
      }),
    ]);
    await record({ kind: "system", tenantId, name: "auto_generate" }, "createPaymentLink");
    const all = await browser.open("/audit.csv");
    expect(readListFile(all.html).rows).toContainEqual(expect.objectContaining({ who: "Auto Generate" }));
    expect(readListFile(all.html).rows).toHaveLength(Number(all.headers.get("x-total-count")));
    const reader = await site.app.signedIn(member.email);
    expect((await reader.open("/audit.csv")).status).toBe(403);
    const stranger = await site.app.addPerson((await site.app.addWorkspace()).id);
    expect((await (await site.app.signedIn(stranger.email)).open(`/audit.csv?workspace=${tenantId}`)).status).toBe(404);
  });

  it("are the pages': which workflow, which ERP, what was allowed [completions.1.audit.labels] [pages.look.names]", async () => {
    const { core, origin } = site.app;
    const { id: tenantId } = await site.app.addWorkspace();
    const { email } = await site.app.addPerson(tenantId);
    await operate(core, tenantId, enableWorkflow, { type: "auto_generate" });
    // While it is on, no ERP is connected whose invoices nobody has seen.
    await operate(core, tenantId, disableWorkflow, { type: "auto_generate" });
    const access = { url: "https://pod.fa.example.com/x", username: "SVC", password: "p", autoSync: false };
    await operate(core, tenantId, connectErp, { provider: "oracle_fusion", ...access });
    await signInAndApprove(origin, { email, password: PASSWORD, client: await register(origin) });
    const browser = new Browser(origin);
    await browser.submit(await browser.open("/signin"), "Sign in", { email, password: PASSWORD });
    const { text } = await browser.open("/audit");
    const erp = "Oracle Fusion";
    expect(text).toMatch(
      /Enable workflow Changed: name none → Auto Generate, enabled none → true, .* Workflow Auto Generate/,
    );
    expect(text).toContain(`Connect ERP ERP connection ${erp}`);
    expect((await browser.open("/erp-connections")).text).toContain(erp);
    expect(text).not.toContain(`${erp} at`);
    expect(text).toContain("Connect assistant Permissions: Read receivables; Issue and withdraw payment links");
    expect(text).not.toContain("payment_links:write");
  });
});
