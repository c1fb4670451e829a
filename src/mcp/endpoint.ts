import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Request, RequestHandler, Response } from "express";
import type { Log } from "../core/gate/dependencies.ts";
import { asServiceError, isOutage } from "../core/gate/error.ts";
import { readJson } from "./body.ts";
import { checkAccept, checkContentType, checkHost, checkMethod, checkOrigin, type Edge, edgeOf } from "./edge.ts";
import { readMessages } from "./message.ts";
import type { OpenCalls } from "./open-calls.ts";
import { type Challenges, type McpCaller, Post, sendProtocolError } from "./post.ts";
import { outage, ProtocolError, RPC } from "./protocol-error.ts";
import type { McpTransport } from "./transport.ts";
import { versionOfHeader } from "./versions.ts";

export interface McpEndpointOptions<Caller extends McpCaller> {
  /** Connected to the MCP server. */
  transport: McpTransport<Caller>;
  /** The POSTs in flight by connection, so that revoking one ends them. */
  openCalls: OpenCalls<Caller>;
  /** The caller; null where it has answered the request itself (401, 403, 429). */
  authenticate: (req: Request, res: Response) => Promise<Caller | null>;
  /**
   * Counts further requests (all of a batch but the first) before any of them runs; answers the function that refuses
   * the batch (429) where that exceeds the limit, else null. Without it they are not counted.
   */
  charge?: (caller: Caller, res: Response, requests: number) => Promise<(() => void) | null>;
  challenges: Challenges<Caller>;
  /** `https://host[:port]`: the only host served, and an origin that may call. */
  publicOrigin: string;
  /** Origins of browser-based clients that may call besides our own. */
  allowedOrigins?: readonly string[];
  /** Bytes; service.md §8. */
  maxBodyBytes?: number;
  /** Messages in one batch. */
  maxBatch?: number;
  /** Makes an `X-Request-Id` where the response has none. */
  newRequestId?: () => string;
  log: Pick<Log, "error">;
}

type Served<Caller extends McpCaller> = Required<McpEndpointOptions<Caller>> & { edge: Edge };

/**
 * `POST {mcp_url}`: the Streamable HTTP transport in its revisions 2025-06-18 and 2025-03-26, without sessions. Every
 * refusal is a JSON-RPC error with id null; authentication comes before the checks of the protocol.
 */
export function mcpEndpoint<Caller extends McpCaller>(options: McpEndpointOptions<Caller>): RequestHandler {
  const served: Served<Caller> = {
    allowedOrigins: [],
    maxBodyBytes: 64 * 1024,
    maxBatch: 20,
    newRequestId: randomUUID,
    charge: async () => null,
    ...options,
    edge: edgeOf(options.publicOrigin, options.allowedOrigins ?? []),
  };
  return async (req, res) => {
    const requestId = requestIdOf(res, served.newRequestId);
    try {
      await serve(served, req, res, requestId);
    } catch (error) {
      sendProtocolError(res, asProtocolError(served, error, requestId));
    }
  };
}

async function serve<Caller extends McpCaller>(
  served: Served<Caller>,
  req: Request,
  res: Response,
  requestId: string,
): Promise<void> {
  checkHost(served.edge, req);
  if (checkOrigin(served.edge, req, res)) return;
  const { openCalls, challenges } = served;
  const post = await openCalls.open(
    () => served.authenticate(req, res),
    (caller: Caller) => new Post({ res, caller, requestId, challenges, onEnd: (ended) => openCalls.close(ended) }),
  );
  if (post === null) return;
  try {
    await deliver(served, req, res, post);
  } catch (error) {
    post.refuse(asProtocolError(served, error, requestId));
  }
}

async function deliver<Caller extends McpCaller>(
  served: Served<Caller>,
  req: IncomingMessage,
  res: Response,
  post: Post<Caller>,
): Promise<void> {
  checkMethod(req);
  checkAccept(req);
  checkContentType(req);
  const json = await readJson(req, served.maxBodyBytes);
  const body = readMessages(json, () => versionOfHeader(headerOf(req, "mcp-protocol-version")), served.maxBatch);
  const requests = body.messages.filter(({ kind }) => kind === "request").length;
  const turnAway = requests > 1 && !post.ended ? await served.charge(post.caller, res, requests - 1) : null;
  if (turnAway !== null) post.turnAway(turnAway);
  if (!post.ended) served.transport.receive(post, body);
}

function headerOf(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

function requestIdOf(res: ServerResponse, newRequestId: () => string): string {
  const given = res.getHeader("X-Request-Id");
  if (typeof given === "string") return given;
  const requestId = newRequestId();
  res.setHeader("X-Request-Id", requestId);
  return requestId;
}

function asProtocolError<Caller extends McpCaller>(
  served: Served<Caller>,
  error: unknown,
  requestId: string,
): ProtocolError {
  if (error instanceof ProtocolError) return error;
  served.log.error({ request_id: requestId, err: error }, "mcp.request_failed");
  const failure = asServiceError(error);
  if (isOutage(failure)) return outage(failure);
  return new ProtocolError(500, "Internal error", { code: RPC.internalError });
}
