import type { Browser } from "playwright-core";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Letterhead, letterheadOf } from "../../../src/core/mail/customer-mail.ts";
import { LOCALES } from "../../../src/core/mail/locale.ts";
import { SAMPLE_KINDS, sampleMail } from "../../../src/core/mail/mail-samples.ts";
import type { Message } from "../../../src/core/mail/message.ts";
import { smtpMailer } from "../../../src/gateways/mail/index.ts";
import { smtpServer } from "../../gateways/mail/support.ts";
import { HAS_CHROMIUM, launchChromium } from "../../support/chromium.ts";
import { openScreens, problemsOf, type Screens } from "../../support/mail-looks.ts";
import { IS_THOROUGH } from "../../support/thorough.ts";

const TODAY = "2026-11-24";

/** One of each language, or all. */
const WRITTEN = IS_THOROUGH ? LOCALES : (["en-GB", "de-DE", "fr-FR", "es-ES"] as const);

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

const SETTINGS = {
  workspace_name: "Contoso Trading",
  timezone: "Europe/Zurich",
  locale: "en-GB",
  postal_address: "Seestrasse 12\n8001 Zürich\nSwitzerland",
  reply_to: "receivables@contoso.example",
  contact: "Ana Ruiz, +41 44 000 00 00",
  logo: null,
  logo_width: null,
  logo_height: null,
};
const LETTERHEADS: Readonly<Record<string, Letterhead>> = {
  plain: letterheadOf(SETTINGS),
  logo: letterheadOf({ ...SETTINGS, logo: PIXEL, logo_width: 160, logo_height: 40 }),
  hostile: letterheadOf({
    ...SETTINGS,
    workspace_name: `<img src=x onerror=document.documentElement.dataset.ran=1>"'&${"W".repeat(150)}`,
    postal_address: `\u202eevil\n${"x".repeat(300)}\n</style><script>document.documentElement.dataset.ran=1</script>`,
    contact: `"><a href="https://evil.example">${"é🙂".repeat(60)}`,
  }),
};

describe.skipIf(!HAS_CHROMIUM)("mails to customers in a real browser", () => {
  let browser: Browser;
  let screens: Screens;
  beforeAll(async () => {
    browser = await launchChromium();
    screens = await openScreens(browser);
  });
  afterAll(() => browser?.close());

  /** The same with its logo where mail programs show it. */
  const problemsWith = (mail: Message, name: string): Promise<string[]> => {
    const logo = mail.pictures?.[0]?.content;
    const inline = logo === undefined ? "" : `data:image/png;base64,${Buffer.from(logo).toString("base64")}`;
    return problemsOf(screens, mail.html.replaceAll("cid:logo", inline), name);
  };

  it.each(WRITTEN)(
    "of %s are read at 320 and 640 px, light and dark, and load nothing [completions.7.mail-looks]",
    async (locale) => {
      const problems: string[] = [];
      for (const [name, letterhead] of Object.entries(LETTERHEADS))
        for (const kind of SAMPLE_KINDS)
          problems.push(
            ...(await problemsWith(
              sampleMail(kind, { letterhead, locale, today: TODAY, currency: "EUR" }),
              `${locale}-${kind}-${name}`,
            )),
          );
      expect(problems).toEqual([]);
    },
  );

  it("arrive with both parts, their logo and where to answer [completions.7.mail-contact]", async () => {
    const { port, delivered } = await smtpServer();
    const mailer = smtpMailer(`smtp://127.0.0.1:${port}`);
    for (const locale of LOCALES) {
      const message = sampleMail("overdue", {
        letterhead: LETTERHEADS.logo ?? letterheadOf(SETTINGS),
        locale,
        today: TODAY,
        currency: "EUR",
      });
      const from = { name: "Contoso Trading", address: "no-reply@receivables.example" };
      await mailer.send({ messageId: `sample-${locale}`, to: "pay@customer.example", from, ...message });
      const raw = delivered.at(-1)?.raw ?? "";
      const { subject, text, html, attachments, replyTo } = await PostalMime.parse(raw, {
        attachmentEncoding: "base64",
      });
      expect({ subject, text: text?.trim(), html: html?.trim() }).toEqual({
        subject: message.subject,
        text: message.text.trim(),
        html: message.html.trim(),
      });
      expect(replyTo?.[0]?.address).toBe("receivables@contoso.example");
      expect(attachments).toMatchObject([
        { contentId: "<logo>", disposition: "inline", mimeType: "image/png", related: true },
      ]);
      expect(attachments[0]?.content).toBe(PIXEL.toString("base64"));
    }
  });
});
