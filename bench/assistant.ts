/** An assistant on a thread of its own: calls a tool over and over, page after page, so that its work is not the server's. */
import { once } from "node:events";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { z } from "zod";

const Answer = z.object({
  result: z.object({
    isError: z.literal(false).optional(),
    structuredContent: z.object({ pagination: z.object({ next_cursor: z.string().nullable() }).optional() }),
  }),
});

interface ToolCalls {
  mcpUrl: string;
  token: string;
  tool: string;
  args: Record<string, unknown>;
  calls: number;
}

/** Makes so many calls, one at a time; a list goes on with its next page, and from the start again at its end. */
export async function callTools(calls: ToolCalls): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: calls });
  const [code] = await once(worker, "exit");
  if (code !== 0) throw new Error(`${calls.tool} ${JSON.stringify(calls.args)} was not answered`);
}

async function call({ mcpUrl, token, tool, args, calls }: ToolCalls): Promise<void> {
  let cursor: string | null = null;
  for (let count = 0; count < calls; count += 1) {
    const given: Record<string, unknown> = cursor === null ? args : { ...args, cursor };
    const response: Response = await fetch(mcpUrl, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: given } }),
    });
    const text = await response.text();
    const answer = Answer.safeParse(JSON.parse(text));
    if (!answer.success) throw new Error(text);
    cursor = answer.data.result.structuredContent.pagination?.next_cursor ?? null;
  }
}

if (parentPort !== null) await call(workerData);
