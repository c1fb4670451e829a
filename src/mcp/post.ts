import type { ServerResponse } from "node:http";
import { endCompressed } from "../http/compressed.ts";
import type { OpenPost, StopReason } from "./open-calls.ts";
import { outage, ProtocolError } from "./protocol-error.ts";

/** Who calls: `key` is the assistant connection's id, `actor` what the operations are called with. */
export interface McpCaller<Actor = unknown> {
  readonly key: string;
  readonly actor: Actor;
}

/** `WWW-Authenticate` values, made by whoever knows the authorization server. */
export interface Challenges<Caller> {
  /** For a connection that was revoked while it was being served. */
  revoked(): string;
  /** For a call that needs `scope`, which the caller's connection was not granted (completions §2). */
  insufficientScope(caller: Caller, scope: string): string;
}

interface PostOptions<Caller> {
  res: ServerResponse;
  caller: Caller;
  /** The `X-Request-Id` of the answer. */
  requestId: string;
  challenges: Challenges<Caller>;
  /** Called once, when everything is answered, refused or aborted. */
  onEnd: (post: Post<Caller>) => void;
}

/** Answers one refusal as JSON; nothing is sent where an answer has begun or the client is gone. */
export function sendProtocolError(res: ServerResponse, refusal: ProtocolError): void {
  if (res.headersSent || res.destroyed) return;
  for (const [name, value] of Object.entries(refusal.headers)) res.setHeader(name, value);
  sendJson(res, refusal.status, refusal.body);
}

/** What is thrown once the answer is made has nobody left to hear it. */
function sendJson(res: ServerResponse, status: number, json: string): void {
  res.statusCode = status;
  res.setHeader("Content-Type", "application/json");
  res.setHeader("Cache-Control", "no-store");
  endCompressed(res, json).catch(() => res.destroy());
}

/**
 * The answer to one POST. It is JSON, unless something is to be told before the last result: then it turns into an
 * event stream. A client that goes away changes nothing here: its handlers run to their end.
 */
export class Post<Caller> implements OpenPost {
  readonly caller: Caller;
  readonly requestId: string;
  /** Internal ids of the requests that are being handled. */
  readonly inFlight = new Set<number>();
  /** Aborts the handlers of {@link inFlight}; set by the transport that started them. */
  abandon: () => void = () => {};
  readonly #options: PostOptions<Caller>;
  readonly #answers: string[] = [];
  #batch = false;
  #waiting = 0;
  #streaming = false;
  #ended = false;

  constructor(options: PostOptions<Caller>) {
    this.caller = options.caller;
    this.requestId = options.requestId;
    this.#options = options;
    // A socket that breaks while it is written to is a client that went away.
    options.res.on("error", () => {});
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Announces how many answers will come, and whether they belong in an array. */
  expect(answers: number, batch: boolean): void {
    this.#waiting = answers;
    this.#batch = batch;
  }

  /** Nothing to answer: notifications and responses. */
  accept(): void {
    this.#end(() => {
      this.#options.res.statusCode = 202;
      this.#options.res.end();
    });
  }

  refuse(refusal: ProtocolError): void {
    this.#end(() => sendProtocolError(this.#options.res, refusal));
  }

  /** Lets somebody else answer it, unless that was done. */
  turnAway(answer: () => void): void {
    this.#end(answer);
  }

  /** Refuses a lone call for want of a scope; false when it is too late or too much for that. */
  stepUp(scope: string): boolean {
    if (this.#batch || this.#streaming) return false;
    const challenge = this.#options.challenges.insufficientScope(this.caller, scope);
    this.refuse(
      new ProtocolError(403, `This needs the scope ${scope}.`, { headers: { "WWW-Authenticate": challenge } }),
    );
    return true;
  }

  /** Refuses a lone call for want of the store; false when it is too late or too much for that. */
  giveUp(message: string, retryAfterSeconds: number | undefined): boolean {
    if (this.#batch || this.#streaming) return false;
    this.refuse(outage({ message, retryAfterSeconds }));
    return true;
  }

  /** Says when a lone call may be sent again, where its answer has not begun. */
  retryAfter(seconds: number): void {
    const { res } = this.#options;
    if (!this.#batch && !this.#ended && !res.headersSent) res.setHeader("Retry-After", String(seconds));
  }

  /** Sends a notification ahead of the answers. */
  notify(json: string): void {
    if (this.#ended) return;
    this.#stream();
    this.#event(json);
  }

  /** One JSON-RPC response; the last one ends the POST. */
  answer(json: string): void {
    if (this.#streaming) this.#event(json);
    else this.#answers.push(json);
    this.skip();
  }

  /** One request that gets no response, because it was cancelled. */
  skip(): void {
    this.#waiting--;
    if (this.#waiting === 0) this.#end(() => this.#finish());
  }

  /**
   * Access was withdrawn or changed, or nobody can tell any more: handlers are aborted, a stream ends, an answer not begun
   * becomes a 401, or a 503 that says to ask again.
   */
  abort(why: StopReason = "withdrawn"): void {
    if (this.#ended) return;
    this.abandon();
    if (this.#streaming) {
      this.#end(() => this.#options.res.end());
    } else if (why === "outage") {
      this.refuse(
        outage({ message: "The service has lost its database for a moment. Try again.", retryAfterSeconds: 1 }),
      );
    } else {
      const headers = { "WWW-Authenticate": this.#options.challenges.revoked() };
      this.refuse(new ProtocolError(401, "This connection was revoked, or what it may do has changed.", { headers }));
    }
  }

  #finish(): void {
    const { res } = this.#options;
    // A cancelled request has no response: its stream ends without one.
    if (this.#answers.length === 0) this.#stream();
    // Let go of at once: a POST may be kept alive for long by garbage that is older than it.
    const answers = this.#answers.splice(0);
    if (this.#streaming) res.end();
    else if (!res.destroyed) sendJson(res, 200, this.#batch ? `[${answers.join(",")}]` : answers.join(""));
  }

  #stream(): void {
    const { res } = this.#options;
    if (this.#streaming || res.destroyed) return;
    this.#streaming = true;
    res.writeHead(200, {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-store, no-transform",
      "X-Accel-Buffering": "no",
    });
    res.flushHeaders();
    for (const answer of this.#answers.splice(0)) this.#event(answer);
  }

  #event(json: string): void {
    if (!this.#options.res.destroyed) this.#options.res.write(`event: message\ndata: ${json}\n\n`);
  }

  #end(send: () => void): void {
    if (this.#ended) return;
    this.#ended = true;
    send();
    this.#options.onEnd(this);
  }
}
