/** The most used framework on top of the SDK, stateless. */
import { FastMCP } from "fastmcp";
import { z } from "zod";

const server = new FastMCP({ name: "fastmcp", version: "1.0.0" });
server.addTool({
  name: "echo",
  description: "Says it again",
  parameters: z.object({ text: z.string() }),
  execute: async ({ text }) => JSON.stringify({ text }),
});
await server.start({
  transportType: "httpStream",
  httpStream: { port: Number(process.env.PORT), host: "127.0.0.1", stateless: true, enableJsonResponse: true },
});
process.stdout.write("is ready\n");
