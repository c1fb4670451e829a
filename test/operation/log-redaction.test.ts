import { randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { inviteMember } from "../../auth/invitations/invite-member.ts";
import { invitationToken } from "../../src/core/accounts/invitation-token.ts";
import { generateBook } from "../../src/simulators/fusion/book.ts";
import { createFusionSimulator, type FusionSimulator } from "../../src/simulators/fusion/index.ts";
import { serviceLog } from "../../src/telemetry/log.ts";
import { terminalOn } from "../admin/support.ts";
import { actAs } from "../support/acting.ts";
import { openBook } from "../support/book.ts";
import { callOverWire } from "../support/mcp-call.ts";
import { postToken, refresh, signInAndApprove } from "../support/oauth-client.ts";
import { peopleOf } from "../support/people.ts";
import { newKey, send } from "../support/rest-app.ts";
import { freePort, spawnServer } from "../support/server.ts";
import { type RunningService, startService } from "../support/service.ts";
import { rowsOf } from "../support/stored.ts";
import { A_KIND } from "../support/stores.ts";

/** Secrets that stand in for real ones, each easy to find. */
const SECRETS = {
  encryptionKey: Buffer.alloc(32, "K").toString("base64"),
  smtp: "smtp-p4ss-sentinel",
  database: "database-p4ss-sentinel",
  erp: "erp-p4ss-sentinel",
  wrongErp: "wrong-erp-sentinel",
  stripe: "sk_test_sentinelsentinel",
  webhook: "whsec_sentinelsentinel",
  signature: "t=1,v1=signaturesentinel",
  person: "person p4ss sentinel",
  wrongPerson: "wrong person sentinel",
  wrongKey: "rcv_wrongkeysentinelwrongkeysentinelwrong",
  wrongToken: "eyJwrong.tokensentinel.sentinel",
  query: "query-token-sentinel",
  code: "code-sentinel",
  verifier: "verifier-sentinel-verifier-sentinel-verifier-sentinel",
} as const;

describe("the log of a busy service", () => {
  let log = "";
  let metrics = "";
  let service: RunningService;
  let erp: FusionSimulator;
  const handedOut: string[] = [];

  beforeAll(async () => {
    const sink = new Writable({
      write(chunk, _encoding, done) {
        log += String(chunk);
        done();
      },
    });
    erp = createFusionSimulator({
      credentials: { username: "U", password: SECRETS.erp },
      ...generateBook({ seed: 3, today: "2026-03-10", invoices: 5 }),
    });
    await erp.listen();
    const metricsPort = String(await freePort());
    service = await startService(A_KIND, {
      log: serviceLog("trace", sink),
      environment: {
        ENCRYPTION_KEY: SECRETS.encryptionKey,
        METRICS_PORT: metricsPort,
        // Nobody listens there: mail fails.
        SMTP_URL: `smtp://mailer:${SECRETS.smtp}@127.0.0.1:${await freePort()}`,
      },
    });
    await work();
    metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  });
  afterAll(async () => {
    await service?.close();
    await erp.close();
  });

  async function work(): Promise<void> {
    const { core, url } = service;
    const book = await openBook(core.store, { name: "Busy" });
    await core.store.write(book.tenantId, (tx) => tx.deleteFrom("erp_connections").execute());
    const key = await newKey(core, book.tenantId);
    const { email, memberId } = await peopleOf(core).addPerson(book.tenantId);
    await operate(email);

    const assistant = await signInAndApprove(url, { email, password: SECRETS.person });
    const refreshed = await refresh(url, assistant.client, assistant.refreshToken);
    const cookie = assistant.browser.cookie("session") ?? "";
    handedOut.push(key, assistant.accessToken, assistant.refreshToken, cookie, await refreshed.text());
    await assistants(assistant.accessToken);
    await assistant.browser.open("/invoices");
    await postToken(url, assistant.client, {
      grant_type: "authorization_code",
      code: SECRETS.code,
      code_verifier: SECRETS.verifier,
    });
    await systems(key);
    await browsers();

    const invitationId = await invited(book.tenantId, memberId);
    const token = invitationToken(core, invitationId);
    handedOut.push(token);
    await send(`${url}/invitations/${token}`);
    await vi.waitFor(() => expect(log).toContain("mail.delayed"), { timeout: 30_000 });
  }

  /** At the terminal: an ERP that refuses and one that answers, a payment provider that is away. */
  async function operate(email: string): Promise<void> {
    const admin = terminalOn(service.core);
    await admin(`member add --workspace Busy --email ${email} --role admin --password-stdin`, SECRETS.person);
    const connect = `erp connect --workspace Busy --provider oracle_fusion --url ${erp.url} --user U --auto-sync off --password-stdin`;
    await admin(connect, SECRETS.wrongErp);
    await admin("erp sync --workspace Busy --wait");
    await admin("erp reconnect --workspace Busy --password-stdin", SECRETS.erp);
    expect(await admin("erp sync --workspace Busy --wait")).toMatchObject({ code: 0 });
    await admin(
      `integration connect --workspace Busy --provider stripe --currencies USD --secret-key-stdin --api-base http://127.0.0.1:${await freePort()}`,
      `${SECRETS.stripe}\n${SECRETS.webhook}\n`,
    );
  }

  async function assistants(token: string): Promise<void> {
    await (await callOverWire(service, token, { name: "get_context" })).text;
    await (await callOverWire(service, token, { name: "get_invoice", arguments: { invoice_id: SECRETS.query } })).text;
    await (await callOverWire(service, SECRETS.wrongToken, { name: "get_context" })).text;
    await send(`${service.url}/mcp?access_token=${SECRETS.query}`, { method: "POST" });
  }

  async function systems(key: string): Promise<void> {
    const { url } = service;
    await send(`${url}/v1/invoices?api_key=${SECRETS.query}`, { key });
    await send(`${url}/v1/invoices`, { key: SECRETS.wrongKey });
    await send(`${url}/v1/invoices/${key}`, { key });
    await send(`${url}/v1/payment-links`, { key, method: "POST", json: { secret: SECRETS.query } });
    await send(`${url}/webhooks/stripe/${randomUUID()}`, {
      method: "POST",
      json: { secret: SECRETS.query },
      headers: { "Stripe-Signature": SECRETS.signature },
    });
  }

  async function browsers(): Promise<void> {
    const form = new URLSearchParams({ email: "nobody@example.com", password: SECRETS.wrongPerson });
    await fetch(`${service.url}/signin`, {
      method: "POST",
      body: form,
      headers: { cookie: `session=${SECRETS.query}` },
    });
    await fetch(`${service.url}/pay/${"p".repeat(64)}?token=${SECRETS.query}`);
  }

  async function invited(tenantId: string, memberId: string): Promise<string> {
    await actAs(service.core, { tenantId, memberId }, inviteMember, { email: "new@example.com", role: "member" });
    const [row] = await rowsOf(service.core.store, null, "invitations");
    return row?.invitation_id ?? "";
  }

  it("tells what went right and wrong [contract.operation.log-redaction]", () => {
    const messages = log
      .trim()
      .split("\n")
      .map((line): string => JSON.parse(line).msg);
    for (const named of ['"workspace":"Busy"', '"key":"admin"']) expect(log).toContain(named);
    for (const told of ["request", "mcp.tool_call", "sync_run.failed", "sync_run.succeeded", "mail.delayed"])
      expect(messages).toContain(told);
    expect(log.split("\n").length).toBeGreaterThan(20);
  });

  it("names the workspace of assistants, pages and syncs, and has no stack of an ERP that fails [contract.http.log-names]", () => {
    const lines = log
      .trim()
      .split("\n")
      .map((line): Record<string, unknown> => JSON.parse(line));
    const called = lines.filter(({ path, status }) => path === "/mcp" && status === 200);
    expect(called.length).toBeGreaterThan(0);
    for (const line of called) expect(line).toMatchObject({ workspace: "Busy", assistant: expect.any(String) });
    expect(lines.filter(({ path }) => path === "/invoices")).toMatchObject([{ workspace: "Busy" }]);
    const failed = lines.filter(({ msg }) => msg === "sync_run.failed");
    expect(failed).toMatchObject([
      { workspace: "Busy", code: "authentication_failed", reason: expect.stringMatching(/^[^\n]+$/) },
    ]);
    expect(failed[0]).not.toHaveProperty("err");
    expect(failed[0]).not.toHaveProperty("tenantId");
  });

  it("is told in figures as well [contract.operation.metrics]", () => {
    for (const told of [
      'outside_call_duration_count{system="erp",operation="read",outcome="401"}',
      'outside_call_duration_count{system="erp",operation="read",outcome="ok"}',
      'outside_call_duration_count{system="payments",operation="read",outcome="unreachable"}',
      'outside_call_duration_count{system="mail",operation="send",outcome="temporary"}',
      'job_duration_count{job="pull_invoices",outcome="authentication_failed"} 1',
      'job_duration_count{job="pull_invoices",outcome="ok"} 1',
      'erp_connections{status="connected"} 1',
    ])
      expect(metrics).toContain(`receivables_${told}`);
  });

  it("holds no secret, in whatever form [contract.operation.log-redaction]", () => {
    expect(handedOut.length).toBeGreaterThan(4);
    for (const secret of [
      ...Object.values(SECRETS),
      ...handedOut.flatMap((text) => text.match(/[\w.-]{20,}/g) ?? []),
    ]) {
      const forms = [
        secret,
        encodeURIComponent(secret),
        Buffer.from(secret)
          .toString("base64")
          .replace(/.{3}=*$/, ""),
      ];
      for (const form of forms) expect((log + metrics).includes(form), form).toBe(false);
    }
    expect(log).not.toMatch(/Basic [A-Za-z0-9+/]{8}|Bearer [\w.-]{8}|p{40}|eyJ[\w-]{10}/);
  });

  it("nor does a start that fails [contract.operation.log-redaction]", async () => {
    const run = spawnServer({
      PORT: String(await freePort()),
      DATABASE_URL: `postgres://receivables:${SECRETS.database}@127.0.0.1:${await freePort()}/receivables`,
      ENCRYPTION_KEY: SECRETS.encryptionKey,
      SMTP_URL: `smtp://mailer:${SECRETS.smtp}@127.0.0.1:25`,
    });
    expect(await run.exited).toBe(1);
    const said = run.stdout() + run.stderr();
    expect(said).toContain("DATABASE_URL: no PostgreSQL at");
    for (const secret of [SECRETS.database, SECRETS.encryptionKey, SECRETS.smtp]) expect(said).not.toContain(secret);
  });
});
