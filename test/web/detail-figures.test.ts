import { describe, expect, it } from "vitest";
import { getInvoice } from "../../src/core/invoices/operations/get-invoice.ts";
import { money } from "../../src/core/kernel/money.ts";
import { readableMinor, readableMoney } from "../../src/core/mail/readable.ts";
import { getPaymentLink } from "../../src/core/payment-links/operations/get-payment-link.ts";
import { listPayments } from "../../src/core/payments/operations/list-payments.ts";
import { getSyncRun } from "../../src/core/sync-runs/operations/list-sync-runs.ts";
import { getTask } from "../../src/core/tasks/operations/get-task.ts";
import { planWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { listWorkflowExecutions } from "../../src/core/workflows/operations/list-workflows.ts";
import { actAs } from "../support/acting.ts";
import { useCollectingPages } from "../support/collecting-pages.ts";
import { furnishCollecting } from "../support/furnish.ts";
import { amountsIn } from "../support/receivables-pages.ts";
import { syncRunRow, taskRow } from "../support/rows.ts";
import { addRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

/** Amounts that numbers of JavaScript, or of another scale, would not keep. */
const ODD = [
  { currency: "KWD", amount: "99999999999999999.999" },
  { currency: "JPY", amount: "1234567" },
  { currency: "EUR", amount: "0.1" },
  { currency: "USD", amount: "1234567.89" },
] as const;

describe.each(A_STORE)("the pages of one thing, $name", ({ open }) => {
  const workspace = useCollectingPages(open);

  async function filled() {
    const made = await workspace();
    const { app, tenantId, connectionId, reader, invoice } = made;
    const { core } = app;
    const bills = [];
    for (const { currency, amount } of ODD)
      bills.push(
        await invoice({ currency, total_amount: amount, customer_email: "ap@globex.example.test" }, [
          { sequence_number: 1, original_amount: amount, due_date: "2026-01-01" },
          { sequence_number: 2, original_amount: amount, due_date: "2999-01-01" },
        ]),
      );
    const [part] = bills[3]?.installments ?? [];
    if (part === undefined) throw new Error("the book is empty");
    const collecting = await furnishCollecting(core.store, part);
    const run = syncRunRow(tenantId, connectionId, { invoices_read: 1_204_000, invoices_created: 3 });
    const tasks = bills.map((bill) => taskRow(tenantId, bill.invoice.invoice_id));
    await addRows(core.store, tenantId, { sync_runs: run, tasks });
    const request = { core, requestId: "r" };
    return { ...made, core, reader, request, bills, collecting, run, tasks, browser: await made.signedIn() };
  }

  it("a customer's latest invoices are in order of their dates, lead to all, and say why one owes what no figure above has [pages.look.figures]", async () => {
    const { customer: addCustomer, invoice, signedIn } = await workspace();
    const customer = await addCustomer({ name: "Globex" });
    const days = Array.from({ length: 21 }, (_, index) => `2026-01-${String(((index * 8) % 21) + 1).padStart(2, "0")}`);
    for (const invoice_date of days)
      await invoice({ customer, invoice_number: `INV-${invoice_date}`, invoice_date }, [{ original_amount: "1" }]);
    const gone = { collectible: false, not_collectible_reason: "retired" } as const;
    const retired = { retired_at: "2026-03-01T00:00:00.000Z", collection_status: "inactive" } as const;
    await invoice({ customer, invoice_number: "GONE", invoice_date: "2026-02-01", ...retired }, [
      { original_amount: "70", ...gone },
    ]);
    const browser = await signedIn();
    const { html, text } = await browser.open(`/customers/${customer.customer_id}`);
    const numbers = (markup = "") => [...markup.matchAll(/>(INV-[\d-]+|GONE)</g)].map(([, number]) => number);
    const sorted = [
      "GONE",
      ...days
        .toSorted()
        .reverse()
        .map((day) => `INV-${day}`),
    ];
    expect(numbers(html.split("Latest invoices")[1]?.split("</table>")[0])).toEqual(sorted.slice(0, 20));
    expect(text).toContain("has closed is in none of the figures above: see what, step by step");
    expect(text).toMatch(/GONE 1 Feb 2026 .*?Not collectible The ERP no longer has the invoice .*?70\.00/);
    const all = /href="([^"]+)">All 22</.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const list = await browser.open(all);
    expect(numbers(list.html)).toEqual(sorted);
    expect(list.text).not.toContain("Newest first Most outstanding");
  });

  it("a customer without a name is called the same in the list, on their page and in invoices [pages.look.figures]", async () => {
    const { customer: addCustomer, invoice, signedIn } = await workspace();
    const customer = await addCustomer({ name: null, number: null });
    await invoice({ customer }, [{ due_date: "2026-01-01" }]);
    const browser = await signedIn();
    const path = `/customers/${customer.customer_id}`;
    for (const list of ["/customers", "/invoices"])
      expect((await browser.open(list)).html, list).toMatch(new RegExp(`href="${path}[^"]*">Unassigned<`));
    const page = await browser.open(path);
    expect(page.heading).toBe("Unassigned");
    expect(page.text).not.toContain("in none of the figures above");
  });

  it("an invoice, its task and its links have the API's figures [pages.look.figures]", async () => {
    const { app, tenantId, core, browser, reader, request, bills, tasks, collecting } = await filled();
    const { memberId } = await app.addPerson(tenantId);
    for (const [index, { invoice }] of bills.entries()) {
      const api = await getInvoice.call(reader, { invoice_id: invoice.invoice_id }, request);
      const page = await browser.open(`/invoices/${invoice.invoice_id}`);
      const facts = [
        ...[api.collection_outstanding, api.overdue_outstanding, api.total_amount],
        ...[api.amount_collected, api.erp_invoice_open_balance],
      ];
      const rows = api.installments.flatMap((row) => [
        ...[row.original_amount, row.erp_installment_outstanding_amount],
        ...[row.collection_outstanding, row.available_amount],
      ]);
      const shown = amountsIn(page.html).slice(0, facts.length + rows.length);
      expect(shown).toEqual([...facts, ...rows].filter((amount) => amount !== null));
      const task = await actAs(core, { tenantId, memberId }, getTask, { task_id: tasks[index]?.task_id ?? "" });
      const taskPage = await browser.open(`/tasks/${task.id}`);
      expect(amountsIn(taskPage.html).slice(0, 2)).toEqual([task.collection_outstanding, api.total_amount]);
      expect(page.html).toContain(`href="/tasks/${task.id}">See the task</a>`);
    }
    const { payment_link_id: id } = collecting;
    const link = await getPaymentLink.call(reader, { payment_link_id: id }, request);
    const asked = readableMinor(BigInt(link.amount_minor), link.currency);
    expect((await browser.open(`/payment-links/${id}`)).heading).toContain(`Payment link for ${asked}`);
  });

  it("an installment that is no part of the invoice any more owes nothing, and is not counted [pages.look.figures]", async () => {
    const { invoice, signedIn } = await workspace();
    const gone = {
      removed_at: "2026-03-01T00:00:00.000Z",
      collectible: false,
      not_collectible_reason: "removed",
    } as const;
    const part = (sequence_number: number) => ({ sequence_number, original_amount: "75.03", due_date: "2026-01-01" });
    const { invoice: made } = await invoice({ currency: "USD" }, [part(1), part(2), { ...part(3), ...gone }]);
    const browser = await signedIn();
    const path = `/invoices/${made.invoice_id}`;
    const installments = (await browser.open(path)).html.split("Installments</h2>")[1]?.split("</table>")[0] ?? "";
    const [, , last = ""] = installments.split("<tbody>")[1]?.split("</tr>") ?? [];
    expect(last).toContain("No longer part of the invoice");
    expect(amountsIn(last)).toEqual(["75.03", "75.03"]);
    expect((await browser.open(`${path}/links`)).text).toMatch(/Installment 1 of 2 .* Installment 2 of 2 /);
  });

  it("payments, held receipts and what needs a person have the API's figures [pages.look.figures]", async () => {
    const { browser, reader, request, paid, connectionId } = await filled();
    for (const { currency, amount } of ODD) {
      const minor = { JPY: "1234567", EUR: "10", USD: "123456789", KWD: "99999999999999999999" }[currency];
      await paid({ currency, amount, amount_minor: minor.slice(0, 15), erp_push_status: "held" });
      await paid({
        currency,
        amount,
        amount_minor: minor.slice(0, 15),
        erp_push_status: "failed",
        erp_push_error: { code: "not_reached" },
      });
    }
    const held = { erp_push_status: "held", connection_id: connectionId, include_total: true, order: "asc" } as const;
    const { data, totals = [] } = await listPayments.call(reader, held, request);
    const page = await browser.open("/payments/held");
    expect(amountsIn(page.html)).toEqual(data.map(({ amount }) => amount));
    const inAll = totals.map(({ amount, currency }) => readableMoney(money(amount), currency)).join(", ");
    expect(page.text).toContain(`${data.length} receipts: ${inAll}`);
    const failed = await listPayments.call(reader, { erp_push_status: "failed" }, request);
    const attention = await browser.open("/attention");
    for (const { id, amount, currency } of failed.data) {
      const shown = readableMoney(money(amount), currency);
      expect(attention.html).toContain(`<a href="/payments/${id}">${shown}</a>`);
      expect((await browser.open(`/payments/${id}`)).heading).toContain(
        `Payment of <span class="short">${shown}</span>`,
      );
    }
  });

  it("a sync, a workflow's history and its preview have the API's figures [pages.look.figures]", async () => {
    const { browser, reader, request, run, core, tenantId, app } = await filled();
    const api = await getSyncRun.call(reader, { sync_run_id: run.sync_run_id }, request);
    const figures = [api.invoices_read, api.invoices_created, api.invoices_updated, api.invoices_retired];
    expect(amountsIn((await browser.open(`/sync-runs/${api.id}`)).html)).toEqual(figures.map(String));
    const { pagination } = await listWorkflowExecutions.call(reader, { include_total: true }, request);
    const count = pagination.total_count ?? 0;
    expect(count).toBeGreaterThan(0);
    expect((await browser.open("/workflow-history")).text).toContain(`${count} of ${count} entries`);
    const { memberId } = await app.addPerson(tenantId);
    const plan = await actAs(core, { tenantId, memberId }, planWorkflow, { type: "auto_generate", daysBeforeDue: 7 });
    const preview = await browser.open("/workflows/auto_generate/preview?given=yes&days_before_due=7&send_at=09:00");
    const rows = plan.recipients.flatMap(({ amounts }) => amounts.map(({ amount }) => amount));
    expect(amountsIn(preview.html)).toEqual([...plan.amounts.map(({ amount }) => amount), ...rows]);
  });
});
