import { z } from "zod";
import { connectionRevoked } from "../gate/ended-access.ts";
import { type AssistantActor, type Operation, operation } from "../gate/operation.ts";
import { businessDate } from "../kernel/calendar.ts";
import { contextOf } from "./context-queries.ts";
import { Context } from "./schema.ts";

const Input = z.strictObject({});

/**
 * Who and where the caller is (completions §3). Tools are a layer above, so `callableTools` is passed in: the names of those
 * that an actor may call now.
 */
export function getContext(
  callableTools: (actor: AssistantActor) => string[],
): Operation<typeof Input, typeof Context, AssistantActor> {
  return operation({
    id: "getContext",
    summary: "Who and where the caller is",
    callers: ["assistant"],
    permission: "readonly",
    scope: "receivables:read",
    sideEffects: "None.",
    input: Input,
    output: Context,
    async run({ actor, tx, now, core }) {
      const found = await contextOf(tx, actor);
      if (found === undefined) throw connectionRevoked();
      return {
        tenant_id: actor.tenantId,
        tenant_name: found.tenant_name,
        timezone: found.timezone,
        business_date: businessDate(new Date(now), found.timezone),
        member: { id: actor.memberId, email: found.email, name: found.name, role: actor.role },
        connection: {
          id: actor.connectionId,
          client_name: found.client_name,
          scopes: [...actor.scopes],
          created_at: found.created_at,
          last_used_at: found.last_used_at,
        },
        callable_tools: callableTools(actor),
        pages: pagesOf(actor.tenantId, core.publicOrigin ?? ""),
      };
    },
  });
}

/** The pages behind figures; what is in braces is a field of an answer. */
export function pagesOf(tenantId: string, origin: string): Context["pages"] {
  const at = (path: string): string => `${origin}${path}?workspace=${tenantId}`;
  return {
    overview: at("/"),
    attention: at("/attention"),
    customers: at("/customers"),
    customer: at("/customers/{customer_key}"),
    installments: at("/installments"),
    invoices: at("/invoices"),
    invoice: at("/invoices/{invoice_id}"),
    payment_links: at("/payment-links"),
    payment_link: at("/payment-links/{payment_link_id}"),
    payments: at("/payments"),
    payment: at("/payments/{payment_id}"),
    held_receipts: at("/payments/held"),
    tasks: at("/tasks"),
    task: at("/tasks/{task_id}"),
    workflows: at("/workflows"),
    workflow_history: at("/workflow-history"),
    sync_runs: at("/sync-runs"),
    sync_run: at("/sync-runs/{sync_run_id}"),
  };
}
