import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type AssistantActor, SCOPES } from "../../src/core/gate/actor.ts";
import { paymentProviders } from "../../src/core/provider-access/payment-providers.ts";
import type { Tool } from "../../tools/tool.ts";
import { openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { furnishCollecting, linkRow, mailedLinkRow, paymentRow } from "../support/furnish.ts";
import { connectAssistant, syncRunRow, taskRow } from "../support/rows.ts";
import { addRows } from "../support/stored.ts";
import type { TestStore } from "../support/stores.ts";

/** What an error says of its fields. */
export const Refused = z.object({
  error: z.object({ details: z.array(z.object({ field: z.string(), message: z.string() })) }),
});

/** A workspace that every tool has something to answer of, and its admin's assistant. */
export interface Desk {
  readonly caller: AssistantActor;
  call(tool: Tool, args: object, actor?: AssistantActor): Promise<object>;
  /** What a tool needs to be given; of a link and a key, new ones. */
  argumentsOf(tool: Tool): Promise<Record<string, unknown>>;
}

/** Makes one in a store. */
export async function openDesk({ store }: Pick<TestStore, "store">): Promise<Desk> {
  const book = await openBook(store);
  const { tenantId, connectionId } = book;
  const customer = await book.customer();
  const { invoice, installments } = await book.invoice({ customer, payment_terms: "NET 30" }, [
    { due_date: "2026-01-15", original_amount: "5000.00" },
    { due_date: "2026-04-15", not_collectible_reason: "disputed", disputed: true },
    { due_date: "2026-05-15", original_amount: "10.00" },
  ]);
  const [installment, , unlinked] = installments;
  await book.invoice({ origin: "local", currency: null, due_date: "2026-03-01", total_amount: null });
  const run = syncRunRow(tenantId, connectionId, {
    status: "failed",
    error_code: "interrupted",
    error_reason: { code: "cut_off" },
  });
  const task = taskRow(tenantId, invoice.invoice_id);
  await addRows(store, tenantId, { tasks: task, sync_runs: run });
  const { payment_integration_id: integrationId } = await furnishCollecting(store, installment);
  const nextLink = async () => {
    const link = mailedLinkRow(installment, integrationId);
    await addRows(store, tenantId, { payment_links: [link] });
    return link.payment_link_id;
  };
  const held = paymentRow(linkRow(installment, integrationId), { erp_push_status: "held" });
  await addRows(store, tenantId, { payments: held });
  const { invoice_id } = invoice;
  const { installment_id } = unlinked;
  const required = {
    invoice_id,
    sync_run_id: run.sync_run_id,
    task_id: task.task_id,
    send_at: "2026-12-31T08:00:00Z",
    links: [{ invoice_id, installment_id, amount_minor: 1 }],
    payment_ids: [held.payment_id],
  };
  const { actor: caller } = await connectAssistant(store, tenantId, { role: "admin", scopes: SCOPES });
  return {
    caller,
    call(tool, args, actor = caller) {
      const core = testCore(store);
      const payments = paymentProviders({ ...core, sandboxAt: "https://receivables.example.test" });
      return tool.call(actor, args, { core: { ...core, payments }, requestId: "req_test" });
    },
    async argumentsOf({ name, input }) {
      const given = { ...required, payment_link_id: await nextLink(), idempotency_key: randomUUID() };
      const needed = [...(input.required ?? []), ...(name === "push_held_payments" ? ["payment_ids"] : [])];
      return Object.fromEntries(Object.entries(given).filter(([argument]) => needed.includes(argument)));
    },
  };
}
