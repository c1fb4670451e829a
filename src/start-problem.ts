import { createServer } from "node:net";
import { relative } from "node:path";
import { type Config, ConfigError } from "./config.ts";
import { placesOf } from "./database-url.ts";

type Settings = Pick<Config, "databaseUrl" | "dataDir" | "host" | "port">;

/** What stands in the way of a folder, by the operating system's code. */
const FOLDER: Readonly<Record<string, string>> = {
  EEXIST: "is not a folder",
  ENOTDIR: "is not a folder, or lies in something that is none",
  EISDIR: "holds a folder where a file has to be",
  EACCES: "cannot be read and written by this user",
  EPERM: "cannot be read and written by this user",
  EROFS: "lies on a disk that can only be read",
  ENOSPC: "lies on a disk that is full",
  EDQUOT: "lies on a disk that is full for this user",
};

/** What stands in the way of a database, by the operating system's code. */
const DATABASE: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was cut off",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the host's name cannot be looked up",
  ETIMEDOUT: "there is no answer",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the host cannot be reached",
  ENOENT: "there is no such socket",
  EACCES: "this user may not use the socket",
};

/**
 * The one line that a start ends with, which names the setting that is to be seen to; null for what is no setting's fault.
 * Nothing secret is in it: of DATABASE_URL it shows host and port alone.
 */
export function startProblem(error: unknown, { databaseUrl, dataDir }: Settings): string | null {
  if (!(error instanceof Error)) return null;
  const code = "code" in error ? String(error.code) : "";
  const path = "path" in error && typeof error.path === "string" ? error.path : null;
  if (path !== null && !relative(dataDir, path).startsWith("..") && Object.hasOwn(FOLDER, code))
    return `DATA_DIR: ${dataDir} ${FOLDER[code]}`;
  if (databaseUrl === null) return null;
  if ("syscall" in error && Object.hasOwn(DATABASE, code))
    return `DATABASE_URL: no PostgreSQL at ${placesOf(databaseUrl)}: ${DATABASE[code]}`;
  // Its users differ in nothing but what they may do: making roles is what the first start needs.
  if (code === "42501")
    return `DATABASE_URL: its user cannot prepare the store (${error.message}); it needs CREATEROLE at the first start`;
  if (isOfServer(code) || /\bSSL\b/.test(error.message))
    return `DATABASE_URL: PostgreSQL at ${placesOf(databaseUrl)} refuses: ${error.message}`;
  return null;
}

/** Classes of SQLSTATE that tell of the server, the user or the database rather than of a statement. */
function isOfServer(code: string): boolean {
  return /^(08|28|3D|53|57P|25006)/.test(code) && code.length === 5;
}

/** The line for an address that cannot be listened on. */
export function listenProblem(error: Error, { host, port }: Settings): string {
  const code = "code" in error ? String(error.code) : "";
  if (code === "EADDRINUSE") return `PORT: another process listens on ${host}:${port} already`;
  if (code === "EACCES") return `PORT: this user may not listen on ${host}:${port}`;
  if (["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"].includes(code)) return `HOST: ${host} is no address of this machine`;
  return `PORT: cannot listen on ${host}:${port}: ${error.message}`;
}

/**
 * Finds out whether the address can be listened on before anything else is begun: a first start makes a demo, which takes
 * its time. Throws ConfigError.
 */
export async function tryAddress(config: Settings): Promise<void> {
  const { host, port } = config;
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", (error) => reject(new ConfigError(listenProblem(error, config))));
  server.listen(port, host, resolve);
  await promise;
  await new Promise((closed) => server.close(closed));
}
