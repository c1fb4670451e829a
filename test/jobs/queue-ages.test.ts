import { describe, expect, it } from "vitest";
import { connectMailer } from "../../src/gateways/mail/index.ts";
import { sendLinkEmails } from "../../src/jobs/send-mails.ts";
import { insertLink, openOffice, partOf } from "../core/workflows/support.ts";
import { secondsWanted } from "../support/backlog.ts";
import { usePushWorld } from "../support/pushes.ts";
import { storesOf } from "../support/stores.ts";

const MINUTE = 60_000;

describe.each(storesOf(import.meta.url))("work that waits between two attempts on $name", ({ open }) => {
  const world = usePushWorld(open);
  const { core, clock, erp, pay, push } = world;

  it("has been wanted since its first: receipts while an ERP is away [contract.operation.queue-age]", async () => {
    await pay("one", "10");
    const wanted = () => secondsWanted(core, world.tenantId, "receipts");
    clock.advance(MINUTE);
    erp.control({ mode: "500" });
    for (let attempt = 0; attempt < 4; attempt += 1) {
      expect(await push()).toBe(1);
      clock.advance(15 * MINUTE);
      expect(await wanted()).toBe((attempt + 1) * 15 * 60);
    }
    erp.control({ mode: "ok" });
    expect(await push()).toBe(1);
    expect(await wanted()).toBe(0);
  });

  it("has been wanted since its sending time: emails of links while the mail server is away [contract.operation.queue-age]", async () => {
    const { tenantId, book } = await openOffice(core);
    const ids = partOf(await book.invoice({ customer_email: "pay@globex.example.test" }, [{}]));
    const sendAt = new Date(clock.now().getTime() + 2 * MINUTE).toISOString();
    const email = { email_to: "pay@globex.example.test", email_send_at: sendAt, email_next_attempt_at: sendAt };
    await insertLink(core, tenantId, ids, { email_status: "scheduled", ...email });
    const wanted = () => secondsWanted(core, tenantId, "link_emails");
    clock.advance(MINUTE);
    expect(await wanted()).toBe(0);
    clock.advance(MINUTE);
    const mailer = connectMailer({ smtpUrl: "smtp://127.0.0.1:1", outboxFolder: "/nowhere" });
    const publicOrigin = "https://receivables.example.test";
    await sendLinkEmails(core, { mailer, fromAddress: "no-reply@receivables.example.test", publicOrigin });
    clock.advance(MINUTE / 2);
    expect(await wanted()).toBe(30);
  });
});
