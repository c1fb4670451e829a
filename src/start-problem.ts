import { createServer } from "node:net";
import { relative } from "node:path";
import { type Config, ConfigError } from "./config.ts";

interface Address {
  setting: "PORT" | "METRICS_PORT";
  host: string;
  port: number;
}

/** What is wrong with a folder, by the operating system's error code. */
const FOLDER: Readonly<Record<string, string>> = {
  EEXIST: "is not a folder",
  ENOTDIR: "is not a folder, or lies in a file",
  EISDIR: "is a folder where a file has to be",
  ENOENT: "cannot be made: what it lies in is missing, or can only be read",
  EACCES: "cannot be read and written by this user",
  EPERM: "cannot be read and written by this user",
  EROFS: "lies on a disk that can only be read",
  ENOSPC: "lies on a disk that is full",
  EDQUOT: "lies on a disk that is full for this user",
};

/** Problems of the disk concern the whole folder. */
const OF_DISK = new Set(["EROFS", "ENOSPC", "EDQUOT"]);

/** The line for a start that fails because of the data folder; null for others. The store words its own problems. */
export function startProblem(error: unknown, { dataDir }: Pick<Config, "dataDir">) {
  if (!(error instanceof Error)) return null;
  const code = "code" in error ? String(error.code) : "";
  const path = "path" in error && typeof error.path === "string" ? error.path : null;
  // A write that finds the disk full names no path; nothing else is written at a start.
  const isOurs = path === null ? OF_DISK.has(code) : !relative(dataDir, path).startsWith("..");
  if (!isOurs || !Object.hasOwn(FOLDER, code)) return null;
  return `DATA_DIR: ${OF_DISK.has(code) ? dataDir : path} ${FOLDER[code]}`;
}

/** The line for an address that cannot be listened on. */
export function listenProblem(error: Error, { setting, host, port }: Address) {
  const code = "code" in error ? String(error.code) : "";
  if (code === "EADDRINUSE") return `${setting}: another process listens on ${host}:${port} already`;
  if (code === "EACCES") return `${setting}: this user may not listen on ${host}:${port}`;
  if (["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"].includes(code))
    return `HOST: ${host} is not an address of this machine`;
  return `${setting}: cannot listen on ${host}:${port}: ${error.message}`;
}

/** Listens on the addresses before a first start spends seconds making a demo. Throws ConfigError. */
export async function tryAddresses({ host, port, telemetry }: Config): Promise<void> {
  await tryAddress({ setting: "PORT", host, port });
  if (telemetry === null || telemetry.metricsPort === null) return;
  await tryAddress({ setting: "METRICS_PORT", host: telemetry.host, port: telemetry.metricsPort });
}

async function tryAddress(address: Address): Promise<void> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", (error) => reject(new ConfigError(listenProblem(error, address))));
  server.listen(address.port, address.host, resolve);
  await promise;
  await new Promise((closed) => server.close(closed));
}
