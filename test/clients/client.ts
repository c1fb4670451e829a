import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Approve } from "../support/assistant.ts";

const PACKAGES = join(import.meta.dirname, "node_modules");

/** What a client finds around it: the service, and its person. */
export interface Surroundings {
  mcpUrl: string;
  /** For a client that is a library: the person, asked directly. */
  approve: Approve;
  /** The same, with everything that the client's address was sent. */
  answerTo: (authorizationUrl: URL) => Promise<URLSearchParams>;
  /** How often the service was asked for a path. */
  requestsTo: (path: string) => number;
  /** The person revokes the connection that was made last. */
  revoke: () => Promise<void>;
  /** For a client that is a program: a home of its own, and a browser that takes the person to the address it opens. */
  environment: Readonly<Record<string, string>>;
}

/** What a client made of the service. */
export interface Report {
  version: string;
  tools: string[];
  /** What it got for `get_context`. */
  context: z.infer<typeof Context>;
  /** What it had to say beyond that; shown below the table. */
  remark?: string;
}

/** A client: connects as a stranger, lists the tools, calls `get_context`. Throws where it gets stuck. */
export interface OtherClient {
  name: string;
  check(around: Surroundings): Promise<Report>;
}

/** A client whose connection is followed to its end. */
interface Life {
  /** Finds the service and has the person approve. */
  connect: () => Promise<void>;
  /** Lists the tools and calls `get_context`, without asking the person again. */
  use: () => Promise<Pick<Report, "tools" | "context">>;
  /** Makes its access token one that it, or the service, takes for expired. */
  expire: () => Promise<void> | void;
}

/** From discovery to revocation, with a refresh between. */
export async function followLife({ requestsTo, revoke }: Surroundings, { connect, use, expire }: Life) {
  await connect();
  const first = await use();
  const counts = () => ({ asked: requestsTo("/oauth/authorize"), tokens: requestsTo("/oauth/token") });
  const before = counts();
  await expire();
  const again = await use();
  const after = counts();
  if (!isSame(again.tools, first.tools)) throw new Error(`had ${again.tools} after it refreshed`);
  if (after.tokens === before.tokens) throw new Error("did not refresh");
  if (after.asked !== before.asked) throw new Error("asked its person again instead of refreshing");
  await revoke();
  if (await use().then(Boolean, () => false)) throw new Error("went on after its connection was revoked");
  return first;
}

/** Whether two lists have the same names; some clients keep no order. */
export const isSame = (these: string[], those: string[]): boolean =>
  these.toSorted().join() === those.toSorted().join();

/** What `get_context` answers. */
export const Context = z.looseObject({ tenant_name: z.string(), member: z.looseObject({ email: z.string() }) });

/** The result of a call, as the protocol has it. */
export const CallResult = z.looseObject({
  isError: z.boolean().optional(),
  structuredContent: Context,
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
});

/** What a list of tools has for names. */
export const ToolList = z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })) });

/** The names in a list of tools. */
export const namesOf = (list: unknown): string[] => ToolList.parse(list).tools.map(({ name }) => name);

/** The installed version of a client's package. */
export function installedVersion(name: string, packages = PACKAGES): string {
  const text = readFileSync(join(packages, name, "package.json"), "utf8");
  return z.looseObject({ version: z.string() }).parse(JSON.parse(text)).version;
}

/** The file a client's package is started by. */
export const program = (path: string): string => join(PACKAGES, path);

/** Runs a client's program to its end, with `input` on stdin; throws with what it said unless it exits with 0. */
export function run(path: string, args: string[], environment: Readonly<Record<string, string>>, input = "") {
  return new Promise<{ stdout: string; stderr: string }>((resolve, reject) => {
    const options = { env: { ...environment }, timeout: 120_000, maxBuffer: 16 << 20 };
    execFile(process.execPath, [program(path), ...args], options, (error, stdout, stderr) => {
      if (error === null) resolve({ stdout, stderr });
      else reject(new Error(`${path} ${args.join(" ")}: exit ${error.code}\n${stdout}\n${stderr}`));
    }).stdin?.end(input);
  });
}
