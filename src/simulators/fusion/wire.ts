import type { IncomingMessage, ServerResponse } from "node:http";
import type { Answer } from "./answers.ts";

/** A request's header, several of one name joined. */
export function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(",") : value;
}

/** Sends an answer, or the first half of it. */
export function send(response: ServerResponse, answer: Answer, cut = false): void {
  const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body);
  const bytes = Buffer.from(text, "utf8");
  const plain = typeof answer.body === "string" ? "text/plain; charset=UTF-8" : "application/json";
  response.writeHead(answer.status, { "Content-Type": plain, ...answer.headers, "Content-Length": bytes.length });
  if (!cut) return void response.end(bytes);
  response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy());
}
