import type { Result, ServerCapabilities } from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import type { Actor, CallProgress, Core, Operation } from "../core/gate/operation.ts";
import type { ServiceError } from "../core/kernel/error.ts";
import type { RpcSignal } from "../signals.ts";
import type { Params } from "./message.ts";
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
  /** Names the session in the response, where that has not begun. */
  readonly beginSession: (id: string) => void;
  /** Sends a notification to the client before the response. */
  readonly notify: (method: string, params: object) => void;
  /** Sends progress to the client; undefined where the client did not ask for it. */
  readonly onProgress?: (progress: CallProgress) => void;
}

/** A result that is JSON already, and why the call failed of which it is the result. */
export class JsonResult {
  readonly json: string;
  readonly failure: ServiceError | undefined;

  constructor(json: string, failure?: ServiceError) {
    this.json = json;
    this.failure = failure;
  }
}

/** Answers one method. Throws ServiceError for errors of the caller, or RpcError. */
export type Method<Caller extends McpCaller<Actor>> = (
  caller: Caller,
  params: Params,
  call: RpcCall,
) => Result | JsonResult | Promise<Result | JsonResult>;

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
export function refuseCursor(params: Params) {
  if ((params.cursor ?? null) !== null) throw new RpcError(RPC.invalidParams, "Invalid cursor: the list has one page.");
}

/** A parameter that must be a string. */
export function textParam(params: Params, name: string) {
  const value = params[name];
  if (typeof value !== "string") throw new RpcError(RPC.invalidParams, `Invalid params: ${name} must be a string.`);
  return value;
}

/** A parameter that must be an object; empty when it is missing. */
export function objectParam(params: Params, name: string, { optional = false } = {}): Params {
  const value = params[name] ?? (optional ? {} : undefined);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new RpcError(RPC.invalidParams, `Invalid params: ${name} must be an object.`);
  return { ...value };
}
