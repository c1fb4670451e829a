import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectMailer, smtpMailer } from "../../../src/gateways/mail/index.ts";
import { type Letter, setLetter } from "../../../src/gateways/mail/letter.ts";
import { failure, message, nastyText, smtpServer } from "./support.ts";

const letter: Letter = {
  lang: "de-CH",
  sender: { name: "Acme & Söhne", foot: ["Seestrasse 1", "8001 Zürich"] },
  heading: "Invoice INV-1 from Acme & Söhne",
  paragraphs: ["Dear Pat,", "here is your payment link."],
  facts: [
    ["Amount", "USD 1,250.50"],
    ["Due", "2026-10-31"],
  ],
  action: { label: "Pay now", url: "https://pay.example/a?b=1&c=2" },
  notes: ["Questions? Reply."],
};

describe("a letter", () => {
  it("is set as text", () => {
    expect(setLetter(letter).text).toBe(
      [
        "Invoice INV-1 from Acme & Söhne",
        "",
        "Dear Pat,",
        "",
        "here is your payment link.",
        "",
        "Amount: USD 1,250.50",
        "Due: 2026-10-31",
        "",
        "Pay now:",
        "https://pay.example/a?b=1&c=2",
        "",
        "Questions? Reply.",
        "",
        "-- ",
        "Acme & Söhne",
        "Seestrasse 1",
        "8001 Zürich",
        "",
      ].join("\n"),
    );
  });

  it("is set as HTML that shows the same and fetches nothing", () => {
    const { html } = setLetter(letter);
    for (const shown of [
      "Invoice INV-1 from Acme &amp; Söhne",
      "Dear Pat,",
      "USD 1,250.50",
      "2026-10-31",
      "Questions? Reply.",
      "Seestrasse 1",
    ])
      expect(html).toContain(`>${shown}<`);
    expect(html).toContain('<a href="https://pay.example/a?b=1&amp;c=2"');
    expect(html).toContain('<html lang="de-CH">');
    expect(html).not.toMatch(/<(img|link|script|iframe)|url\(|@import/);
  });

  it("shows a logo that travels with it in the place of the name", () => {
    const logo = { source: "cid:logo", width: 120, height: 40 };
    const { html } = setLetter({ ...letter, sender: { ...letter.sender, logo } });
    expect(html).toContain('<img src="cid:logo" width="120" height="40" alt="Acme &amp; Söhne"');
  });

  it("needs neither facts nor an action", () => {
    const { text, html } = setLetter({ lang: "en", sender: { name: "Acme", foot: [] }, heading: "Hi", paragraphs: [] });
    expect(text).toBe("Hi\n\n-- \nAcme\n");
    expect(html).not.toMatch(/<table|<a /);
  });

  it("takes nothing in it for markup, or for a line of its own [completions.7.mail-injection]", () => {
    const marks = (html: string) => html.match(/<[^>]*>/g);
    const blank = (text: string): Letter => ({
      lang: "en",
      sender: { name: text, foot: [text] },
      heading: text,
      paragraphs: [text],
      facts: [[text, text]],
      action: { label: text, url: "https://pay.example/" },
      notes: [text],
    });
    const plain = setLetter(blank("x"));
    const nasty = fc.oneof(
      nastyText,
      fc.constantFrom(
        '"><script>alert(1)</script>',
        "' onmouseover='x",
        "<!--",
        "]]>",
        "a\r\nPay now:\nhttps://evil.example",
        "&lt;b&gt;",
      ),
    );
    const property = fc.property(nasty, (text) => {
      const set = setLetter(blank(`x${text}`));
      expect(marks(set.html)).toEqual(marks(plain.html));
      expect(set.text.split("\n")).toHaveLength(plain.text.split("\n").length);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "//x.example", "", "pay.example"])("never leads to %j", (url) => {
    expect(() => setLetter({ ...letter, action: { label: "Pay", url } })).toThrow(RangeError);
  });
});

describe("a message", () => {
  const bad: Array<[string, Parameters<typeof message>[0]]> = [
    ["no recipient", { to: "" }],
    ["two recipients", { to: "a@x.example, b@x.example" }],
    ["a recipient with a name", { to: "Pat <pat@x.example>" }],
    ["a recipient on two lines", { to: "a@x.example\r\nBcc: b@x.example" }],
    ["a recipient with a comment", { to: "a@x.example (b)" }],
    ["a group", { to: "all:a@x.example;" }],
    ["an invisible character in the recipient", { to: "a\u200b@x.example" }],
    ["a recipient without a domain", { to: "root" }],
    ["a sender that is none", { from: { address: "a@x.example\nX: y" } }],
    ["an id with a slash", { messageId: "../../etc/passwd" }],
    ["an id that starts with a dot", { messageId: ".hidden" }],
    ["an id on two lines", { messageId: "a\r\nBcc: b@x.example" }],
    ["no id", { messageId: "" }],
    ["an id that is too long", { messageId: "i".repeat(129) }],
  ];
  it.each(bad)("with %s is not sent [completions.7.mail-injection]", async (_, over) => {
    const { port, delivered } = await smtpServer();
    await expect(smtpMailer(`smtp://127.0.0.1:${port}`).send(message(over))).rejects.toThrow(RangeError);
    await expect(connectMailer({ smtpUrl: null, outboxFolder: "/dev/null/x" }).send(message(over))).rejects.toThrow(
      RangeError,
    );
    expect(delivered).toEqual([]);
  });

  it("has one subject and one sender whatever is in their words [completions.7.mail-injection]", async () => {
    const { port, delivered } = await smtpServer();
    const mailer = smtpMailer(`smtp://127.0.0.1:${port}`);
    const words = fc.oneof(
      nastyText,
      fc.constantFrom(
        "x\r\nBcc: evil@x.example",
        "x\n\nbody",
        "=?utf-8?Q?=0D=0ABcc:_evil@x.example?=",
        '"<evil@x.example>,',
      ),
    );
    let sent = 0;
    const property = fc.asyncProperty(words, words, async (subject, name) => {
      await mailer.send(
        message({ messageId: `m-${sent}`, subject: `S ${subject}`, from: { name, address: "billing@acme.example" } }),
      );
      const arrived = delivered[sent];
      sent += 1;
      expect(delivered).toHaveLength(sent);
      expect(arrived?.to).toEqual(["pat@customer.example"]);
      expect(arrived?.email.headers.map(({ key }) => key).sort()).toEqual([
        "auto-submitted",
        "content-type",
        "date",
        "from",
        "message-id",
        "mime-version",
        "subject",
        "to",
      ]);
      expect(arrived?.email.from).toMatchObject({ address: "billing@acme.example" });
      expect(arrived?.email.bcc).toBeUndefined();
      expect(arrived?.email.html?.trimEnd()).toBe("<p>Please pay — thank you.</p>");
    });
    await fc.assert(property, { numRuns: 20 });
  });

  it("cannot read a file or a page", async () => {
    const { port, delivered } = await smtpServer();
    await smtpMailer(`smtp://127.0.0.1:${port}`).send(
      message({ text: "file:///etc/passwd", html: "<img src='http://127.0.0.1:1/x'>" }),
    );
    expect(delivered[0]?.email.text?.trim()).toBe("file:///etc/passwd");
    expect(delivered[0]?.email.html).toContain("http://127.0.0.1:1/x");
  });
});

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
