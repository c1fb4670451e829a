import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { onLoopback } from "../support/http.ts";

const Request = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string().nullable() })).min(2),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })),
});

/** What a model was asked. */
export interface Asked extends z.output<typeof Request> {
  readonly authorization: string | undefined;
  /** Text contents of the tool calls so far. */
  readonly answers: readonly string[];
}

/** What a scripted model does with a request: says something, calls a tool, or fails. */
export type Script = (asked: Asked) => string | { tool: string; args: string } | { status: number } | "hang";

/** A chat-completions endpoint on loopback that follows a script; `asked` has all its requests. */
export async function startModel(script: Script) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const { data } = Request.safeParse(JSON.parse(await text(request)));
    if (data === undefined || request.url !== "/v1/chat/completions") return void response.writeHead(400).end("bad");
    const answers = data.messages.filter(({ role }) => role === "tool").map(({ content }) => content ?? "");
    const one = { ...data, answers, authorization: request.headers.authorization };
    asked.push(one);
    reply(response, script(one));
  });
  const { url, close } = await onLoopback(server);
  return { asked, url: `${url}/v1`, close };
}

function reply(response: ServerResponse, made: ReturnType<Script>): void {
  if (made === "hang") return;
  if (typeof made === "object" && "status" in made) return void response.writeHead(made.status).end("no");
  const message =
    typeof made === "string"
      ? { role: "assistant", content: made }
      : {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "call-1", type: "function", function: { name: made.tool, arguments: made.args } }],
        };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }] }));
}
