import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Core } from "../../../src/core/gate/dependencies.ts";
import { smtpMailer } from "../../../src/gateways/mail/index.ts";
import { sendMails } from "../../../src/jobs/send-mails.ts";
import type { OutgoingMailRow } from "../../../src/store/tables/mail.ts";
import { type Delivered, smtpServer } from "../../gateways/mail/support.ts";
import { HAS_CHROMIUM, launchChromium } from "../../support/chromium.ts";
import { testCore } from "../../support/core.ts";
import { openScreens, problemsOf, type Screens } from "../../support/mail-looks.ts";
import { type MailedNames, queueEveryMail } from "../../support/member-mails.ts";
import { STORES, type TestStore } from "../../support/stores.ts";

const [A_STORE] = STORES;
const EVIL = `<img src=x onerror=document.documentElement.dataset.ran=1>"'&<a href="https://evil.example">`;
const NAMES: Readonly<Record<"plain" | "hostile", MailedNames>> = {
  plain: { workspace: "Northwind Trading", person: "Dana Whitfield", customer: "Globex GmbH", client: "Claude" },
  hostile: {
    workspace: `${EVIL}${"W".repeat(120)}`,
    person: `</p><script>document.documentElement.dataset.ran=1</script>${"é🙂".repeat(30)}`,
    customer: `\u202e${EVIL}${"x".repeat(150)}`,
    client: `${EVIL}${"c".repeat(200)}`,
  },
};

/** Every kind of mail to members, and a word that its text has. */
const WORDS: Readonly<Record<OutgoingMailRow["kind"], string>> = {
  invitation: "/invitations/",
  news: "/mails-to-you",
  task_assigned: "/tasks/",
  assistant_connected: "/connections",
  assistant_extended: "/connections",
  password_reset: "/password/reset/",
  password_changed: "was changed",
  password_was_reset: "was reset",
  password_replaced: "was replaced",
  factor_on: "was switched on",
  factor_off: "was switched off",
  factor_removed: "was removed",
  recovery_codes_renewed: "codes were replaced",
  password_set: "has a password",
  password_chosen: "was chosen",
  recovery_code_used: "code was used",
  sign_in_linked: "sign-in leads to",
  sign_in_unlinked: "no longer leads to",
};

describe.skipIf(!HAS_CHROMIUM)("mails to members, sent through a mail server and opened in a real browser", () => {
  let opened: TestStore;
  let core: Core;
  let browser: Browser;
  let screens: Screens;
  beforeAll(async () => {
    if (A_STORE === undefined) throw new Error("there is no store");
    [opened, browser] = await Promise.all([A_STORE.open(), launchChromium()]);
    core = testCore(opened.store);
    screens = await openScreens(browser);
  });
  afterAll(async () => {
    await browser?.close();
    await opened?.remove();
  });

  async function deliver(): Promise<readonly Delivered[]> {
    const { port, delivered } = await smtpServer();
    const mailer = smtpMailer(`smtp://127.0.0.1:${port}`);
    const fromAddress = "no-reply@receivables.example";
    await sendMails(core, { mailer, fromAddress, publicOrigin: "https://receivables.example" });
    return delivered;
  }

  it.each(["plain", "hostile"] as const)(
    "of every kind arrive and are read at 320 and 640 px, light and dark, and load nothing, with %s names [completions.7.mail-looks]",
    async (names) => {
      await queueEveryMail(core, NAMES[names]);
      const delivered = await deliver();
      const texts = delivered.map(({ email }) => email.text ?? "");
      const kinds = Object.entries(WORDS);
      expect(texts).toHaveLength(kinds.length);
      for (const [kind, word] of kinds)
        expect(texts.filter((text) => text.includes(word)).length, kind).toBeGreaterThan(0);
      const problems: string[] = [];
      for (const { email } of delivered) {
        const name = `member-${names}-${email.subject?.replace(/[^a-z]+/gi, "-").slice(-50)}`;
        problems.push(...(await problemsOf(screens, email.html ?? "", name)));
        expect(email.html).not.toContain("<script");
      }
      expect(problems).toEqual([]);
    },
  );
});
