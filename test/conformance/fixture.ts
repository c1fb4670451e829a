import { completable } from "@modelcontextprotocol/sdk/server/completable.js";
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import {
  type CallToolResult,
  type PromptMessage,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

/** The smallest PNG and WAV there are, in base64. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
const image = { type: "image", data: PNG, mimeType: "image/png" } as const;
const said = (text: string): CallToolResult => ({ content: [{ type: "text", text }] });
const asked = (...contents: PromptMessage["content"][]) => ({
  messages: contents.map((content) => ({ role: "user" as const, content })),
});

/**
 * Everything the conformance suite looks for, on the SDK's own server: it shows that our dispatch carries whatever a
 * server may answer.
 */
export function conformanceFixture(): McpServer {
  const server = new McpServer({ name: "conformance-fixture", version: "1.0.0" }, { capabilities: { logging: {} } });
  addTools(server);
  addResources(server);
  addPrompts(server);
  return server;
}

function addTools(server: McpServer): void {
  const plain = (name: string, result: () => CallToolResult) =>
    server.registerTool(name, { description: `Fixture ${name}.`, inputSchema: {} }, result);
  const embedded = {
    uri: "test://embedded-resource",
    mimeType: "text/plain",
    text: "This is an embedded resource content.",
  };

  plain("test_simple_text", () => said("This is a simple text response for testing."));
  plain("test_image_content", () => ({ content: [image] }));
  plain("test_audio_content", () => ({ content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }] }));
  plain("test_embedded_resource", () => ({ content: [{ type: "resource", resource: embedded }] }));
  plain("test_multiple_content_types", () => {
    const resource = { uri: "test://mixed-content-resource", mimeType: "application/json", text: '{"test":"data"}' };
    return { content: [{ type: "text", text: "Multiple content types test:" }, image, { type: "resource", resource }] };
  });
  plain("test_error_handling", () => {
    throw new Error("This tool intentionally returns an error for testing");
  });

  const talking = { description: "Fixture that speaks before it answers.", inputSchema: {} };
  server.registerTool("test_tool_with_logging", talking, async (_args, { sendNotification }) => {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await sendNotification({ method: "notifications/message", params: { level: "info", data } });
      await pause();
    }
    return said("Logged three messages.");
  });
  server.registerTool("test_tool_with_progress", talking, async (_args, { sendNotification, _meta }) => {
    const progressToken = _meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken === undefined) break;
      await sendNotification({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
      await pause();
    }
    return said("Reported progress.");
  });
}

function addResources(server: McpServer): void {
  server.server.registerCapabilities({ resources: { subscribe: true } });
  server.server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  server.server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
  server.registerResource("static-text", "test://static-text", { description: "A text." }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: "text/plain", text: "This is the content of the static text resource." }],
  }));
  server.registerResource("static-binary", "test://static-binary", { description: "An image." }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: "image/png", blob: PNG }],
  }));
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource("template", template, { description: "A template." }, ({ href: uri }, { id }) => ({
    contents: [{ uri, mimeType: "application/json", text: JSON.stringify({ id, data: `Data for ID: ${id}` }) }],
  }));
}

function addPrompts(server: McpServer): void {
  const described = (description: string) => ({ description });
  server.registerPrompt("test_simple_prompt", described("A simple prompt."), () =>
    asked({ type: "text", text: "This is a simple prompt for testing." }),
  );
  server.registerPrompt(
    "test_prompt_with_arguments",
    {
      ...described("A prompt with arguments."),
      argsSchema: { arg1: completable(z.string(), () => ["paris", "park", "party"]), arg2: z.string() },
    },
    ({ arg1, arg2 }) => asked({ type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { ...described("A prompt with a resource."), argsSchema: { resourceUri: z.string() } },
    ({ resourceUri: uri }) =>
      asked(
        { type: "resource", resource: { uri, mimeType: "text/plain", text: "Embedded resource content for testing." } },
        { type: "text", text: "Please process the embedded resource above." },
      ),
  );
  server.registerPrompt("test_prompt_with_image", described("A prompt with an image."), () =>
    asked(image, { type: "text", text: "Please analyze the image above." }),
  );
}
