import type { z } from "zod";
import type { AssistantActor, CallRequest, Operation } from "../src/core/gate/operation.ts";

/** An operation that assistants may call. */
export type ToolOperation = Operation<z.ZodObject, z.ZodObject, AssistantActor>;

/** What a tool takes, and how it is called. */
export interface Callable {
  readonly input: z.ZodObject;
  /** Throws ServiceError for errors of the caller. */
  call(actor: AssistantActor, args: unknown, request: CallRequest): Promise<object>;
}

/** The arguments of a call by name; none where they are not an object. */
export function recordOf(args: unknown): Record<string, unknown> {
  return typeof args === "object" && args !== null ? { ...args } : {};
}
