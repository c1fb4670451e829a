import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { Core, Operation, PersonActor } from "../../src/core/gate/operation.ts";

/** A request with a name of its own, for operations that are carried out once. */
export function freshRequest(core: Core, requestId = "req_test") {
  return { core, requestId, idempotencyKey: randomUUID() };
}

/** Calls an operation as a member on the pages. */
export function actAs<I extends z.ZodType, O extends z.ZodType>(
  core: Core,
  { tenantId, memberId, requestId = "r-1" }: { tenantId: string; memberId: string; requestId?: string },
  called: Operation<I, O, PersonActor>,
  input: z.input<I>,
): Promise<z.output<O>> {
  return called.call({ kind: "person", tenantId, memberId }, input, freshRequest(core, requestId));
}
