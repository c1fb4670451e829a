import type { z } from "zod";
import type { Core, Operation, OperatorActor } from "./operation.ts";

/** An operator whose act is about the whole service, by their name on their machine. */
export interface ByOperator {
  readonly core: Core;
  readonly operator?: string | undefined;
}

/** Calls an operation as an operator at the terminal, in a request of its own. Throws what the operation throws. */
export function operate<I extends z.ZodType, O extends z.ZodType>(
  core: Core,
  tenantId: string,
  called: Operation<I, O, OperatorActor>,
  input: z.input<I>,
  { signal, name }: { signal?: AbortSignal; name?: string | undefined } = {},
): Promise<z.output<O>> {
  const request = {
    core,
    requestId: core.newId(),
    idempotencyKey: core.newId(),
    ...(signal === undefined ? {} : { signal }),
  };
  return called.call({ kind: "operator", tenantId, name }, input, request);
}
