import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import { IdempotencyKey } from "../../core/gate/idempotency.ts";
import type { Operation, PersonActor } from "../../core/gate/operation.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import { hidden } from "./parts.ts";
import type { Visit, WorkspaceVisit } from "./visit.ts";

const FIELD = "once";
/** How long a form that was sent twice waits for the first of them. */
const PATIENCE_MS = 8_000;
const PAUSE_MS = 250;

/** The hidden field that names a form, which is carried out once however often it is sent. A refused one keeps it. */
export function onceField(visit: Visit, path: string) {
  const refusal = visit.request.path === path ? visit.refusal : null;
  const kept = refusal === null || refusal.code === "idempotency_conflict" ? "" : visit.field(FIELD);
  return hidden(FIELD, kept || visit.site.core.newId());
}

/** Carries a form out; sent again, as by a double click, it is answered as before. Throws what the operation throws. */
export async function actOnce<I extends z.ZodType, O extends z.ZodType>(
  visit: WorkspaceVisit,
  operation: Operation<I, O, PersonActor>,
  input: z.input<I>,
) {
  const idempotencyKey = IdempotencyKey.safeParse(visit.field(FIELD)).data;
  const patience = Date.now() + PATIENCE_MS;
  for (;;)
    try {
      return await visit.call(operation, input, idempotencyKey);
    } catch (error) {
      const isInFlight =
        error instanceof ServiceError && error.code === "conflict" && error.retryAfterSeconds !== undefined;
      if (!isInFlight || Date.now() > patience) throw error;
      await sleep(PAUSE_MS);
    }
}
