import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { removeMember } from "../../auth/members/remove-member.ts";
import { setMemberRole } from "../../auth/members/set-member-role.ts";
import { getOwnNews, setOwnNews } from "../../src/core/accounts/operations/own-news.ts";
import { advanceRollup } from "../../src/core/aging/advance-rollups.ts";
import type { Mailer } from "../../src/gateways/mail/mailer.ts";
import { sendMails } from "../../src/jobs/send-mails.ts";
import { touchInvoices } from "../../src/store/aging/rollup.ts";
import { actAs } from "../support/acting.ts";
import { HOUR, MINUTE, mailbox, NOTHING, newsReader, PAYMENTS, tell, useNews } from "../support/news.ts";
import { usePushWorld } from "../support/pushes.ts";
import { addRows, rowsOf, setRows, trailOf } from "../support/stored.ts";
import { storesOf } from "../support/stores.ts";

const MORNING = "2026-03-11T12:00:00.000Z";
const FAILURES = { ...NOTHING, mails_failed: true, receipts_failed: true, erp_refused: true };

describe.each(storesOf(import.meta.url))("what members are told by mail, on $name", ({ open }) => {
  const { clock, core, store, office, owed, paid, round, send, someone } = useNews(open);

  it("comes in one mail at 8:00 of the workspace's clocks, and none where nothing happened [pages.news.morning]", async () => {
    const member = await someone("member", { payments_received: true });
    const unasked = await someone("member");
    await round(HOUR);
    await paid("INV-1", "INV-2");
    await round("2026-03-11T11:59:59.999Z");
    expect(member.got()).toEqual([]);
    await round(MORNING);
    await paid("INV-3");
    await round(3 * HOUR);
    const [mail, ...more] = member.got();
    expect(more).toEqual([]);
    expect(mail?.subject).toBe("Acme Ltd: 2 payments received");
    expect(mail?.text).toContain("Since 10 Mar 2026, 11:00:");
    for (const number of ["INV-1", "INV-2"]) expect(mail?.text).toContain(`Payment: 10.00 USD, Globex GmbH, ${number}`);
    expect(mail?.text).toContain(`https://r.example.test/payments?workspace=${office.tenantId}`);
    await round("2026-03-12T12:00:00.000Z");
    await round("2026-03-13T12:00:00.000Z");
    expect(member.got().map(({ subject }) => subject)).toEqual([mail?.subject, "Acme Ltd: 1 payment received"]);
    expect(unasked.got()).toEqual([]);
  });

  it("comes within a few minutes to who wants it so, several things in one mail [pages.news.morning]", async () => {
    const member = await someone("member", PAYMENTS);
    await round(10 * MINUTE);
    await paid("INV-1", "INV-2");
    for (let minute = 0; minute < 5; minute += 1) await round(MINUTE);
    expect(member.got().map(({ subject }) => subject)).toEqual(["Acme Ltd: 2 payments received"]);
    for (let minute = 0; minute < 10; minute += 1) await round(MINUTE);
    expect(member.got()).toHaveLength(1);
  });

  it("is told of what happened while a wrong clock said that it was told [service.8.wrong-clock]", async () => {
    const member = await someone("member", PAYMENTS);
    await round(10 * MINUTE);
    await setRows(store, office.tenantId, "member_news", { told_until: "2026-04-20T12:00:00.000Z" });
    await paid("INV-1");
    for (let minute = 0; minute < 5; minute += 1) await round(MINUTE);
    expect(member.got().map(({ subject }) => subject)).toEqual(["Acme Ltd: 1 payment received"]);
  });

  it("is nothing of before a member came [pages.news.morning]", async () => {
    const refused = { status: "requires_reauthentication", status_since: clock.now().toISOString() } as const;
    await setRows(store, office.tenantId, "erp_connections", refused);
    clock.advance(10 * MINUTE);
    const admin = await someone("admin");
    for (let minute = 0; minute < 5; minute += 1) await round(MINUTE);
    expect(admin.got()).toEqual([]);
  });

  it("is what fell overdue and is still owed, once its day has ended [pages.news.overdue]", async () => {
    const member = await someone("member", { fell_overdue: true });
    await advanceRollup(core, office.tenantId, null);
    for (const [number, day] of [
      ["INV-9", "2026-03-09"],
      ["INV-10", "2026-03-10"],
      ["INV-11", "2026-03-11"],
    ] as const)
      await owed(number, day);
    const closed = await owed("INV-PAID", "2026-03-10");
    await store.write(office.tenantId, async (tx) => {
      touchInvoices(tx, [closed.invoice_id]);
      const none = { collection_outstanding: "0" };
      for (const table of ["installments", "invoices"] as const)
        await tx
          .updateTable(table)
          .set(none)
          .where((column) => column.and({ tenant_id: office.tenantId, invoice_id: closed.invoice_id }))
          .execute();
    });
    await round(MORNING);
    const [text = ""] = member.texts();
    expect(text).toContain("1 installment fell overdue");
    expect(text).toContain("Overdue: 100.00 USD, Globex GmbH, INV-10, due 10 Mar 2026");
  });

  it("is what was rejected and not yet mended, with why [pages.news.failures]", async () => {
    const admin = await someone("admin");
    const [mended, rejected] = [await owed("INV-1"), await owed("INV-2")];
    const email = { email_status: "failed", email_to: "gone@globex.example.test" } as const;
    await addRows(store, office.tenantId, { payment_links: [mended, rejected].map((link) => ({ ...link, ...email })) });
    const failed_at = clock.now().toISOString();
    await round(HOUR);
    await setRows(store, office.tenantId, "link_emails", {
      ...{ failure: "rejected", server_codes: "550 5.1.1", failed_at: clock.now().toISOString() },
      message_id: randomUUID(),
    });
    await setRows(
      store,
      office.tenantId,
      "link_emails",
      { status: "sent", failure: null, failed_at: null, sent_at: failed_at },
      { payment_link_id: mended.payment_link_id },
    );
    await round(MORNING);
    expect(admin.texts()).toEqual([expect.stringContaining("Mail: Globex GmbH: The mailbox does not exist.")]);
    expect(admin.got()[0]?.subject).toBe("Acme Ltd: 1 mail to a customer failed");
  });

  it("has ten lines of a topic, and how many more there are [pages.news.bounded]", async () => {
    const member = await someone("member", { payments_received: true });
    await round(HOUR);
    await paid(...Array.from({ length: 12 }, (_, index) => `INV-${index + 1}`));
    await round(MORNING);
    const [text = ""] = member.texts();
    expect(text.match(/Globex GmbH, INV-/g)).toHaveLength(10);
    expect(text).toContain("12 payments received");
    expect(text).toContain("Payment: and 2 more");
  });

  it("is for the role that a member has, and for nobody who was removed [pages.news.role]", async () => {
    const [admin, demoted] = [await someone("admin"), await someone("admin")];
    const [chosen, removed] = [await someone("member", FAILURES), await someone("admin", FAILURES)];
    const own = (who: { memberId: string; tenantId: string }) => actAs(core, who, getOwnNews, {});
    expect([await own(admin), await own(demoted)]).toEqual([FAILURES, FAILURES]);
    await round(HOUR);
    await office.act(setMemberRole, { member: { email: demoted.email }, role: "member" });
    expect(await own(demoted)).toEqual(NOTHING);
    const at = clock.now().toISOString();
    const refused = { status: "requires_reauthentication", status_since: at, name: "Fusion of Acme" } as const;
    await setRows(store, office.tenantId, "erp_connections", refused);
    clock.set(MORNING);
    await tell(core);
    await office.act(removeMember, { member: { email: removed.email } });
    await send();
    for (const one of [admin, chosen]) {
      expect(one.got().map(({ subject }) => subject)).toEqual(["Acme Ltd: 1 ERP refuses the password"]);
      expect(one.texts()[0]).toContain("ERP: Fusion of Acme");
    }
    expect([...demoted.got(), ...removed.got()]).toEqual([]);
    expect(await rowsOf(store, office.tenantId, "member_news", { member_id: removed.memberId })).toEqual([]);
  });

  it("is chosen by any member for themselves, and audited where it changed [pages.news.chosen]", async () => {
    const { email: _email, got: _got, texts: _texts, ...by } = await someone("member");
    const chosen = { ...NOTHING, ...PAYMENTS };
    for (let time = 0; time < 2; time += 1) expect(await actAs(core, by, setOwnNews, chosen)).toEqual(chosen);
    expect(await actAs(core, by, getOwnNews, {})).toEqual(chosen);
    expect(await trailOf(store, office.tenantId, "setOwnNews")).toMatchObject([
      {
        actor_id: by.memberId,
        object_id: by.memberId,
        details: { changed: "payments received false → true, pace morning → at_once" },
      },
    ]);
    await office.act(removeMember, { member: { memberId: by.memberId } });
    await expect(actAs(core, by, setOwnNews, NOTHING)).rejects.toMatchObject({ code: "permission_denied" });
  });
});

