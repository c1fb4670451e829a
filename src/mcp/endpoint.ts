import type { Request, RequestHandler, Response } from "express";
import type { Log } from "../core/gate/dependencies.ts";
import { asServiceError, isOutage } from "../core/kernel/error.ts";
import { requestIdOf } from "../http/request-id.ts";
import type { Dispatch } from "./dispatch.ts";
import {
  checkAccept,
  checkContentType,
  checkHost,
  checkMethod,
  checkOrigin,
  edgeOf,
  readJson,
} from "./hosts-and-origins.ts";
import { readMessages } from "./message.ts";
import type { OpenCalls } from "./open-calls.ts";
import { type Challenges, type McpCaller, Post, sendProtocolError } from "./post.ts";
import { outage, ProtocolError, RPC } from "./protocol-error.ts";
import { versionOfHeader } from "./protocol-version.ts";
import { isViewsSession } from "./views/session.ts";

export interface McpEndpointOptions<Caller extends McpCaller> {
  dispatch: Dispatch<Caller>;
  /** The POSTs in flight by connection, so that revoking one ends them. */
  openCalls: OpenCalls<Caller>;
  /** The caller; null where it has answered the request itself (401, 403, 429). */
  authenticate: (req: Request, res: Response) => Promise<Caller | null>;
  /** Counts all requests of a batch but the first before any runs; beyond the limit answers what refuses it (429). */
  charge?: (caller: Caller, res: Response, requests: number) => Promise<(() => void) | null>;
  challenges: Challenges<Caller>;
  /** `https://host[:port]`: the only host served, and the only origin that may call. */
  publicOrigin: string;
  log: Pick<Log, "error">;
}

/** `POST {mcp_url}`: Streamable HTTP of 2025-06-18 and 2025-03-26, without sessions; refusals are JSON-RPC errors. */
export function mcpEndpoint<Caller extends McpCaller>(options: McpEndpointOptions<Caller>): RequestHandler {
  const { dispatch, openCalls, authenticate, challenges, log } = options;
  const { charge = async () => null } = options;
  const edge = edgeOf(options.publicOrigin);

  async function serve(req: Request, res: Response, requestId: string) {
    checkHost(edge, req);
    checkOrigin(edge, req);
    const showsViews = isViewsSession(req.headers["mcp-session-id"]);
    const post = await openCalls.open(
      () => authenticate(req, res),
      (caller: Caller) =>
        new Post({ res, caller, requestId, showsViews, challenges, onEnd: (ended) => openCalls.close(ended) }),
    );
    if (post === null) return;
    try {
      await deliver(req, res, post);
    } catch (error) {
      post.refuse(asProtocolError(log, error, requestId));
    }
  }

  async function deliver(req: Request, res: Response, post: Post<Caller>) {
    checkMethod(req);
    checkAccept(req);
    checkContentType(req);
    const json = await readJson(req);
    const body = readMessages(json, () => versionOfHeader(req.headers["mcp-protocol-version"]?.toString()));
    const requests = body.messages.filter(({ kind }) => kind === "request").length;
    const turnAway = requests > 1 && !post.ended ? await charge(post.caller, res, requests - 1) : null;
    if (turnAway !== null) post.turnAway(turnAway);
    if (!post.ended) dispatch(post, body);
  }

  return async (req, res) => {
    const requestId = requestIdOf(res);
    try {
      await serve(req, res, requestId);
    } catch (error) {
      sendProtocolError(res, asProtocolError(log, error, requestId));
    }
  };
}

function asProtocolError(log: Pick<Log, "error">, error: unknown, requestId: string) {
  if (error instanceof ProtocolError) return error;
  log.error({ request_id: requestId, err: error }, "mcp.request_failed");
  const failure = asServiceError(error);
  return isOutage(failure) ? outage(failure) : new ProtocolError(500, "Internal error", { code: RPC.internalError });
}
