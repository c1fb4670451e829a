import { describe, expect, it } from "vitest";
import { findSession } from "../../auth/sessions.ts";
import type { Browser } from "../support/browser.ts";
import { type CollectingPages, useCollectingPages } from "../support/collecting-pages.ts";
import { insertLinks } from "../support/emailed-links.ts";
import { linkRow } from "../support/furnish.ts";
import { taskRow } from "../support/rows.ts";
import { A_STORE } from "../support/thorough.ts";

/** The ids that the addresses of a workspace's pages have in them. */
type Ids = Readonly<Record<"payment" | "link" | "task" | "invoice" | "item", string>>;

/** What is only shown. */
const SEEN = (ids: Ids) => [`/payments/${ids.payment}`, `/payment-links/${ids.link}`, `/tasks/${ids.task}`];
/** What admins are asked before an act. */
const ASKED = (ids: Ids) => [
  `/payment-links/${ids.link}/withdraw`,
  `/tasks/${ids.task}/dismiss`,
  `/invoices/${ids.invoice}/links`,
];
/** Every act, by the address that its form is sent to. */
const ACTS = (ids: Ids) => [
  `/payments/${ids.payment}/push`,
  `/payments/${ids.payment}/settle`,
  `/payment-links/${ids.link}/withdraw`,
  `/payment-links/${ids.link}/cancel-mail`,
  `/payment-links/${ids.link}/reschedule`,
  `/tasks/${ids.task}/links`,
  `/tasks/${ids.task}/dismiss`,
  `/invoices/${ids.invoice}/links`,
  `/attention/${ids.item}/resolve`,
];
const ACTS_WITHOUT_IDS = ["/payments/held/review", "/payments/held/push", "/invoices/new"];

describe.each(A_STORE)("forms about receivables, $name", ({ open }) => {
  const workspace = useCollectingPages(open);

  async function filled(): Promise<{ pages: CollectingPages; ids: Ids }> {
    const pages = await workspace();
    const { app, tenantId, owing, paid } = pages;
    const payment = await paid({ erp_push_status: "failed", erp_push_error: { code: "not_reached" } });
    const { invoiceId, installments } = await owing("100.00");
    const [installment] = installments;
    const task = taskRow(tenantId, invoiceId);
    const item = app.core.newId();
    const link = await app.core.store.write(tenantId, async (tx) => {
      const [integration] = await tx
        .selectFrom("payment_integrations")
        .selectAll()
        .where("tenant_id", "=", tenantId)
        .execute();
      if (installment === undefined || integration === undefined) throw new Error("the book is empty");
      const row = linkRow(installment, integration.payment_integration_id);
      await insertLinks(tx, [row]);
      await tx.insertInto("tasks").values(task).execute();
      await tx
        .insertInto("attention_items")
        .values({
          ...{ tenant_id: tenantId, attention_item_id: item, kind: "payment_refunded", subject: "pi_1" },
          ...{ payment_id: payment, payment_link_id: null, invoice_id: null, amount_minor: "500", currency: "USD" },
          ...{ occurred_at: "2026-03-02T09:00:00.000Z", created_at: "2026-03-02T09:00:00.000Z", resolved_at: null },
        })
        .execute();
      return row.payment_link_id;
    });
    return { pages, ids: { payment, link, task: task.task_id, invoice: invoiceId, item } };
  }

  /** Sends a form as if its page had offered it, with the token of this browser and session for it. */
  async function sendTo(
    browser: Browser,
    pages: CollectingPages,
    path: string,
    { token = true, tenantId = pages.tenantId } = {},
  ) {
    await browser.open("/password");
    const session = await findSession(pages.app.core, browser.cookie("session"));
    const sealed = JSON.stringify([path, browser.cookie("browser") ?? "", session?.id]);
    const form_token = token ? pages.app.core.secrets.seal("form", sealed).toString("base64url") : "x".repeat(43);
    return browser.post(
      `${path}?workspace=${tenantId}`,
      new URLSearchParams({ form_token, once: pages.app.core.newId() }),
    );
  }

  it("are refused to members, who see the pages without their acts [pages.run.forms]", async () => {
    const { pages, ids } = await filled();
    const member = await pages.signedIn("member");
    for (const path of SEEN(ids)) {
      const page = await member.open(path);
      expect(page.status, path).toBe(200);
      expect(page.html, path).not.toContain('method="post"');
      expect(page.html, path).not.toMatch(/\/(withdraw|dismiss|links)"/);
    }
    for (const path of ["/attention", "/payments/held"]) {
      const page = await member.open(path);
      expect([page.status, page.html.includes('method="post"')], path).toEqual([200, false]);
    }
    expect((await member.open("/invoices")).html).not.toContain("/invoices/new");
    for (const path of [...ASKED(ids), "/invoices/new"]) expect((await member.open(path)).status, path).toBe(403);
    for (const path of [...ACTS(ids), ...ACTS_WITHOUT_IDS]) {
      const refused = await sendTo(member, pages, path);
      expect([refused.status, refused.text], path).toEqual([
        403,
        expect.stringContaining("Only an admin of the workspace can do that"),
      ]);
    }
  });

  it("know no other workspace's ids, by any workspace [pages.run.forms] [pages.run.foreign]", async () => {
    const { ids, pages: theirs } = await filled();
    const own = await workspace();
    const stranger = await own.signedIn();
    for (const path of [...SEEN(ids), ...ASKED(ids)])
      for (const query of ["", `?workspace=${own.tenantId}`, `?workspace=${theirs.tenantId}`])
        expect((await stranger.open(`${path}${query}`)).status, `${path}${query}`).toBe(404);
    for (const tenantId of [own.tenantId, theirs.tenantId])
      for (const path of ACTS(ids)) expect((await sendTo(stranger, own, path, { tenantId })).status, path).toBe(404);
    for (const path of ACTS_WITHOUT_IDS)
      expect((await sendTo(stranger, own, path, { tenantId: theirs.tenantId })).status, path).toBe(404);
    for (const path of ["/attention", "/payments/held"])
      expect((await stranger.open(path)).text).not.toContain("Globex");
  });
});
