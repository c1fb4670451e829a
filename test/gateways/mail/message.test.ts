import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { connectMailer, smtpMailer } from "../../../src/gateways/mail/index.ts";
import { message, nastyText, smtpServer } from "./support.ts";

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
