import type { z } from "zod";
import { type ErrorCode, ServiceError } from "../kernel/error.ts";
import type { Core } from "./dependencies.ts";

/** Codes that only an operation's own rules can cause, so that it has to declare them. */
const OWN: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "conflict",
  "installment_not_collectible",
  "amount_exceeds_available",
  "sync_disabled",
  "connection_disconnected",
  "integration_unavailable",
  "currency_not_supported",
]);

/** Passes an operation's errors on; where the core {@link Core.checksOutputs}, an undeclared one fails the call. */
export async function declaredErrors<T>(
  core: Core,
  { id, errors = [], idempotency }: { id: string; errors?: readonly ErrorCode[]; idempotency?: true },
  work: () => Promise<T>,
) {
  try {
    return await work();
  } catch (error) {
    const isTheirs = !(error instanceof ServiceError) || !OWN.has(error.code) || errors.includes(error.code);
    if (!core.checksOutputs || isTheirs || (idempotency && error.code === "conflict")) throw error;
    throw new Error(`${id} throws ${error.code}, which it does not declare`, { cause: error });
  }
}

/** An operation's answer. Types hold it to the schema; where the core {@link Core.checksOutputs}, the schema is parsed too. */
export function checkedOutput<O extends z.ZodType>(core: Core, schema: O, answer: z.output<O>) {
  if (core.checksOutputs) schema.parse(answer);
  return answer;
}
