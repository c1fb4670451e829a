import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AssistantActor } from "../../../src/core/gate/actor.ts";
import { claimLinkMessages } from "../../../src/core/payment-links/emails/claim-link-messages.ts";
import {
  cancelPaymentLinkEmail,
  reschedulePaymentLinkEmail,
} from "../../../src/core/payment-links/operations/emails.ts";
import { connectMailer } from "../../../src/gateways/mail/index.ts";
import { sendLinkEmails } from "../../../src/jobs/send-mails.ts";
import cancelTool from "../../../tools/cancel-payment-link-email.ts";
import rescheduleTool from "../../../tools/reschedule-payment-link-email.ts";
import { smtpServer } from "../../gateways/mail/support.ts";
import type { LinkChange } from "../../support/emailed-links.ts";
import { call, refusal } from "../../support/lists.ts";
import { newKey, openRestApp, type RestApp, send } from "../../support/rest-app.ts";
import { connectAssistant } from "../../support/rows.ts";
import { rowsOf } from "../../support/stored.ts";
import { A_STORE } from "../../support/thorough.ts";
import { emailDue, insertLink, openOffice, partOf, useOffice } from "../workflows/support.ts";

const NOW = "2026-03-10T15:00:00.000Z";
const SEND_AT = "2026-03-11T13:00:00.000Z";
const LATER = "2026-03-20T08:30:00.000Z";
const TO = "pay@globex.example.test";

