import { sql } from "kysely";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import type { ApiKeyActor } from "../../src/core/gate/actor.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { createPaymentLink } from "../../src/core/payment-links/operations/create-links.ts";
import { deactivatePaymentLink } from "../../src/core/payment-links/operations/deactivate-payment-link.ts";
import { decideInSandbox } from "../../src/core/payments/events/sandbox-payment.ts";
import { everyRow } from "../../test/support/every-row.ts";
import type { LedgerPlace } from "./large-ledger.ts";

const DAY_MS = 86_400_000;

/** What happens to a link that is made: when that was, and what for. */
interface Step {
  readonly daysAgo: number;
  readonly then: "pay" | "withdraw" | "leave";
}

/** Links and payments of the last weeks: 42 payments before this month, some in it, 60 links unpaid, 12 withdrawn. */
function story(dayOfMonth: number): Step[] {
  const steps = (count: number, then: Step["then"], daysAgo: (at: number) => number): Step[] =>
    Array.from({ length: count }, (_, at) => ({ daysAgo: daysAgo(at), then }));
  const all = [
    ...steps(42, "pay", (at) => dayOfMonth + (at % 27)),
    ...steps(16, "pay", (at) => at % Math.max(1, dayOfMonth)),
    ...steps(4, "pay", () => 1),
    ...steps(60, "leave", (at) => at % 20),
    ...steps(12, "withdraw", (at) => 3 + at),
  ];
  // Oldest first, as the store stamps what callers poll by in the order of its commits.
  return all.sort((one, other) => other.daysAgo - one.daysAgo);
}

/** Installments that are all their invoice still owes, of as many customers as there are steps. */
async function linkable({ store }: Core, tenantId: string): Promise<{ invoice_id: string; installment_id: string }[]> {
  const { rows } = await everyRow(store, (tx) =>
    sql<{ invoice_id: string; installment_id: string }>`
      select distinct on (customer_id) invoice_id::text, installment_id::text
      from installments join invoices using (tenant_id, invoice_id)
      where tenant_id = ${tenantId} and collectible
        and installments.collection_outstanding = invoices.collection_outstanding
      order by customer_id, invoice_id`.execute(tx),
  );
  return rows;
}

/** Makes the links through the service at their time, and has customers pay or people withdraw them. */
export async function tellStory(core: Core, { tenantId, today }: LedgerPlace): Promise<void> {
  const { id } = await operate(core, tenantId, createApiKey, { name: "Collections automation", permission: "admin" });
  const by: ApiKeyActor = { kind: "api_key", tenantId, keyId: id, permission: "admin" };
  const steps = story(Number(today.slice(8)));
  const rows = await linkable(core, tenantId);
  for (const [at, { daysAgo, then }] of steps.entries()) {
    const target = rows[at];
    if (target === undefined) throw new Error("the ledger has too few collectible installments");
    const moment = new Date(core.clock.now().getTime() - daysAgo * DAY_MS);
    const past = { ...core, clock: { now: () => moment } };
    const request = { core: past, requestId: core.newId(), idempotencyKey: `story-${at}` };
    const { id: linkId, url } = await createPaymentLink.call(by, target, request);
    if (then === "pay") await decideInSandbox(past, url.slice(url.lastIndexOf("/") + 1), "payment_confirmed");
    if (then === "withdraw") await deactivatePaymentLink.call(by, { payment_link_id: linkId }, request);
  }
}
