import { CallResult, installedVersion, namesOf, type OtherClient, run } from "./client.ts";

const INSPECTOR = "@modelcontextprotocol/inspector";

/** The Inspector's command line; `--strict` has it fail on a tool whose schema some model's API would refuse. */
export const inspector: OtherClient = {
  name: INSPECTOR,
  async check({ mcpUrl, environment }) {
    const ask = (...args: string[]) => {
      const options = ["--cli", mcpUrl, "--transport", "http", "--callback-url", "http://127.0.0.1:0/oauth/callback"];
      const env = { ...environment, MCP_AUTO_OPEN_ENABLED: "true", MCP_INSPECTOR_SECRET_STORE: "file" };
      return run(`${INSPECTOR}/clients/launcher/build/index.js`, [...options, ...args], env);
    };
    const listed = await ask("--method", "tools/list", "--strict");
    const called = await ask("--method", "tools/call", "--tool-name", "get_context");
    return {
      version: installedVersion(INSPECTOR),
      tools: namesOf(JSON.parse(listed.stdout)),
      context: CallResult.parse(JSON.parse(called.stdout)).structuredContent,
      remark: portability(listed.stderr),
    };
  },
};

/**
 * What the schema check said, in one line. Its errors have failed already; so does a warning about arguments, the
 * schemas every model's API is given. Results may be null in fields: of that it warns, whichever way it is written.
 */
function portability(said: string): string {
  const paths = [...said.matchAll(/^\s*Path: (\S+)$/gm)].map(([, path = ""]) => path);
  const ofArguments = paths.filter((path) => !path.startsWith("outputSchema"));
  const total = /^\d+ errors?, \d+ warnings?.*$/m.exec(said)?.[0];
  if (total === undefined || ofArguments.length > 0) throw new Error(`schemas that do not travel:\n${said}`);
  return `schema portability (--strict): ${total} No argument is concerned.`;
}
