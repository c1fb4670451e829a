import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { json, text } from "node:stream/consumers";

const SOCKET = "admin.sock";
/** Operating systems allow 104 to 108 bytes. */
const MAX_PATH_BYTES = 100;
const MAX_REQUEST_BYTES = 1_048_576;
const DRAIN_MS = 1_000;

interface ServeOptions {
  dataDir: string;
  /** Answers one request; both are plain JSON. `signal` is aborted when the service stops. Never rejects. */
  answer(request: unknown, signal: AbortSignal): Promise<unknown>;
}

/** The server's end of the local socket. */
export type AdminSocket = Awaited<ReturnType<typeof serveAdmin>>;

/**
 * Lets the command line reach the running service: one JSON request and one answer per
 * connection, over a socket that only the data folder's owner can open (0600). Only the holder of the store may call it.
 */
export async function serveAdmin({ dataDir, answer }: ServeOptions) {
  const path = join(dataDir, SOCKET);
  // A killed server leaves its own.
  rmSync(path, { force: true });
  const stopping = new AbortController();
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => socket.destroy());
    try {
      socket.end(JSON.stringify(await answer(await receive(socket), stopping.signal)));
    } catch {
      socket.destroy();
    }
  });
  await atShortPath(dataDir, async (short) => {
    server.listen(short);
    await once(server, "listening");
    chmodSync(path, 0o600);
  });
  return {
    path,
    /** Accepts no more requests and gives those in progress a moment. */
    async close() {
      const closed = once(server, "close");
      server.close();
      stopping.abort();
      const patience = setTimeout(() => {
        for (const socket of open) socket.destroy();
      }, DRAIN_MS);
      await closed;
      clearTimeout(patience);
      rmSync(path, { force: true });
    },
  };
}

/** Asks the service that holds the data folder; null when none listens there. Throws when it disconnects without an answer. */
export async function askServer(dataDir: string, request: unknown) {
  const socket = await atShortPath(dataDir, open);
  if (socket === null) return null;
  socket.end(JSON.stringify(request));
  const reply = await text(socket);
  if (reply === "") throw new Error("the server stopped before it answered");
  return JSON.parse(reply);
}

/** The socket's path, or one through a link of our own that is there for as long as `use` takes. */
async function atShortPath<T>(dataDir: string, use: (path: string) => Promise<T>) {
  const path = join(dataDir, SOCKET);
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return use(path);
  const folder = mkdtempSync(join(tmpdir(), "receivables-"));
  try {
    symlinkSync(resolve(dataDir), join(folder, "data"));
    return await use(join(folder, "data", SOCKET));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function open(path: string) {
  const socket = connect({ path, allowHalfOpen: true });
  try {
    await once(socket, "connect");
    return socket;
  } catch (error) {
    if (/ENOENT|ECONNREFUSED/.test(String(error))) return null;
    throw error;
  }
}

function receive(socket: Socket) {
  let bytes = 0;
  socket.on("data", (chunk) => {
    bytes += chunk.length;
    if (bytes > MAX_REQUEST_BYTES) socket.destroy(new RangeError("the request is too large"));
  });
  return json(socket);
}
