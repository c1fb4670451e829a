import type { Page } from "playwright-core";
import { beforeAll, describe, expect } from "vitest";
import { addDays } from "../../src/core/kernel/calendar.ts";
import { openBook } from "../support/book.ts";
import { HAS_CHROMIUM } from "../support/chromium.ts";
import { furnishCollecting, linkRow, paymentRow } from "../support/furnish.ts";
import { keepAnswers } from "../support/markup.ts";
import { peopleOf } from "../support/people.ts";
import { connectAssistant, syncRunRow } from "../support/rows.ts";
import { signedInPage } from "../support/signed-in-page.ts";
import { addRows, setRows } from "../support/stored.ts";
import { type Do, press, type Sight, seeEach, useBrowser } from "./sights.ts";

/** States that come only after something else: rejected mails, ended connections, what was just done, what has expired. */
describe.skipIf(!HAS_CHROMIUM)("what was done, rejected or has expired, for everybody", () => {
  const seen = useBrowser();
  let people: Record<"nobody" | "admin" | "member", Page>;
  let ids: Record<"tenant" | "rejected" | "stopped" | "unmailed" | "payment" | "withdrawn" | "run", string>;

  beforeAll(async () => {
    const { service, browser } = seen();
    const everybody = peopleOf(service.core);
    ids = await fill();
    const [admin, member] = [
      await everybody.addPerson(ids.tenant),
      await everybody.addPerson(ids.tenant, { role: "member" }),
    ];
    people = {
      nobody: keepAnswers(await (await browser.newContext()).newPage()),
      admin: await signedInPage(browser, service.url, admin.email),
      member: await signedInPage(browser, service.url, member.email),
    };
  });

  async function fill(): Promise<typeof ids> {
    const { store, clock } = seen().service.core;
    const now = clock.now().toISOString();
    const book = await openBook(store, { name: "Northwind Trading" });
    const { tenantId, connectionId } = book;
    const due_date = addDays(now.slice(0, 10), -10);
    const [rejected, stopped, unmailed] = [
      await book.customer({ name: "Rejecting Mailbox GmbH", email: "nobody@rejecting.example" }),
      await book.customer({ name: "Please Do Not Mail Us Inc", email: "ap@quiet.example" }),
      await book.customer({ name: "No Address Known", email: null }),
    ];
    const lacks = { collectible: false, not_collectible_reason: "no_billing_email" } as const;
    const { installments } = await book.invoice({ customer: rejected }, [
      { due_date },
      { due_date, sequence_number: 2 },
    ]);
    await book.invoice({ customer: stopped }, [{ due_date }]);
    await book.invoice({ customer: unmailed, customer_email: null }, [{ due_date, ...lacks }]);
    const [first, second] = installments;
    const { payment_integration_id: integrationId } = await furnishCollecting(store, first);
    const ended = { state: "deactivated", deactivated_at: now } as const;
    const withdrawn = linkRow(second, integrationId, ended);
    const paid = linkRow(second, integrationId, { state: "paid", paid_at: now });
    const failed = linkRow(first, integrationId, {
      ...{ email_status: "failed", email_to: "nobody@rejecting.example", email_send_at: now },
    });
    const failure = { erp_push_status: "failed", erp_push_error: { code: "closed_period" } } as const;
    const payment = paymentRow(paid, { connection_id: connectionId, ...failure, provider_payment_id: "pi_1" });
    const claim = { claim_id: crypto.randomUUID(), lease_expires_at: new Date(Date.now() + 900_000).toISOString() };
    const run = syncRunRow(tenantId, connectionId, { status: "running", finished_at: null, ...claim });
    const { connection } = await connectAssistant(store, tenantId);
    const mailing = { tenant_id: tenantId, locale: null, no_mail: true, updated_at: now };
    await addRows(store, tenantId, {
      payment_links: [withdrawn, paid, failed],
      payments: payment,
      sync_runs: run,
      customer_mailing: { ...mailing, customer_id: stopped.customer_id },
    });
    const refused = {
      failure: "rejected",
      server_codes: "550 5.1.1",
      failed_at: now,
      message_id: crypto.randomUUID(),
    } as const;
    await setRows(store, tenantId, "link_emails", refused, { payment_link_id: failed.payment_link_id });
    const { connection_id } = connection;
    await setRows(store, tenantId, "assistant_connections", { revoked_at: now, revoked_by: null }, { connection_id });
    return {
      ...{ tenant: tenantId, rejected: rejected.customer_id, stopped: stopped.customer_id },
      ...{ unmailed: unmailed.customer_id, payment: String(payment.payment_id) },
      ...{ withdrawn: withdrawn.payment_link_id, run: run.sync_run_id },
    };
  }

  const under =
    (heading: string, first?: Do): Do =>
    async (page) => {
      await first?.(page);
      expect(await page.getByRole("heading", { level: 1 }).first().textContent()).toContain(heading);
    };
  const SIGHTS: readonly Sight<keyof typeof people>[] = [
    ["admin", "customer-rejected", () => `/customers/${ids.rejected}`, under("Rejecting Mailbox GmbH")],
    ["member", "customer-rejected-member", () => `/customers/${ids.rejected}`, under("Rejecting Mailbox GmbH")],
    ["admin", "customer-stopped", () => `/customers/${ids.stopped}`, under("Please Do Not Mail Us Inc")],
    ["admin", "customer-unmailed", () => `/customers/${ids.unmailed}`, under("No Address Known")],
    [
      "admin",
      "customer-saved",
      () => `/customers/${ids.rejected}?done=email&invoices=3`,
      under("Rejecting Mailbox GmbH"),
    ],
    ["admin", "mails-rejected", () => "/mails", under("Mails")],
    [
      "admin",
      "mails-customer",
      () => `/mails/${ids.tenant}/customers/${ids.rejected}`,
      under("Mails to Rejecting Mailbox GmbH"),
    ],
    ["admin", "connections-ended", () => "/connections", under("Assistant connections")],
    ["admin", "workflow-off", () => "/workflows/auto_generate/disable", under("Turn Auto Generate off?")],
    [
      "admin",
      "arrangement-off",
      () => "/workflows/payment_arrangement/disable",
      under("Turn Payment Arrangement off?"),
    ],
    ["admin", "workflow-is-off", () => "/workflows?type=auto_generate&done=off&cancelled=2&kept=1", under("Workflows")],
    ["admin", "sync-started", () => `/sync-runs/${ids.run}?done=started`, under("Sync of")],
    ["admin", "link-withdrawn", () => `/payment-links/${ids.withdrawn}?done=withdrawn`, under("Payment link for")],
    ["admin", "audit-one", () => `/audit?object=${ids.payment}`, under("Audit trail")],
    [
      "admin",
      "payment-pushed",
      () => `/payments/${ids.payment}`,
      under("Payment of", press("Push it again", "status")),
    ],
    ["nobody", "reset-expired", () => `/password/reset/${"x".repeat(43)}`, under("This link is no longer valid")],
    ["nobody", "pay-unknown", () => "/pay/nothing", under("Not found")],
  ];

  seeEach(seen, () => people, SIGHTS);
});
