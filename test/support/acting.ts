import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { Core, Operation, OperatorActor, PersonActor } from "../../src/core/gate/operation.ts";
import { operate } from "../../src/core/gate/operator.ts";

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

/** Calls operations as an operator of some workspace. */
export type Act = <I extends z.ZodType, O extends z.ZodType>(
  called: Operation<I, O, OperatorActor>,
  input: z.input<I>,
) => Promise<z.output<O>>;

export const actIn =
  (where: () => { core: Core; tenantId: string }): Act =>
  (called, input) => {
    const { core, tenantId } = where();
    return operate(core, tenantId, called, input);
  };
