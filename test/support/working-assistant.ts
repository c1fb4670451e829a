import { randomUUID } from "node:crypto";
import { addMember } from "../../auth/members/add-member.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { connectIntegration } from "../../src/core/payment-integrations/operations/connect-integration.ts";
import { PASSWORD } from "./auth-app.ts";
import { openBook } from "./book.ts";
import type { HeldProvider } from "./held-provider.ts";
import { type Approved, signInAndApprove } from "./oauth-client.ts";
import { taskRow } from "./rows.ts";
import type { RunningService } from "./service.ts";
import { addRows } from "./stored.ts";

/** An admin's assistant in a workspace where it has something to write. */
export interface WorkingAssistant {
  tenantId: string;
  email: string;
  assistant: Approved;
  /** Arguments that make so many links, one an installment of its own. */
  links(count: number): object;
  /** A task it could dismiss. */
  taskId: string;
  /** Rows that say of something that it was done. */
  done(): Promise<Record<"links" | "tasks" | "audit", object[]>>;
}

/** What {@link WorkingAssistant.done} says where everything was rolled back. */
export const NOTHING_DONE = { links: [], tasks: [], audit: [] };

/** Makes one, whose links are made at the provider. */
export async function workingAssistant(
  { core, url }: RunningService,
  provider: HeldProvider,
): Promise<WorkingAssistant> {
  const book = await openBook(core.store);
  const { tenantId } = book;
  const email = `${randomUUID()}@example.com`;
  await operate(core, tenantId, addMember, { email, role: "admin", password: PASSWORD });
  const keys = { secretKey: "sk_test_1", webhookSecret: "whsec_test" };
  await operate(core, tenantId, connectIntegration, {
    provider: "stripe",
    currencies: ["USD"],
    keys,
    apiBase: provider.url,
  });
  const { invoice, installments } = await book.invoice(
    { customer_email: "billing@globex.example" },
    Array.from({ length: 4 }, () => ({ original_amount: "100.00" })),
  );
  const task = taskRow(tenantId, invoice.invoice_id);
  await addRows(core.store, tenantId, { tasks: task });
  const unused = [...installments];
  return {
    tenantId,
    email,
    taskId: task.task_id,
    assistant: await signInAndApprove(url, { email, password: PASSWORD }),
    links(count) {
      const taken = unused.splice(0, count);
      const links = taken.map(({ installment_id }) => ({ invoice_id: invoice.invoice_id, installment_id }));
      return { links, idempotency_key: randomUUID() };
    },
    done: () =>
      core.store.read(tenantId, async (tx) => ({
        links: await tx
          .selectFrom("payment_links")
          .select("state")
          .where("state", "in", ["active", "reserved"])
          .execute(),
        tasks: await tx.selectFrom("tasks").select("state").where("state", "=", "dismissed").execute(),
        audit: await tx
          .selectFrom("audit_entries")
          .select("operation")
          .where("actor_kind", "=", "assistant")
          .where("operation", "in", ["createPaymentLinks", "dismissTask"])
          .where("outcome", "=", "succeeded")
          .execute(),
      })),
  };
}
