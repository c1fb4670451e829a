import type { Result, ServerCapabilities } from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import type { Actor, CallProgress, Core, Operation } from "../core/gate/operation.ts";
import { asServiceError, isOutage, ServiceError } from "../core/kernel/error.ts";
import type { RpcSignal } from "../signals.ts";
import type { McpCaller } from "./post.ts";
import { RPC, RpcError } from "./protocol-error.ts";

/** One JSON-RPC request. */
export interface RpcCall {
  readonly requestId: string;
  /** Whether the client shows views. */
  readonly showsViews: boolean;
  /** Aborted when the client cancels the call or the connection is revoked. */
  readonly signal: AbortSignal;
  /** The signal of the call, for metrics and traces. */
  readonly told: RpcSignal;
  /** Sends progress to the client; undefined where the client did not ask for it. */
  readonly onProgress?: (progress: CallProgress) => void;
}

/** Answers one method. Throws ServiceError for errors of the caller, or RpcError. */
export type Method<Caller extends McpCaller<Actor>> = (
  caller: Caller,
  params: Readonly<Record<string, unknown>>,
  call: RpcCall,
) => Result | Promise<Result>;

/** A capability that is advertised, and the methods that provide it. */
export interface Feature<Caller extends McpCaller<Actor>> {
  readonly capabilities: ServerCapabilities;
  readonly methods: Readonly<Record<string, Method<Caller>>>;
}

/** Calls operations as the caller: the only way a prompt or resource reaches the workspace. */
export type CallOperation = <I extends z.ZodType, O extends z.ZodType>(
  operation: Operation<I, O>,
  input: z.input<I>,
) => Promise<z.output<O>>;

/** Calls operations for one request. */
export function operationsFor(core: Core, { actor }: McpCaller<Actor>, { requestId, signal }: RpcCall): CallOperation {
  return (operation, input) => operation.call(actor, input, { core, requestId, signal });
}

/** The list has one page only, so any cursor is invalid. */
export function refuseCursor(params: Readonly<Record<string, unknown>>): void {
  if ((params.cursor ?? null) !== null) throw new RpcError(RPC.invalidParams, "Invalid cursor: the list has one page.");
}

/** A parameter that must be a string. */
export function textParam(params: Readonly<Record<string, unknown>>, name: string): string {
  const value = params[name];
  if (typeof value !== "string") throw new RpcError(RPC.invalidParams, `Invalid params: ${name} must be a string.`);
  return value;
}

/** A parameter that must be an object; empty when it is missing. */
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

/** A failure as a JSON-RPC error, for methods whose results cannot express it; unexpected errors are unchanged. */
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
