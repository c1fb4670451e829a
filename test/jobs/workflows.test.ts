import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { addMember } from "../../auth/members/add-member.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { paymentProviders } from "../../src/core/provider-access/payment-providers.ts";
import { enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import type { LinkRequest } from "../../src/gateways/payments/gateway.ts";
import { createJobs } from "../../src/jobs/schedule.ts";
import { finishLinks, runWorkflows } from "../../src/jobs/work-off.ts";
import { generateBook } from "../../src/simulators/fusion/book.ts";
import { outbox } from "../support/outbox.ts";
import { erpItem, quickConnect, usePullWorld } from "../support/pulls.ts";
import { A_STORE } from "../support/thorough.ts";

const made = generateBook({ seed: 11, today: "2026-03-10", invoices: 40 });
const ID = 300100180999999900n;

const SECOND = { dueDate: "2026-04-02", amountMinor: 50_00n, balanceMinor: 50_00n };
const plan = (over: Parameters<typeof erpItem>[0] = {}) =>
  erpItem({ id: ID, number: "INV-X", date: "2026-02-01", parts: [{ dueDate: "2026-03-03" }, SECOND], ...over });

describe.each(A_STORE)("the workflows after a delivery on $name", ({ open }) => {
  const world = usePullWorld(open, made);
  const { clock, erp, pull } = world;
  const core = (): Core => {
    const { core: plain } = world;
    const sandboxAt = "https://receivables.example.test";
    return { ...plain, payments: paymentProviders({ secrets: plain.secrets, clock, sandboxAt }) };
  };
  const queued = () =>
    core().store.read(world.tenantId, async (tx) => {
      const rows = await tx
        .selectFrom("workflow_work")
        .innerJoin("invoices", "invoices.invoice_id", "workflow_work.invoice_id")
        .select(["invoices.erp_invoice_id", "invoices.collection_status"])
        .where("workflow_work.tenant_id", "=", world.tenantId)
        .where("workflow_work.next_attempt_at", "<=", clock.now().toISOString())
        .execute();
      return rows;
    });
  const links = () =>
    core().store.read(world.tenantId, (tx) =>
      tx
        .selectFrom("payment_links")
        .innerJoin("invoices", "invoices.invoice_id", "payment_links.invoice_id")
        .leftJoin("link_emails", "link_emails.payment_link_id", "payment_links.payment_link_id")
        .select([
          "invoices.erp_invoice_id",
          "payment_links.amount",
          "payment_links.state",
          "link_emails.status as email_status",
        ])
        .where("payment_links.tenant_id", "=", world.tenantId)
        .orderBy("payment_links.created_at")
        .orderBy("payment_links.amount", "desc")
        .execute(),
    );

  it("look at every open invoice that is new or changed, and at no other [completions.7.after-delivery]", async () => {
    await pull();
    expect(await queued()).toEqual([]);
    await operate(core(), world.tenantId, enableWorkflow, {
      type: "auto_generate",
      daysBeforeDue: 365,
      confirmed: true,
    });
    const book = [...(await world.book()).values()];
    const openOnes = book.filter((invoice) => invoice.collection_status === "open");
    expect((await queued()).map((row) => row.erp_invoice_id).sort()).toEqual(
      openOnes.map((invoice) => invoice.erp_invoice_id).sort(),
    );
    expect(await runWorkflows(core())).toBe(openOnes.length);
    const collectible = openOnes.flatMap((invoice) =>
      invoice.installments.filter((part) => part.collectible && (part.due_date ?? "none") <= "2027-03-10"),
    );
    expect(await links()).toHaveLength(collectible.length);

    await pull();
    expect(await queued()).toEqual([]);
    erp.putInvoices(plan());
    await pull();
    expect(await queued()).toEqual([{ erp_invoice_id: String(ID), collection_status: "open" }]);
    await runWorkflows(core());
    erp.putInvoices(
      plan({
        parts: [{ dueDate: "2026-03-03" }, SECOND, { dueDate: "2026-05-02", amountMinor: 7_00n, balanceMinor: 7_00n }],
      }),
    );
    await pull();
    expect(await runWorkflows(core())).toBe(1);
    const own = (await links()).filter((link) => link.erp_invoice_id === String(ID));
    expect(own.map((link) => link.amount).sort()).toEqual(["100", "50", "7"]);
    erp.removeInvoices(String(ID));
    await pull();
    expect(await queued()).toEqual([]);
  });

  it("end between the links of an invoice when the process does, and the next one makes the rest [facts.scale.turns]", async () => {
    const parts = Array.from({ length: 30 }, () => ({
      dueDate: "2026-03-03",
      amountMinor: 1_00n,
      balanceMinor: 1_00n,
    }));
    erp.removeInvoices(...made.invoices.map((item) => String(item.CustomerTransactionId)));
    erp.putInvoices(plan({ parts }));
    await pull();
    await operate(core(), world.tenantId, enableWorkflow, { type: "auto_generate", confirmed: true });
    const stopping = new AbortController();
    const { payments, ...rest } = core();
    let minted = 0;
    const stops: Core["payments"] = (access) => {
      const gateway = payments?.(access) ?? null;
      if (gateway === null) return null;
      const mintLink = (request: LinkRequest) => {
        minted += 1;
        stopping.abort();
        return gateway.mintLink(request);
      };
      return { ...gateway, mintLink };
    };
    await runWorkflows({ ...rest, payments: stops }, stopping.signal);
    expect(minted).toBe(12);
    expect((await links()).filter(({ state }) => state === "active")).toHaveLength(12);
    clock.advance(60_000);
    await finishLinks(core());
    expect((await links()).filter(({ state }) => state === "active")).toHaveLength(30);
  });

  it("keep what a person withdrew withdrawn until a delivery changes its amount [completions.12.stays-withdrawn]", async () => {
    const { tenantId } = world;
    const part = (amountMinor: bigint) => [{ dueDate: "2026-03-03", amountMinor, balanceMinor: amountMinor }];
    erp.putInvoices(plan({ installments: part(100_00n) }));
    erp.removeInvoices(...made.invoices.map((item) => String(item.CustomerTransactionId)));
    await pull();
    await operate(core(), tenantId, enableWorkflow, { type: "auto_generate" });
    await runWorkflows(core());
    await core().store.write(tenantId, async (tx) => {
      const withdrawn_by_person_at = clock.now().toISOString();
      await tx.updateTable("payment_links").set({ state: "deactivated" }).where("tenant_id", "=", tenantId).execute();
      await tx
        .updateTable("installments")
        .set({ withdrawn_by_person_at, withdrawn_by_person_amount: "100" })
        .where("tenant_id", "=", tenantId)
        .execute();
    });
    erp.putInvoices(plan({ number: "INV-Y", installments: part(100_00n) }));
    await pull();
    await runWorkflows(core());
    expect(await links()).toMatchObject([{ state: "deactivated" }]);
    clock.advance(60_000);
    erp.putInvoices(plan({ number: "INV-Y", installments: part(90_00n) }));
    await pull();
    await runWorkflows(core());
    expect(await links()).toMatchObject([{ state: "deactivated" }, { state: "active", amount: "90" }]);
  });

  it("go by themselves from the pull to the customer's mailbox and the member's [completions.7.runs-by-itself]", async () => {
    const { tenantId } = world;
    erp.putInvoices(
      plan(),
      plan({
        id: ID + 1n,
        number: "INV-BIG",
        installments: [{ dueDate: null, amountMinor: 9_000_000_00n, balanceMinor: 9_000_000_00n }],
      }),
    );
    erp.removeInvoices(...made.invoices.map((item) => String(item.CustomerTransactionId)));
    await pull();
    await operate(core(), tenantId, addMember, { email: "ada@acme.example", role: "admin" });
    const assignee = "ada@acme.example";
    await operate(core(), tenantId, enableWorkflow, {
      type: "payment_arrangement",
      minimumAmount: "5000000",
      assignee,
    });
    await operate(core(), tenantId, enableWorkflow, { type: "auto_generate", sendAt: "16:00", daysBeforeDue: 365 });
    const { mailer, mails, names } = outbox();
    const office = {
      mailer,
      fromAddress: "no-reply@receivables.example.test",
      publicOrigin: "https://receivables.example.test",
    };
    const jobs = createJobs(core(), { connect: quickConnect, scheduleEveryMs: 60_000, lookEveryMs: 20, office });
    await jobs.start();
    try {
      await vi.waitFor(async () => {
        expect(await queued()).toEqual([]);
        expect(await links()).toMatchObject([
          { erp_invoice_id: String(ID), amount: "100", state: "active", email_status: "scheduled" },
          { erp_invoice_id: String(ID), amount: "50", state: "active", email_status: "scheduled" },
        ]);
        expect(names()).toHaveLength(1);
      }, 30_000);
      clock.set("2026-03-10T16:00:00.000Z");
      await vi.waitFor(() => expect(names()).toHaveLength(2), 30_000);
      await vi.waitFor(async () => expect((await links()).map((link) => link.email_status)).toEqual(["sent", "sent"]));
      await sleep(100);
    } finally {
      await jobs.drain();
    }
    expect((await mails()).map((mail) => mail.subject?.replace(/^Workspace \S+: /, "")).sort()).toEqual([
      "Invoice INV-BIG needs a payment arrangement",
      expect.stringMatching(/^Invoice INV-X from /),
    ]);
    expect((await links()).map((link) => link.email_status)).toEqual(["sent", "sent"]);
  });
});
