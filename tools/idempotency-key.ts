import { IdempotencyKey } from "../src/core/gate/idempotency.ts";
import { assertPermitted } from "../src/core/gate/permission.ts";
import { parseInput } from "../src/core/kernel/validation.ts";
import { type Callable, recordOf, type ToolOperation } from "./callable.ts";

/** The argument with the idempotency key of an operation (completions §3). */
const KEY = IdempotencyKey.describe("New for each new request; reuse the same key when you retry");

/** An operation that is carried out once for each key, which is an argument of its tool. */
export function keyed(operation: ToolOperation): Callable {
  const input = operation.input.extend({ idempotency_key: KEY });
  return {
    input,
    async call(actor, args, request) {
      assertPermitted(operation, actor);
      const { idempotency_key: key, ...rest } = recordOf(args);
      const idempotencyKey = IdempotencyKey.safeParse(key).data;
      // Reports all faults at once, including the key's.
      if (idempotencyKey === undefined) parseInput(input, args, request.steering);
      return operation.call(actor, rest, { ...request, idempotencyKey });
    },
  };
}
