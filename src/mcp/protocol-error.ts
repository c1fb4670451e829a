import type { ServiceError } from "../core/kernel/error.ts";

/** JSON-RPC error codes in use; `refused` is for requests that the edge refuses before the protocol. */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
  refused: -32000,
} as const;

interface ProtocolErrorOptions {
  /** JSON-RPC error code of the body; `RPC.refused` without it. */
  code?: number;
  headers?: Readonly<Record<string, string>>;
}

/** An HTTP request that is refused as a whole; its message is public. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  readonly status: number;
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, options: ProtocolErrorOptions = {}) {
    super(message);
    this.status = status;
    this.code = options.code ?? RPC.refused;
    this.headers = options.headers ?? {};
  }

  /** The JSON-RPC error object that is the body: its id is null, because no single request is answered. */
  get body() {
    return JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: this.code, message: this.message } });
  }
}

/** The store is unavailable: clients and proxies treat 503 as temporary. */
export function outage({ message, retryAfterSeconds = 0 }: Pick<ServiceError, "message" | "retryAfterSeconds">) {
  return new ProtocolError(503, message, {
    code: RPC.internalError,
    headers: { "Retry-After": String(retryAfterSeconds) },
  });
}

/** A body that is not a valid JSON-RPC message or batch. */
export function invalidRequest(message: string) {
  return new ProtocolError(400, message, { code: RPC.invalidRequest });
}

/** Thrown by a request handler to answer with a JSON-RPC error; the message is public. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data: object | undefined;

  constructor(code: number, message: string, data?: object) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
