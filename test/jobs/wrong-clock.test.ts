import type { Updateable } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import { operate } from "../../src/core/gate/operator.ts";
import { settleReceiptByHand } from "../../src/core/payments/operations/settle-receipt-by-hand.ts";
import { dueReceipts } from "../../src/core/payments/receipts/receipt-follow.ts";
import { interruptLostRuns } from "../../src/core/sync-runs/finish-run.ts";
import { reserveDueRuns } from "../../src/core/sync-runs/reserve-due-runs.ts";
import { disableWorkflow, enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { sendLinkEmails, sendMails } from "../../src/jobs/send-mails.ts";
import type { PaymentRow } from "../../src/store/tables/payments.ts";
import { emailDue, insertLink, linksIn, partOf, useOffice } from "../core/workflows/support.ts";
import type { LinkChange } from "../support/emailed-links.ts";
import { keepingMails } from "../support/outbox.ts";
import { startLed } from "../support/pulls.ts";
import { usePushWorld } from "../support/pushes.ts";
import { rowsOf, setRows } from "../support/stored.ts";
import { storesOf } from "../support/stores.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const TO = "pay@globex.example.test";

describe.each(storesOf(import.meta.url))("after a clock that was 40 days ahead for a while, on $name", ({ open }) => {
  describe("receipts and syncs", () => {
    const world = usePushWorld(open);
    const { core, clock, erp, connection, pay, push, payment, payments, act } = world;
    const wrong = () => new Date(clock.now().getTime() + 40 * DAY).toISOString();
    const put = (paymentId: string, set: Updateable<PaymentRow>) =>
      setRows(core.store, world.tenantId, "payments", set, { payment_id: paymentId });

    it("a receipt that was put off or claimed is pushed, and others of its ERP with it [service.8.wrong-clock]", async () => {
      const [claimed, putOff] = [await pay("one", "100"), await pay("one", "200")];
      await pay("one", "300");
      await put(claimed, { claim_id: core.newId(), lease_expires_at: wrong() });
      await put(putOff, { next_attempt_at: wrong() });
      await push();
      expect((await payments()).map((row) => row.erp_push_status)).toEqual(Array(3).fill("applied"));
    });

    it("a receipt is tried for a day from now, every 15 minutes, and a claim that holds stays [service.8.wrong-clock]", async () => {
      const id = await pay("one", "100");
      await put(id, { push_first_attempt_at: wrong() });
      erp.control({ mode: "503" });
      await push();
      erp.control({ mode: "ok" });
      const now = clock.now().toISOString();
      const next = new Date(Date.parse(now) + 15 * MINUTE).toISOString();
      expect(await payment(id)).toMatchObject({ push_retryable: true, next_attempt_at: next });
      await push();
      expect(await payment(id)).toMatchObject({ attempts: 1, push_first_attempt_at: now });
      clock.advance(15 * MINUTE);
      const leased = new Date(clock.now().getTime() + MINUTE).toISOString();
      await put(id, { claim_id: core.newId(), lease_expires_at: leased });
      await push();
      expect(await payment(id)).toMatchObject({ attempts: 1 });
    });

    it("a receipt in a person's way is theirs to settle [service.8.wrong-clock]", async () => {
      const paymentId = await pay("one", "100");
      await put(paymentId, { erp_push_status: "failed", lease_expires_at: wrong() });
      await act(settleReceiptByHand, { paymentId, receiptNumber: "CHK-1" });
      expect((await payment(paymentId)).erp_push_status).toBe("applied");
    });

    it("an applied receipt is looked at again, and one whose look is as far off as its age allows is not [service.8.wrong-clock]", async () => {
      const id = await pay("one", "100");
      await push();
      clock.advance(100 * DAY);
      const { tenantId, connectionId } = world;
      const due = async () =>
        (await dueReceipts(core, tenantId, { tenantId, connectionId }))?.map((row) => row.payment_id);
      await put(id, { next_look_at: new Date(clock.now().getTime() + 10 * DAY).toISOString() });
      expect(await due()).toEqual([]);
      await put(id, { next_look_at: wrong() });
      expect(await due()).toEqual([id]);
    });

    it("a run that nobody leads ends, and its connection is pulled again [service.8.wrong-clock]", async () => {
      const { tenantId } = world;
      clock.advance(1);
      const { sync_run_id: syncRunId } = await startLed(core, tenantId, world.connectionId);
      const runs = async () => (await rowsOf(core.store, tenantId, "sync_runs", {}, "started_at")).slice(1);
      const now = clock.now().getTime();
      const lease = (until: string) => setRows(core.store, tenantId, "sync_runs", { lease_expires_at: until });
      await lease(new Date(now + MINUTE).toISOString());
      await interruptLostRuns(core);
      expect(await runs()).toMatchObject([{ sync_run_id: syncRunId, status: "running" }]);
      await lease(wrong());
      await interruptLostRuns(core);
      expect(await runs()).toMatchObject([{ sync_run_id: syncRunId, status: "failed" }]);

      const synced = (at: string) =>
        setRows(core.store, tenantId, "erp_connections", { last_sync_at: at, auto_sync_enabled: true });
      await synced(new Date(now).toISOString());
      await reserveDueRuns(core);
      expect(await runs()).toHaveLength(1);
      await synced(wrong());
      await reserveDueRuns(core);
      expect(await runs()).toHaveLength(2);
      expect((await connection()).auto_sync_enabled).toBe(true);
    });
  });

  describe("mails and workflows", () => {
    const wrong = () => new Date(clock.now().getTime() + 40 * DAY).toISOString();
    const { clock, core, office } = useOffice(open);
    const { sent, mailer } = keepingMails();
    const from = { mailer, fromAddress: "a@b.test", publicOrigin: "https://b.test" };
    beforeEach(async () => {
      clock.set("2026-03-10T15:00:00.000Z");
      sent.length = 0;
    });

    const emailed = async (row: LinkChange) => {
      const ids = partOf(await office.book.invoice({ customer_email: TO }, [{}]));
      const at = clock.now().toISOString();
      const email = emailDue(TO, at);
      return insertLink(core, office.tenantId, ids, { ...email, ...row });
    };
    const mailed = () => sent.filter(({ to }) => to === TO).length;

    it("an email of a link that was put off or claimed goes out, and what was scheduled for then waits [service.8.wrong-clock]", async () => {
      await emailed({ email_next_attempt_at: wrong() });
      await sendLinkEmails(core, from);
      expect(mailed()).toBe(1);
      clock.advance(DAY);
      await emailed({ email_lease_expires_at: wrong() });
      await sendLinkEmails(core, from);
      expect(mailed()).toBe(2);
      clock.advance(DAY);
      const later = await emailed({ email_send_at: wrong(), email_next_attempt_at: wrong() });
      await sendLinkEmails(core, from);
      expect(mailed()).toBe(2);
      expect((await office.links()).find((link) => link.payment_link_id === later)).toMatchObject({
        email_status: "scheduled",
        email_send_at: wrong(),
      });
    });

    it("a message sent in the days that never came is no message of today's [service.8.wrong-clock]", async () => {
      const { tenantId } = office;
      await emailed({ email_status: "sent", email_sent_at: wrong() });
      await emailed({});
      await sendLinkEmails(core, from);
      expect(mailed()).toBe(1);
      expect(await linksIn(core, tenantId)).toMatchObject([{ email_status: "sent" }, { email_status: "sent" }]);
    });

    it("a mail to a member that was put off or claimed goes out, and work on an invoice is done [service.8.wrong-clock]", async () => {
      const { tenantId, assignee } = office;
      const due = (set: { next_attempt_at: string; attempts: number }) =>
        setRows(core.store, tenantId, "workflow_work", set);
      await office.book.invoice({ total_amount: "100" }, [{}]);
      const rule = { type: "payment_arrangement", minimumAmount: "1", assignee: assignee.email } as const;
      await operate(core, tenantId, enableWorkflow, rule);
      // Never tried: it waits for its day.
      await due({ next_attempt_at: wrong(), attempts: 0 });
      await office.run();
      expect(await office.tasks()).toEqual([]);
      await due({ next_attempt_at: wrong(), attempts: 1 });
      await office.run();
      expect(await office.tasks()).toHaveLength(1);
      await setRows(core.store, tenantId, "outgoing_mails", { next_attempt_at: wrong(), lease_expires_at: wrong() });
      await sendMails(core, from);
      expect(await office.mails()).toMatchObject([{ status: "sent" }]);
    });

    it("disabling a workflow cancels an email that nobody is sending any more [service.8.wrong-clock]", async () => {
      const { tenantId } = office;
      const { id } = await operate(core, tenantId, enableWorkflow, { type: "auto_generate", confirmed: true });
      const ids = { created_by_kind: "workflow", created_by_id: id } as const;
      await emailed({
        ...ids,
        email_send_at: wrong(),
        email_next_attempt_at: wrong(),
        email_lease_expires_at: wrong(),
      });
      await operate(core, tenantId, disableWorkflow, { type: "auto_generate" });
      expect(await linksIn(core, tenantId)).toMatchObject([{ email_status: "cancelled" }]);
    });
  });
});
