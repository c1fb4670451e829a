import { Context, installedVersion, namesOf, type OtherClient, run } from "./client.ts";

/** mcporter, a command line of its own over many servers. */
export const mcporter: OtherClient = {
  name: "mcporter",
  async check({ mcpUrl, environment }) {
    const at = ["--http-url", mcpUrl, "--allow-http", "--name", "receivables"];
    const ask = (...args: string[]) => run("mcporter/dist/cli.js", args, environment);
    await ask("auth", ...at);
    const listed = await ask("list", ...at, "--json", "--exit-code");
    const called = await ask("call", ...at, "get_context", "--output", "json");
    return {
      version: installedVersion("mcporter"),
      tools: namesOf(JSON.parse(listed.stdout)),
      context: Context.parse(JSON.parse(called.stdout)),
    };
  },
};