describe.each(storesOf(import.meta.url))("what admins are told of receipts and ERPs, on $name", ({ open }) => {
  const world = usePushWorld(open);
  const { clock, core, erp, pay, pull, push } = world;

  async function told(admin: Awaited<ReturnType<typeof newsReader>>, mailer: Mailer) {
    clock.advance(24 * HOUR);
    await tell(core);
    await sendMails(core, { mailer, fromAddress: "a@b.test", publicOrigin: "https://b.test" });
    return admin.texts();
  }

  it("is what failed for good and which ERP refuses its password, by default and once [pages.news.failures]", async () => {
    const { delivered, mailer } = await mailbox();
    const admin = await newsReader({ core, tenantId: world.tenantId, delivered }, "admin");
    expect(await told(admin, mailer)).toEqual([]);
    await pay("one", "400");
    await core.store.write(world.tenantId, (tx) =>
      tx.updateTable("invoices").set({ business_unit: "Globex US" }).execute(),
    );
    erp.control({ mode: "401" });
    await push();
    await pull();
    const [text = "", ...more] = await told(admin, mailer);
    expect(more).toEqual([]);
    expect(text).toContain("1 receipt needs a person, 1 ERP refuses the password");
    expect(text).toContain("Receipt: 400.00 USD, Globex, one, failed: The ERP");
    expect(text).toContain("ERP: Oracle Fusion (Globex US)");
    clock.advance(HOUR);
    await pull();
    expect(await told(admin, mailer)).toHaveLength(1);
  });

  it("is a receipt that is tried again once that is given up, and none that went well by then [pages.news.failures]", async () => {
    const { delivered, mailer } = await mailbox();
    const admin = await newsReader({ core, tenantId: world.tenantId, delivered }, "admin");
    await told(admin, mailer);
    const id = await pay("one", "400");
    erp.control({ mode: "drop" });
    for (let attempt = 0; attempt < 90; attempt += 1) {
      await push();
      clock.advance(15 * MINUTE);
      await tell(core);
    }
    expect((await world.payment(id)).push_retryable).toBe(true);
    expect(delivered).toEqual([]);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await push();
      clock.advance(15 * MINUTE);
    }
    const [text = "", ...more] = await told(admin, mailer);
    expect(text).toContain("1 receipt needs a person");
    expect(more).toEqual([]);
    const again = await pay("two", "100");
    await push();
    erp.control({ mode: "ok" });
    clock.advance(16 * MINUTE);
    await push();
    expect((await world.payment(again)).erp_push_status).toBe("applied");
    expect(await told(admin, mailer)).toHaveLength(1);
  });
});
