import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { CallResult, followLife, installedVersion, type OtherClient, program, run } from "./client.ts";

const PACKAGE = "@openai/codex";
const PROGRAM = `${PACKAGE}/bin/codex.js`;
const NAME = "receivables";
/** Tokens in a file: a machine of tests has no keyring. */
const SETTINGS = 'mcp_oauth_credentials_store = "file"\n';

const Answer = z.looseObject({ id: z.number(), result: z.unknown().optional(), error: z.unknown().optional() });
const Thread = z.looseObject({ thread: z.looseObject({ id: z.string() }) });
const Statuses = z.looseObject({
  data: z.array(z.looseObject({ name: z.string(), tools: z.record(z.string(), z.unknown()) })),
});
const Kept = z.record(z.string(), z.looseObject({ expires_at: z.number() }));

/** OpenAI's Codex: its binary signs in from the command line, and its app server, which editors use, has the tools. */
export const codex: OtherClient = {
  name: PACKAGE,
  async check(around) {
    const { mcpUrl, environment } = around;
    const home = join(environment.HOME ?? "", ".codex");
    const keptAt = join(home, ".credentials.json");
    const report = await followLife(around, {
      async connect() {
        mkdirSync(home, { recursive: true });
        writeFileSync(join(home, "config.toml"), SETTINGS);
        await run(PROGRAM, ["mcp", "add", NAME, "--url", mcpUrl], environment);
      },
      use: () => useAppServer(environment),
      expire() {
        const kept = Kept.parse(JSON.parse(readFileSync(keptAt, "utf8")));
        const expired = Object.entries(kept).map(([key, one]) => [key, { ...one, expires_at: Date.now() - 1 }]);
        writeFileSync(keptAt, JSON.stringify(Object.fromEntries(expired)));
      },
    });
    return { version: installedVersion(PACKAGE), ...report };
  },
};

/** Asks Codex' app server, over JSON lines, for a server's tools and for one call. */
async function useAppServer(environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [program(PROGRAM), "app-server"], {
    env: { ...environment },
    stdio: ["pipe", "pipe", "ignore"],
    signal: AbortSignal.timeout(120_000),
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.on("error", () => undefined);
  const waiting = new Map<number, (answer: z.infer<typeof Answer>) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const answer = Answer.safeParse(JSON.parse(line));
    if (answer.success) waiting.get(answer.data.id)?.(answer.data);
  });
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  async function ask(method: string, params: object): Promise<unknown> {
    const id = waiting.size + 1;
    const answered = new Promise<z.infer<typeof Answer>>((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    const answer = await Promise.race([answered, ended.then(() => ({ error: "the app server ended", result: null }))]);
    if (answer.error !== undefined) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
    return answer.result;
  }
  try {
    await ask("initialize", { clientInfo: { name: "test", title: "Test", version: "1.0.0" } });
    send({ method: "initialized" });
    const { thread } = Thread.parse(await ask("thread/start", { ephemeral: true }));
    const { data } = Statuses.parse(await ask("mcpServerStatus/list", { threadId: thread.id, serverName: NAME }));
    const called = await ask("mcpServer/tool/call", {
      threadId: thread.id,
      server: NAME,
      tool: "get_context",
      arguments: {},
    });
    const tools = Object.keys(data.find(({ name }) => name === NAME)?.tools ?? {});
    return { tools, context: CallResult.parse(called).structuredContent };
  } finally {
    child.kill();
    await ended;
  }
}
