import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Letter, setLetter } from "../../../src/gateways/mail/letter.ts";
import { nastyText } from "./support.ts";

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