describe.each(A_STORE)("a scheduled email of a payment link on $name", ({ open }) => {
  const { clock, core, office } = useOffice(open, NOW);
  let app: RestApp;
  let actor: AssistantActor;
  let key: string;
  beforeAll(async () => {
    app = await openRestApp(core, { limited: false });
  });
  afterAll(async () => {
    await app.close();
  });
  beforeEach(async () => {
    const scopes = ["receivables:read", "payment_links:write"] as const;
    actor = (await connectAssistant(core.store, office.tenantId, { role: "admin", scopes })).actor;
    key = await newKey(core, office.tenantId);
  });

  const scheduled = async (row: LinkChange = {}): Promise<string> => {
    const ids = partOf(await office.book.invoice({ customer_email: TO }, [{}]));
    return insertLink(core, office.tenantId, ids, {
      ...emailDue(TO, SEND_AT),
      ...row,
    });
  };
  const post = (linkId: string, verb: "reschedule" | "cancel", json?: object) =>
    send(`${app.url}/v1/payment-links/${linkId}/email/${verb}`, {
      method: "POST",
      key,
      ...(json === undefined ? {} : { json }),
    });
  const reschedule = (linkId: string, sendAt = LATER) =>
    call(core, reschedulePaymentLinkEmail, actor, { payment_link_id: linkId, send_at: sendAt });
  const cancel = (linkId: string) => call(core, cancelPaymentLinkEmail, actor, { payment_link_id: linkId });

  it("is moved, through either route, and goes out at the new time [completions.5.reschedule]", async () => {
    const linkId = await scheduled();
    const moved = await post(linkId, "reschedule", { send_at: "2026-03-20T09:30:00+01:00" });
    expect(moved).toMatchObject({
      status: 200,
      body: { id: linkId, status: "active", email: { status: "scheduled", to: TO, send_at: LATER, sent_at: null } },
    });
    const request = { core, requestId: "req_test" };
    const args = { payment_link_id: linkId, send_at: "2026-03-21T08:00:00Z" };
    expect(await rescheduleTool.call(actor, args, request)).toMatchObject({
      id: linkId,
      email: { status: "scheduled", send_at: "2026-03-21T08:00:00.000Z" },
    });
    const { port, delivered } = await smtpServer();
    const mailer = connectMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, outboxFolder: "/nowhere" });
    const sendDue = () =>
      sendLinkEmails(core, {
        mailer,
        fromAddress: "no-reply@receivables.example.test",
        publicOrigin: "https://receivables.example.test",
      });
    clock.set(SEND_AT);
    expect(await sendDue()).toBe(0);
    clock.set("2026-03-21T08:00:00.000Z");
    expect(await sendDue()).toBe(1);
    expect(delivered).toHaveLength(1);
  });

  it("is cancelled, and cancelling again changes nothing [completions.5.cancel]", async () => {
    const linkId = await scheduled();
    const cancelled = await post(linkId, "cancel");
    expect(cancelled).toMatchObject({ status: 200, body: { status: "active", email: { status: "cancelled" } } });
    expect((await post(linkId, "cancel")).body).toEqual(cancelled.body);
    expect(await cancelTool.call(actor, { payment_link_id: linkId }, { core, requestId: "r" })).toEqual(cancelled.body);
    expect((await post(linkId, "reschedule", { send_at: LATER })).status).toBe(409);
    clock.set(SEND_AT);
    expect(await claimLinkMessages(core, { limit: 5, leaseMs: 1_000 })).toEqual([]);
  });

  it.each(["sent", "failed", "cancelled", null] as const)(
    "cannot be moved once it is %s [completions.5.reschedule]",
    async (email_status) => {
      const linkId = await scheduled({ email_status });
      expect(await refusal(reschedule(linkId))).toMatchObject({ error: { code: "conflict" } });
      if (email_status !== "cancelled")
        expect(await refusal(cancel(linkId))).toMatchObject({ error: { code: "conflict" } });
    },
  );

  it("cannot be changed while it is being sent, or once its link has ended [completions.5.reschedule] [completions.5.cancel]", async () => {
    const sending = await scheduled({ email_next_attempt_at: NOW });
    await claimLinkMessages(core, { limit: 5, leaseMs: 60_000 });
    expect(await refusal(reschedule(sending))).toMatchObject({ error: { code: "conflict" } });
    expect(await refusal(cancel(sending))).toMatchObject({ error: { code: "conflict" } });
    clock.advance(60_000);
    expect(await cancel(sending)).toMatchObject({ email: { status: "cancelled" } });
    const paid = await scheduled({ state: "paid", paid_at: NOW });
    expect(await refusal(reschedule(paid))).toMatchObject({ error: { code: "conflict" } });
  });

  it("moves into the future alone, at most 365 days [completions.5.reschedule]", async () => {
    const linkId = await scheduled();
    for (const sendAt of [NOW, "2026-03-10T14:59:59Z", "2027-03-10T15:00:00.001Z", "soon", "2026-03-12", 7])
      expect(await post(linkId, "reschedule", { send_at: sendAt })).toMatchObject({
        status: 400,
        body: { error: { code: "validation_failed", details: [{ field: "send_at" }] } },
      });
    for (const sendAt of ["2026-03-10T15:00:00.001Z", "2027-03-10T15:00:00.000Z"])
      expect(await reschedule(linkId, sendAt)).toMatchObject({ email: { send_at: sendAt } });
  });

  it("is nobody else's: other workspaces, links that were never made, members and readonly keys [completions.5.cancel]", async () => {
    const reserved = await scheduled({ state: "reserved", url: null });
    const other = await openOffice(core);
    const ids = partOf(await other.book.invoice({}, [{}]));
    const foreign = await insertLink(core, other.tenantId, ids, { email_status: "scheduled" });
    for (const linkId of [reserved, foreign, randomUUID()]) {
      expect(await post(linkId, "cancel")).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
      expect((await post(linkId, "reschedule", { send_at: LATER })).status).toBe(404);
    }
    const linkId = await scheduled();
    const readonly = await newKey(core, office.tenantId, "readonly");
    key = readonly;
    expect((await post(linkId, "cancel")).status).toBe(403);
    const member = (await connectAssistant(core.store, office.tenantId, { scopes: ["payment_links:write"] })).actor;
    const request = { core, requestId: "req_test" };
    expect(await refusal(cancelTool.call(member, { payment_link_id: linkId }, request))).toMatchObject({
      error: { code: "permission_denied" },
    });
  });

  it("is moved and cancelled with an audit entry each [completions.1.audit-email]", async () => {
    const linkId = await scheduled();
    await reschedule(linkId);
    await cancel(linkId);
    const entries = await rowsOf(core.store, office.tenantId, "audit_entries", { actor_kind: "assistant" }, "at");
    const entry = { object_type: "payment_link", object_id: linkId, outcome: "succeeded" };
    expect(entries).toHaveLength(2);
    expect(entries).toContainEqual(expect.objectContaining({ operation: "reschedulePaymentLinkEmail", ...entry }));
    expect(entries).toContainEqual(expect.objectContaining({ operation: "cancelPaymentLinkEmail", ...entry }));
  });
});
