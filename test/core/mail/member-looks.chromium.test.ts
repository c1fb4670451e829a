import { randomUUID } from "node:crypto";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inviteMember } from "../../../auth/invitations/invite-member.ts";
import { requestReset } from "../../../auth/reset-password.ts";
import type { Core } from "../../../src/core/gate/dependencies.ts";
import { operate } from "../../../src/core/gate/operator.ts";
import { queueMail } from "../../../src/core/mail/outgoing-queries.ts";
import { enableWorkflow } from "../../../src/core/workflows/operations/enable-workflow.ts";
import { smtpMailer } from "../../../src/gateways/mail/index.ts";
import { sendMails } from "../../../src/jobs/send-mails.ts";
import type { AccountNotice, OutgoingMailRow } from "../../../src/store/tables/mail.ts";
import { type Delivered, smtpServer } from "../../gateways/mail/support.ts";
import { actAs } from "../../support/acting.ts";
import { HAS_CHROMIUM, launchChromium } from "../../support/chromium.ts";
import { testCore } from "../../support/core.ts";
import { everyRow } from "../../support/every-row.ts";
import { openScreens, problemsOf, type Screens } from "../../support/mail-looks.ts";
import { connectAssistant } from "../../support/rows.ts";
import { STORES, type TestStore } from "../../support/stores.ts";
import { openOffice } from "../workflows/support.ts";

const [A_STORE] = STORES;
const EVIL = `<img src=x onerror=document.documentElement.dataset.ran=1>"'&<a href="https://evil.example">`;
const NAMES: Readonly<
  Record<"plain" | "hostile", { workspace: string; person: string; customer: string; client: string }>
> = {
  plain: { workspace: "Northwind Trading", person: "Dana Whitfield", customer: "Globex GmbH", client: "Claude" },
  hostile: {
    workspace: `${EVIL}${"W".repeat(120)}`,
    person: `</p><script>document.documentElement.dataset.ran=1</script>${"é🙂".repeat(30)}`,
    customer: `\u202e${EVIL}${"x".repeat(150)}`,
    client: `${EVIL}${"c".repeat(200)}`,
  },
};

const NOTICES: readonly AccountNotice[] = [
  "password_changed",
  "password_was_reset",
  "password_replaced",
  "factor_on",
  "factor_off",
  "factor_removed",
  "recovery_codes_renewed",
];
/** Every kind of mail to members, and a word that its text has. */
const WORDS: Readonly<Record<OutgoingMailRow["kind"], string>> = {
  invitation: "/invitations/",
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

  /** Has every kind of mail queued, about things with these names; answers the kinds in the order they are sent in. */
  async function queueAll(names: (typeof NAMES)["plain"]): Promise<void> {
    const office = await openOffice(core);
    const { tenantId, assignee } = office;
    const { connection, member } = await connectAssistant(core.store, tenantId, { role: "admin" });
    await everyRow(core.store, async (tx) => {
      await tx.updateTable("tenants").set({ name: names.workspace }).where("tenant_id", "=", tenantId).execute();
      const person = { name: names.person };
      await tx.updateTable("members").set(person).where("tenant_id", "=", tenantId).execute();
      // Only somebody with a password is mailed a reset.
      const secret = { password_hash: "none" };
      await tx.updateTable("people").set(secret).where("email", "=", assignee.email).execute();
      const client = { client_name: names.client };
      await tx.updateTable("assistant_connections").set(client).where("tenant_id", "=", tenantId).execute();
    });
    const customer = await office.book.customer({ name: names.customer });
    await office.book.invoice({ customer, invoice_number: names.customer.slice(0, 60), total_amount: "100" }, [{}]);
    const arrangement = { type: "payment_arrangement", minimumAmount: "1", assignee: assignee.email } as const;
    await operate(core, tenantId, enableWorkflow, arrangement);
    await office.run();
    const by = { tenantId, memberId: assignee.memberId };
    await actAs(core, by, inviteMember, { email: `${randomUUID()}@example.test`, role: "admin" });
    await requestReset(core, assignee.email, { address: "192.0.2.1", requestId: "r" });
    const mail = (kind: OutgoingMailRow["kind"], recipient: string, subject_id: string) => ({
      ...{ tenant_id: tenantId, kind, recipient, subject_id },
    });
    await everyRow(core.store, async (tx) => {
      for (const kind of ["assistant_connected", "assistant_extended"] as const)
        await queueMail(tx, core, mail(kind, member.email, connection.connection_id));
      for (const kind of NOTICES) await queueMail(tx, core, mail(kind, assignee.email, assignee.memberId));
    });
  }

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
      await queueAll(NAMES[names]);
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
