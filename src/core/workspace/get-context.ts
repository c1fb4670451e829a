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

/** What is in braces is a field of an answer. */
const PATHS = [
  "",
  "attention",
  "bridge",
  "customers",
  "customers/{customer_key}",
  "installments",
  "invoices",
  "invoices/{invoice_id}",
  "payment-links",
  "payment-links/{payment_link_id}",
  "payments",
  "payments/{payment_id}",
  "payments/held",
  "tasks",
  "tasks/{task_id}",
  "workflows",
  "workflow-history",
  "sync-runs",
  "sync-runs/{sync_run_id}",
];

/** The pages behind figures: each of the paths, in the base, is an address. */
export function pagesOf(tenantId: string, origin: string) {
  return { base: `${origin}/{path}?workspace=${tenantId}`, paths: PATHS };
}
