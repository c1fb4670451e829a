/** The official SDK's server as its documentation has it: stateless, a server and a transport for each request. */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import express from "express";
import { z } from "zod";

function echoServer(): McpServer {
  const server = new McpServer({ name: "bare-sdk", version: "1.0.0" });
  const declared = {
    description: "Says it again",
    inputSchema: { text: z.string() },
    outputSchema: { text: z.string() },
  };
  server.registerTool("echo", declared, ({ text }) => ({
    content: [{ type: "text", text: JSON.stringify({ text }) }],
    structuredContent: { text },
  }));
  return server;
}

const app = express();
app.use(express.json());
app.post("/mcp", async (request, response) => {
  const server = echoServer();
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on("close", () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
});
app.listen(Number(process.env.PORT), "127.0.0.1", () => process.stdout.write("is ready\n"));
