import type { Result, ServerCapabilities } from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import type { Actor } from "../core/gate/actor.ts";
import type { Core } from "../core/gate/core.ts";
import { asServiceError, isOutage, ServiceError } from "../core/gate/error.ts";
import type { Operation } from "../core/gate/operation.ts";
import type { Progress } from "../core/gate/run-context.ts";
import type { McpCaller } from "./post.ts";
import { RPC, RpcError } from "./protocol-error.ts";

/** One request as the protocol knows it. */
export interface RpcCall {
  readonly requestId: string;
  /** Aborted when the client cancels the call or the connection is revoked. */
  readonly signal: AbortSignal;
  /** What is told of the call to whoever measures. */
  readonly told: { readonly method: string; tool: string | null; outcome: string };
  /** Tells the client how far the work is; there where the client asked to be told. */
  readonly onProgress?: (progress: Progress) => void;
}

/** Answers one method. What it throws is a ServiceError for what the caller did wrong, or an RpcError. */
export type Method<Caller extends McpCaller<Actor>> = (
  caller: Caller,
  params: Readonly<Record<string, unknown>>,
  call: RpcCall,
) => Result | Promise<Result>;

/** A part of the protocol that is offered, and the methods that make it true. */
export interface Feature<Caller extends McpCaller<Actor>> {
  readonly capabilities: ServerCapabilities;
  readonly methods: Readonly<Record<string, Method<Caller>>>;
}

/** The operations as a caller may call them: the only way a prompt or resource reaches the workspace. */
export type CallOperation = <I extends z.ZodType, O extends z.ZodType>(
  operation: Operation<I, O>,
  input: z.input<I>,
) => Promise<z.output<O>>;

/** The operations for one request. */
export function operationsFor(core: Core, { actor }: McpCaller<Actor>, { requestId, signal }: RpcCall): CallOperation {
  return (operation, input) => operation.call(actor, input, { core, requestId, signal });
}

/** A list that is never parted: a cursor cannot be one of ours. */
export function refuseCursor(params: Readonly<Record<string, unknown>>): void {
  if ((params.cursor ?? null) !== null) throw new RpcError(RPC.invalidParams, "Invalid cursor: the list has one page.");
}

/** A parameter that must be a string. */
export function textParam(params: Readonly<Record<string, unknown>>, name: string): string {
  const value = params[name];
  if (typeof value !== "string") throw new RpcError(RPC.invalidParams, `Invalid params: ${name} must be a string.`);
  return value;
}

/** A parameter that must be an object; an empty one where it may be left out. */
export function objectParam(
  params: Readonly<Record<string, unknown>>,
  name: string,
  { optional = false } = {},
): Readonly<Record<string, unknown>> {
  const value = params[name] ?? (optional ? {} : undefined);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new RpcError(RPC.invalidParams, `Invalid params: ${name} must be an object.`);
  return { ...value };
}

/** What a caller is told of a failure where the protocol has no results that say so; unexpected ones stay as they are. */
export function asRpcError(error: unknown): unknown {
  const failure = asServiceError(error);
  if (isOutage(failure)) {
    const { message, retryAfterSeconds } = failure;
    return new RpcError(RPC.internalError, message, { retryAfterSeconds });
  }
  if (!(error instanceof ServiceError) || error.code === "internal_error") return error;
  const details = error.details?.map(({ field, message }) => ` ${field}: ${message}.`).join("") ?? "";
  return new RpcError(RPC.invalidParams, `${error.message}${details}`);
}
