import { beforeEach, describe, expect, it } from "vitest";
import { readAuditTrail } from "../../src/core/audit-trail/read-audit-trail.ts";
import { listMailingProblems, setCustomerMailing } from "../../src/core/customers/operations/customer-mailing.ts";
import { listCustomerHistory } from "../../src/core/customers/operations/list-customer-history.ts";
import { setCustomerEmail } from "../../src/core/customers/operations/set-customer-email.ts";
import { connectErp } from "../../src/core/erp-connections/operations/connect-erp.ts";
import { listInvoices } from "../../src/core/invoices/operations/list-invoices.ts";
import { deactivatePaymentLink } from "../../src/core/payment-links/operations/deactivate-payment-link.ts";
import { resendPaymentLinkEmail } from "../../src/core/payment-links/operations/emails.ts";
import { listPaymentLinks } from "../../src/core/payment-links/operations/list-payment-links.ts";
import { disableWorkflow, enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { smtpMailer } from "../../src/gateways/mail/index.ts";
import { sendLinkEmails } from "../../src/jobs/send-mails.ts";
import { runWorkflows } from "../../src/jobs/work-off.ts";
import { createFusionSimulator, type FusionSimulator } from "../../src/simulators/fusion/index.ts";
import { refusal, smtpServer } from "../gateways/mail/support.ts";
import { callOnce } from "../support/collecting.ts";
import { call } from "../support/lists.ts";
import { alderAccount, erpItem, runPull } from "../support/pulls.ts";
import { STORES } from "../support/stores.ts";
import { useCollecting } from "../support/use-collecting.ts";

const [OLD, NEW, LATER] = ["gone@alder.example", "ap@alder.example", "later@alder.example"];
const WHY =
  "The mailbox does not exist. The mail server says: “550 5.1.1 'gone' is unknown here, see http://mx.example/?why”";
const DAY_MS = 24 * 60 * 60_000;

describe.each(STORES)("emails that failed, on $name", ({ open }) => {
  const { app, book, act } = useCollecting(open, "stripe");
  let erp: FusionSimulator;
  let connectionId: string;
  beforeEach(async () => {
    erp = createFusionSimulator({ invoices: [erpItem({ status: "Complete" })], accounts: [alderAccount(OLD)] });
    const settings = { provider: "oracle_fusion", url: await erp.listen(), username: "u", password: "p" } as const;
    ({ id: connectionId } = await act(connectErp, settings));
    await pull();
    await act(enableWorkflow, { type: "auto_generate" });
    await runWorkflows(app.core);
    expect(await send()).toEqual([]);
    expect(await email()).toMatchObject({ status: "failed", to: OLD, error: WHY });
    return () => erp.close();
  });

  async function pull(): Promise<void> {
    app.clock.advance(1_000);
    expect(await runPull(app.core, book.tenantId, connectionId)).toMatchObject({ status: "succeeded" });
  }
  /** Whom the mails of the next day reached. */
  async function send(meanwhile: () => Promise<unknown> = async () => undefined): Promise<string[]> {
    app.clock.advance(DAY_MS);
    const { port, delivered } = await smtpServer({
      onRcptTo: ({ address }, _session, callback) =>
        void meanwhile().then(() =>
          callback(
            address === OLD ? refusal(550, "5.1.1 “gone” is unknown\u202e here, see http://mx.example/?why") : null,
          ),
        ),
    });
    const mailer = smtpMailer(`smtp://127.0.0.1:${port}`);
    await sendLinkEmails(app.core, { mailer, fromAddress: "a@b.example", publicOrigin: "https://r.example" });
    return delivered.flatMap(({ to }) => to);
  }
  async function link() {
    const { data } = await call(app.core, listPaymentLinks, book.reader, {});
    if (data[0] === undefined) throw new Error("no link");
    return data[0];
  }
  const email = async () => (await link()).email;
  async function setEmail(address: string) {
    const { data } = await call(app.core, listInvoices, book.reader, {});
    return act(setCustomerEmail, {
      customerId: data[0]?.customer.id ?? "",
      email: address,
    });
  }
  const resend = async () => act(resendPaymentLinkEmail, { payment_link_id: (await link()).id });
  const failed = async () => (await act(listMailingProblems, {})).failed;

  it.each([
    ["here", setEmail],
    [
      "in the ERP",
      async (address: string) => {
        erp.putAccounts(alderAccount(address));
        await pull();
      },
    ],
  ])(
    "go out once to an address that is new %s, and warn of nothing then [completions.12.failed-mail]",
    async (_, set) => {
      expect(await failed()).toMatchObject([{ to: OLD, codes: "550 5.1.1", reason: "The mailbox does not exist." }]);
      await set(NEW);
      expect(await email()).toMatchObject({ status: "scheduled", to: NEW, error: null, sent_at: null });
      expect(await failed()).toEqual([]);
      expect(await send()).toEqual([NEW]);
      expect(await email()).toMatchObject({ status: "sent", to: NEW });
      await set(LATER);
      expect(await send()).toEqual([]);
    },
  );

  it("stay in the history with their reason and day, however they end [completions.12.failed-mail]", async () => {
    const { customer_id: customerId } = await link();
    const history = async () => {
      const events = await act(listCustomerHistory, { customerId: customerId ?? "" });
      return events.flatMap(({ kind, state, text, at }) => (kind === "mail" ? [[state, text, at]] : []));
    };
    const failure = ["failed", `${OLD}: ${WHY}`, (await email())?.failed_at];
    expect(await history()).toEqual([failure]);
    await resend();
    expect(await email()).toMatchObject({ status: "scheduled", failed_at: null });
    expect(await history()).toMatchObject([["scheduled", OLD, expect.anything()], failure]);
    expect(await send()).toEqual([]);
    const again = ["failed", `${OLD}: ${WHY}`, (await email())?.failed_at];
    expect(again[2]).not.toBe(failure[2]);
    expect(await setEmail(NEW)).toMatchObject({ mails_planned: 1 });
    expect(await history()).toMatchObject([["scheduled", NEW, expect.anything()], again, failure]);
    await send();
    expect(await history()).toMatchObject([["sent", NEW, expect.anything()], again, failure]);
    const { entries } = await act(readAuditTrail, { objectId: (await link()).id });
    const kept = { operation: "mailPaymentLinks", outcome: "failed", actorKind: "system" };
    const details = [
      ["to", OLD],
      ["why", WHY],
    ];
    expect(entries.filter(({ outcome }) => outcome === "failed")).toMatchObject([
      { ...kept, details },
      { ...kept, details },
    ]);
  });

  it.each([
    ["with their workflow", () => act(disableWorkflow, { type: "auto_generate" })],
    [
      "as they are due",
      async () => {
        await act(setCustomerMailing, { customerId: (await link()).customer_id ?? "", noMail: true });
        await send();
      },
    ],
    [
      "with their link",
      async () => callOnce(app.core, deactivatePaymentLink, book.admin, { payment_link_id: (await link()).id }),
    ],
  ])("name the new address once they are cancelled %s [completions.12.failed-mail]", async (_, cancel) => {
    await setEmail(NEW);
    await cancel();
    expect(await email()).toMatchObject({ status: "cancelled", to: NEW });
    await setEmail(LATER);
    expect(await email()).toMatchObject({ status: "cancelled", to: NEW });
  });

  it("go out to an address that is new before the old one has failed [completions.12.failed-mail]", async () => {
    await resend();
    expect(await send(() => setEmail(NEW))).toEqual([]);
    expect(await email()).toMatchObject({ status: "scheduled", to: NEW, error: null });
    expect(await send()).toEqual([NEW]);
  });

  const account = (address: string | null) => async () => erp.putAccounts(alderAccount(address));
  const item = (status: "Complete" | "Incomplete") => async () => erp.putInvoices(erpItem({ status }));
  const mailing = (noMail: boolean) => async () =>
    act(setCustomerMailing, { customerId: (await link()).customer_id ?? "", noMail });
  it.each([
    ["without an address", [account(null)], [account(NEW)]],
    ["while the invoice was corrected", [item("Incomplete")], [item("Complete")]],
    ["while mails were stopped", [mailing(true)], [mailing(false)]],
    [
      "while mails were stopped, the address gone when they go on",
      [mailing(true), account(null)],
      [mailing(false), account(NEW)],
    ],
  ])("go out later, too, where they came due %s [completions.7.no-mail]", async (_, stop, goOn) => {
    const each = async (acts: readonly (() => Promise<unknown>)[]) => {
      for (const one of acts) {
        await one();
        await pull();
      }
    };
    await each([account(NEW), ...stop]);
    expect(await send()).toEqual([]);
    expect(await email()).toMatchObject({ status: "cancelled" });
    expect(await send()).toEqual([]);
    await each(goOn);
    expect(await email()).toMatchObject({ status: "scheduled", to: NEW });
    expect(await send()).toEqual([NEW]);
    await each([...stop, ...goOn]);
    expect(await send()).toEqual([]);
  });

  it("go out again by hand, unless there is nothing to mail or nobody to mail to [completions.12.failed-mail]", async () => {
    expect(await resend()).toMatchObject({ email: { status: "scheduled", error: null } });
    expect(await resend()).toMatchObject({ email: { status: "scheduled" } });
    expect(await send()).toEqual([]);
    expect(await email()).toMatchObject({ status: "failed", error: WHY });
    await callOnce(app.core, deactivatePaymentLink, book.admin, { payment_link_id: (await link()).id });
    expect(await failed()).toEqual([]);
    await expect(resend()).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("is not mailed, because it has ended"),
    });
    await setEmail(NEW);
    expect(await send()).toEqual([]);
  });

  it("go to an address that is new once their customer is mailed again [completions.12.failed-mail] [completions.7.no-mail]", async () => {
    const customerId = (await link()).customer_id ?? "";
    await act(setCustomerMailing, { customerId, noMail: true });
    await setEmail(NEW);
    expect(await email()).toMatchObject({ status: "failed" });
    await expect(resend()).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("because its customer is mailed nothing"),
    });
    await act(setCustomerMailing, { customerId, noMail: false });
    expect(await send()).toEqual([NEW]);
  });

  it("wait for a person where their workflow is off, and are never sent a second time [completions.12.failed-mail]", async () => {
    await act(disableWorkflow, { type: "auto_generate" });
    await setEmail(NEW);
    expect(await email()).toMatchObject({ status: "failed" });
    await resend();
    expect(await send()).toEqual([NEW]);
    await expect(resend()).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("only a failed one"),
    });
  });
});
