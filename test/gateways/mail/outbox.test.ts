import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectMailer } from "../../../src/gateways/mail/index.ts";
import { failure, message } from "./support.ts";

function outbox() {
  const data = mkdtempSync(join(tmpdir(), "outbox-"));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const folder = join(data, "outbox");
  return { folder, mailer: connectMailer({ smtpUrl: null, outboxFolder: folder }) };
}

describe("the outbox", () => {
  it("holds a message as it would be sent, for the service alone [completions.7.outbox]", async () => {
    const { folder, mailer } = outbox();
    const sent = message();
    const accepted = await mailer.send(sent);
    const name = `${sent.messageId}.eml`;
    expect(accepted).toEqual({ messageId: `<${sent.messageId}@acme.example>`, response: `outbox/${name}` });
    expect(readdirSync(folder)).toEqual([name]);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const email = await PostalMime.parse(readFileSync(join(folder, name)));
    expect(email).toMatchObject({
      subject: sent.subject,
      from: sent.from,
      to: [{ address: sent.to }],
      messageId: accepted.messageId,
    });
    expect(email.text?.trimEnd()).toBe(sent.text.trimEnd());
    expect(email.html?.trimEnd()).toBe(sent.html);
    expect(readFileSync(join(folder, name), "utf8")).not.toMatch(/[^\r]\n/);
  });

  it("holds a message once, however often and at once it is sent [completions.7.outbox]", async () => {
    const { folder, mailer } = outbox();
    await mailer.send(message({ subject: "first" }));
    await Promise.all(Array.from({ length: 20 }, () => mailer.send(message({ subject: "again" }))));
    await mailer.send(message({ messageId: "another" }));
    expect(readdirSync(folder).sort()).toEqual([`${message().messageId}.eml`, "another.eml"]);
    const email = await PostalMime.parse(readFileSync(join(folder, `${message().messageId}.eml`)));
    expect(email.subject).toBe("again");
    expect(email.html?.trimEnd()).toBe(message().html);
  });

  it("that cannot be written is a temporary failure, and leaves nothing half done", async () => {
    const { folder, mailer } = outbox();
    writeFileSync(folder, "in the way");
    const error = await failure(mailer.send(message()));
    expect(error).toMatchObject({ kind: "temporary", publicMessage: "The outbox folder cannot be written to." });
    expect(error.message).not.toContain(folder);
    rmSync(folder);
    mkdirSync(join(folder, `${message().messageId}.eml`, "in the way"), { recursive: true });
    expect((await failure(mailer.send(message()))).kind).toBe("temporary");
    expect(readdirSync(folder)).toEqual([`${message().messageId}.eml`]);
    rmSync(folder, { recursive: true });
    await mailer.send(message());
    expect(readdirSync(folder)).toEqual([`${message().messageId}.eml`]);
  });
});
