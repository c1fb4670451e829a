import { PNG } from "pngjs";
import { describe, expect, it } from "vitest";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { setCustomerMailing } from "../../src/core/customers/operations/customer-mailing.ts";
import { setCustomerEmail } from "../../src/core/customers/operations/set-customer-email.ts";
import { setErpSyncSchedule, setPaymentPushMode } from "../../src/core/erp-connections/operations/change-settings.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { removeMailLogo, setMailLogo } from "../../src/core/mail/operations/set-mail-logo.ts";
import { setMailSettings } from "../../src/core/mail/operations/set-mail-settings.ts";
import { pushHeldOfConnection, pushHeldPayments } from "../../src/core/payments/operations/push-held-payments.ts";
import { disableWorkflow, enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { actAs } from "../support/acting.ts";
import { callOnce } from "../support/collecting.ts";
import { sendForm, useCollectingPages } from "../support/collecting-pages.ts";
import { mailedLinkRow } from "../support/furnish.ts";
import { connectAssistant, taskRow } from "../support/rows.ts";
import { addRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

const UNCHANGED = "Nothing was changed: it was so already.";

function picture(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(PNG.sync.write(new PNG({ width: 4, height: 4 })));
}

describe.each(A_STORE)("an act that changes nothing, $name", ({ open }) => {
  const workspace = useCollectingPages(open);

  async function desk() {
    const pages = await workspace();
    const { app, tenantId, owing } = pages;
    const { invoiceId, installments } = await owing("100.00");
    const [installment] = installments;
    if (installment === undefined) throw new Error("the invoice has an installment");
    const link = mailedLinkRow(installment, (await integrationOf(pages)) ?? "");
    const sendAt = new Date(pages.clock.now().getTime() + 9 * 86_400_000).toISOString();
    const task = taskRow(tenantId, invoiceId);
    await addRows(app.core.store, tenantId, {
      payment_links: [{ ...link, email_send_at: sendAt, email_next_attempt_at: sendAt }],
      tasks: task,
    });
    const entries = () =>
      app.core.store.read(tenantId, async (tx) => {
        const rows = tx.selectFrom("audit_entries").select("operation").where("tenant_id", "=", tenantId);
        return (await rows.where("operation", "!=", "signIn").execute()).length;
      });
    return { ...pages, link: link.payment_link_id, task: task.task_id, entries };
  }
  const integrationOf = ({ app, tenantId }: Awaited<ReturnType<typeof workspace>>) =>
    app.core.store.read(tenantId, async (tx) => {
      const found = tx.selectFrom("payment_integrations").select("payment_integration_id");
      return (await found.where("tenant_id", "=", tenantId).executeTakeFirst())?.payment_integration_id;
    });

  it("is said on its page, by whichever form, and leaves no entry in the audit trail [pages.run.unchanged]", async () => {
    const { signedIn, link, task, entries, clock } = await desk();
    const browser = await signedIn();
    const day = new Date(clock.now().getTime() + 20 * 86_400_000).toISOString().slice(0, 10);
    const at = [
      ["date", day],
      ["time", "10:15"],
    ] as const;
    const FORMS = [
      [`/payment-links/${link}`, "Reschedule the mail", at],
      [`/payment-links/${link}/cancel-mail`, "Cancel the mail", []],
      [`/payment-links/${link}/withdraw`, "Withdraw the link", []],
      [`/tasks/${task}/dismiss`, "Dismiss the task", []],
      ["/mails", "Save letterhead", [["reply_to", "ar@acme.example"]]],
      ["/sign-in-rules", "Save rules", []],
    ] as const;
    for (const [path, button, fields] of FORMS) {
      const page = await browser.open(path);
      const done = await sendForm(browser, page, button, fields);
      if (path !== "/sign-in-rules") expect(done.text, path).not.toContain(UNCHANGED);
      const before = await entries();
      const again = await sendForm(browser, page, button, fields);
      expect([again.status, again.text], path).toEqual([200, expect.stringContaining(UNCHANGED)]);
      expect(await entries(), path).toBe(before);
    }
  });

  it("leaves no entry by whichever operation [pages.run.unchanged]", async () => {
    const { app, tenantId, connectionId, entries, customer } = await desk();
    const { customer_id: customerId } = await customer();
    const { member } = await connectAssistant(app.core.store, tenantId, { role: "admin" });
    const { core } = app;
    const person = { tenantId, memberId: member.member_id };
    const { id: keyId } = await operate(core, tenantId, createApiKey, { name: "k", permission: "admin" });
    const key = { kind: "api_key", tenantId, keyId, permission: "admin" } as const;
    const ACTS: Readonly<Record<string, () => Promise<unknown>>> = {
      "a billing email": () => actAs(core, person, setCustomerEmail, { customerId, email: "ap@globex.example" }),
      mailing: () => actAs(core, person, setCustomerMailing, { customerId, noMail: true }),
      letterhead: () => actAs(core, person, setMailSettings, { locale: "fr-FR", postalAddress: "1 Rue" }),
      "a logo": () => actAs(core, person, setMailLogo, { file: picture() }),
      "no logo": () => actAs(core, person, removeMailLogo, {}),
      "workflow on": () => actAs(core, person, enableWorkflow, { type: "auto_generate", sendAt: "10:00" }),
      "workflow off": () => actAs(core, person, disableWorkflow, { type: "auto_generate" }),
      "nothing held": () => actAs(core, person, pushHeldOfConnection, { connectionId, shown: [] }),
      "nothing held, by a key": () => callOnce(core, pushHeldPayments, key, { connection_id: connectionId }),
      mode: () => callOnce(core, setPaymentPushMode, key, { connection_id: connectionId, mode: "held" }),
      schedule: () =>
        callOnce(core, setErpSyncSchedule, key, { connection_id: connectionId, interval_minutes: 90, enabled: true }),
    };
    for (const [name, act] of Object.entries(ACTS)) {
      await act();
      const before = await entries();
      await act();
      expect(await entries(), name).toBe(before);
    }
  });
});
