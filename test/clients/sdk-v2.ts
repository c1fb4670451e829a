import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { TestOAuthProvider } from "../support/assistant.ts";
import { CallResult, installedVersion, namesOf, type OtherClient } from "./client.ts";

/** Error of a newer revision, at which a client would not fall back to ours. */
const UNSUPPORTED_VERSION = /"code":\s*-32022/;

/** The official SDK's second generation, which asks for a newer revision first and has to fall back to ours. */
export const sdkV2: OtherClient = {
  name: "@modelcontextprotocol/client",
  async check({ mcpUrl, answerTo }) {
    const authProvider = new TestOAuthProvider("SDK v2 assistant");
    const probes: string[] = [];
    const open = () =>
      new StreamableHTTPClientTransport(new URL(mcpUrl), {
        authProvider,
        async fetch(url, init) {
          const response = await fetch(url, init);
          if (String(init?.body ?? "").includes("server/discover") && response.status !== 401)
            probes.push(`${response.status} ${await response.clone().text()}`);
          return response;
        },
      });
    const first = open();
    const refused = await newClient()
      .connect(first)
      .then(
        () => false,
        () => true,
      );
    if (!refused || authProvider.authorizationUrl === undefined)
      throw new Error("the client did not send its person anywhere");
    await first.finishAuth(await answerTo(authProvider.authorizationUrl));
    const client = newClient();
    await client.connect(open());
    const tools = namesOf(await client.listTools());
    const called = CallResult.parse(await client.callTool({ name: "get_context", arguments: {} }));
    const agreed = client.getNegotiatedProtocolVersion();
    await client.close();
    if (agreed !== "2025-06-18") throw new Error(`the client fell back to ${agreed}`);
    const [probe = ""] = probes;
    if (probe === "") throw new Error("the client did not ask for a newer revision");
    if (probes.some((answer) => UNSUPPORTED_VERSION.test(answer))) throw new Error(`the probe was answered ${probe}`);
    const remark = `asked for a newer revision, was answered ${probe.slice(0, 120)}, and fell back to ${agreed}`;
    return {
      version: installedVersion("@modelcontextprotocol/client"),
      tools,
      context: called.structuredContent,
      remark,
    };
  },
};

const newClient = (): Client =>
  new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
