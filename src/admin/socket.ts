import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";

const SOCKET = "admin.sock";
/** The folder of the socket when the data folder's path is too long. */
const ELSEWHERE = "admin.sock.path";
/** Operating systems allow 104 to 108 bytes. */
const MAX_PATH_BYTES = 100;
const MAX_REQUEST_BYTES = 1_048_576;
const DRAIN_MS = 1_000;

/** The server's end of the local socket. */
export interface AdminSocket {
  readonly path: string;
  /** Accepts no more requests and gives those in progress a moment. */
  close(): Promise<void>;
}

interface ServeOptions {
  dataDir: string;
  /** Answers one request; both are plain JSON. `signal` is aborted when the service stops. Never rejects. */
  answer(request: unknown, signal: AbortSignal): Promise<unknown>;
}

/**
 * Lets the command line reach the running service: one JSON request and one answer per
 * connection, over a socket that only the data folder's owner can open (0600). Only the holder of the store may call it.
 */
export async function serveAdmin({ dataDir, answer }: ServeOptions): Promise<AdminSocket> {
  const { path, remove } = makePath(dataDir);
  const stopping = new AbortController();
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => socket.destroy());
    receive(socket)
      .then((request) => answer(request, stopping.signal))
      .then((result) => socket.end(JSON.stringify(result)))
      .catch(() => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  chmodSync(path, 0o600);
  return {
    path,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      stopping.abort();
      const patience = setTimeout(() => {
        for (const socket of open) socket.destroy();
      }, DRAIN_MS);
      await closed;
      clearTimeout(patience);
      remove();
    },
  };
}

/** Asks the service that holds the data folder; null when none listens there. Throws when it disconnects without an answer. */
export async function askServer(dataDir: string, request: unknown): Promise<unknown> {
  const path = findPath(dataDir);
  const socket = path === null ? null : await open(path);
  if (socket === null) return null;
  socket.end(JSON.stringify(request));
  const reply = await text(socket);
  if (reply === "") throw new Error("the server stopped before it answered");
  return JSON.parse(reply);
}

const isShortEnough = (path: string): boolean => Buffer.byteLength(path) <= MAX_PATH_BYTES;

function open(path: string): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path, allowHalfOpen: true });
    socket.once("connect", () => resolve(socket));
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve(null);
      else reject(error);
    });
  });
}

async function receive(socket: Socket): Promise<unknown> {
  let request = "";
  for await (const chunk of socket.setEncoding("utf8")) {
    request += String(chunk);
    if (request.length > MAX_REQUEST_BYTES) throw new RangeError("the request is too large");
  }
  return JSON.parse(request);
}

/** The path to listen on; removes the socket of a killed server. */
function makePath(dataDir: string): { path: string; remove(): void } {
  const direct = join(dataDir, SOCKET);
  const pointer = join(dataDir, ELSEWHERE);
  rmSync(direct, { force: true });
  const left = findPath(dataDir);
  if (left !== null && left !== direct) rmSync(dirname(left), { recursive: true, force: true });
  rmSync(pointer, { force: true });
  if (isShortEnough(direct)) return { path: direct, remove: () => rmSync(direct, { force: true }) };
  const directory = mkdtempSync(join(tmpdir(), "receivables-"));
  const path = join(directory, SOCKET);
  writeFileSync(pointer, path, { mode: 0o600 });
  return {
    path,
    remove() {
      rmSync(pointer, { force: true });
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Null for a pointer to a folder with another owner than the data folder: anyone can make folders in a shared one. */
function findPath(dataDir: string): string | null {
  let path: string;
  try {
    path = readFileSync(join(dataDir, ELSEWHERE), "utf8");
  } catch {
    const direct = join(dataDir, SOCKET);
    return isShortEnough(direct) ? direct : null;
  }
  const directory = statSync(dirname(path), { throwIfNoEntry: false });
  const isPrivate = directory?.uid === statSync(dataDir).uid && (directory.mode & 0o077) === 0;
  return isPrivate ? path : null;
}
