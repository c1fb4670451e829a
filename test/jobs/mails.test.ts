import { sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import { claimWork } from "../../src/core/gate/claims.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { MAILS } from "../../src/core/mail/outgoing-queries.ts";
import { configureTask } from "../../src/core/tasks/state-queries.ts";
import { enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { connectMailer } from "../../src/gateways/mail/index.ts";
import type { Mailer } from "../../src/gateways/mail/mailer.ts";
import { sendMails } from "../../src/jobs/send-mails.ts";
import { type Office, openOffice, useOffice } from "../core/workflows/support.ts";
import { refusal as smtpRefusal, smtpServer } from "../gateways/mail/support.ts";
import { secondsWanted } from "../support/backlog.ts";
import { everyRow } from "../support/every-row.ts";
import { mailRow } from "../support/furnish.ts";
import { multiply } from "../support/multiply.ts";
import { outbox } from "../support/outbox.ts";
import { addRows, setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

const ORIGIN = "https://receivables.example.test";
const FROM = "no-reply@receivables.example.test";

describe.each(A_STORE)("mail to members on $name", ({ open }) => {
  const { clock, core, office } = useOffice(open);
  let invoiceId: string;
  beforeEach(async () => {
    const { email } = office.assignee;
    const customer = await office.book.customer({ name: "Globex <GmbH> & Co" });
    const { invoice } = await office.book.invoice({ customer, invoice_number: "INV-7", total_amount: "100" }, [{}]);
    invoiceId = invoice.invoice_id;
    await office.act(enableWorkflow, {
      type: "payment_arrangement",
      minimumAmount: "1",
      assignee: email,
    });
    await office.run();
    expect(await office.mails()).toMatchObject([{ status: "queued" }]);
  });

  const send = (mailer: Mailer) => sendMails(core, { mailer, fromAddress: FROM, publicOrigin: ORIGIN });
  it("tells the assignee of the task, once [completions.7.notifies] [completions.7.mail-once]", async () => {
    const { mailer, mails } = outbox();
    await Promise.all([send(mailer), send(mailer), send(mailer)]);
    expect(await send(mailer)).toBe(0);
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      subject: "Acme Ltd: Invoice INV-7 needs a payment arrangement",
      from: { name: "Acme Ltd", address: FROM },
      to: [{ address: office.assignee.email }],
    });
    const [task] = await office.tasks();
    for (const told of ["Globex GmbH & Co", "100.00 USD", `/tasks/${task?.task_id}?`])
      expect(mail?.text).toContain(told);
    expect(mail?.html).toContain("Globex GmbH &amp; Co");
    expect(await office.mails()).toMatchObject([{ status: "sent" }]);
  });

  it("is not sent once the task has ended, or its assignee left [completions.7.mail-cancelled]", async () => {
    const { tenantId } = office;
    const { mailer, names } = outbox();
    await core.store.write(tenantId, (tx) => configureTask(tx, core, { tenantId, invoiceId }));
    expect(await send(mailer)).toBe(1);
    expect(await office.mails()).toMatchObject([{ status: "cancelled" }]);

    await office.book.invoice({ customer_email: "a@example.test" }, [{}]);
    await operate(core, tenantId, enableWorkflow, { type: "payment_arrangement" });
    await office.run();
    await setRows(
      core.store,
      null,
      "members",
      { removed_at: clock.now().toISOString() },
      { member_id: office.assignee.memberId },
    );
    expect(await send(mailer)).toBe(1);
    expect(await office.mails()).toMatchObject([{ status: "cancelled" }, { status: "cancelled" }]);
    expect(names()).toEqual([]);
  });

  it("is tried again after an outage, and not after a refusal [completions.7.mail-retried] [completions.7.mail-failed] [contract.operation.queue-age]", async () => {
    await send(connectMailer({ smtpUrl: "smtp://127.0.0.1:1", outboxFolder: "/nowhere" }));
    expect(await office.mails()).toMatchObject([{ status: "queued" }]);
    clock.advance(60_000);
    expect(await secondsWanted(core, office.tenantId, "mails")).toBe(60);
    await send(connectMailer({ smtpUrl: "smtp://127.0.0.1:1", outboxFolder: "/nowhere" }));
    clock.advance(5 * 60_000 - 1);
    // Between two attempts it is due for no time, and wanted since it was written.
    expect(await secondsWanted(core, office.tenantId, "mails")).toBeCloseTo(359.999);
    clock.advance(1);
    const { port } = await smtpServer({
      onRcptTo: (_address, _session, callback) => callback(smtpRefusal(550, "no such user")),
    });
    const mailer = connectMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, outboxFolder: "/nowhere" });
    expect(await send(mailer)).toBe(1);
    expect(await office.mails()).toMatchObject([{ status: "failed" }]);
    clock.advance(24 * 60 * 60_000);
    expect(await send(mailer)).toBe(0);
  });

  it("of one workspace waits for no more than a few of another's, however many those are [facts.scale.claim-alone]", async () => {
    const mail = async (on: Office, at: string) => {
      const row = mailRow(on.tenantId, { recipient: on.assignee.email, next_attempt_at: at, created_at: at });
      await addRows(core.store, null, { outgoing_mails: row });
      return row.mail_id;
    };
    const others = [await openOffice(core), await openOffice(core)];
    const early = new Date(clock.now().getTime() - 60_000).toISOString();
    const first = await mail(office, early);
    await everyRow(core.store.patient, (tx) =>
      multiply(tx, "outgoing_mails", {
        which: sql`one.mail_id = ${first}`,
        count: 5_000,
        changes: sql`jsonb_build_object('mail_id', md5('mail' || n)::uuid)`,
      }),
    );
    for (const other of others) await mail(other, clock.now().toISOString());
    const turn = { after: null };
    const claims = [];
    for (let round = 0; round < 3; round += 1)
      claims.push(...(await claimWork(core, MAILS, { limit: 5, leaseMs: 60_000, turn })));
    const claimed = new Set(claims.map((row) => row.tenant_id));
    for (const { tenantId } of others) expect(claimed).toContain(tenantId);
  });
});
