/** The embedded store's thread: answers PostgreSQL's protocol in order; a transaction holds its one connection. */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parentPort, workerData } from "node:worker_threads";
import { createGunzip } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";
import { dataDir } from "@electric-sql/pglite-prepopulatedfs";
import { unpackTar } from "modern-tar/fs";

/** An answer; or that the store is open, that it is closed, or that PostgreSQL has died, in its own words. */
export type WorkerMessage = Uint8Array | "ready" | "closed" | { readonly died: string };

/** PGlite goes round in circles after a PANIC, mostly without an answer: its last words are all there is. */
const LAST_WORDS = /PANIC:.*|^Aborted\(/;

const port = parentPort;
if (port === null) throw new Error("embedded-worker runs as a worker thread");
const tell = (message: WorkerMessage): void => port.postMessage(message);
const { directory }: { directory: string } = workerData;
await prepare(directory);
const database = await PGlite.create(directory, {
  // A quarter of the default: halves the memory of the process for a book of this size.
  onStderr(text) {
    const words = LAST_WORDS.exec(text)?.[0];
    if (words !== undefined) tell({ died: words });
    return true;
  },
  startParams: [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB", "-c", "timezone=UTC"],
});

/**
 * Unpacks an empty database into a folder that has none, as a whole or not at all. Making one (`initdb`) takes a gigabyte and several
 * seconds.
 */
async function prepare(folder: string): Promise<void> {
  if (folder.includes("://")) return;
  if (!existsSync(join(folder, "PG_VERSION"))) await unpack(folder);
  // Where PostgreSQL makes it while the folder is away, its file system takes it to be there from then on.
  mkdirSync(join(folder, "base", "pgsql_tmp"), { recursive: true, mode: 0o700 });
}

async function unpack(folder: string): Promise<void> {
  const unpacked = `${folder}.new`;
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked, { mode: 0o700 });
  const packed = await dataDir();
  await pipeline(Readable.fromWeb(packed.stream()), createGunzip(), unpackTar(unpacked));
  rmSync(folder, { recursive: true, force: true });
  renameSync(unpacked, folder);
}

/** What PostgreSQL answers to messages of its protocol. */
async function exchange(messages: Uint8Array): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  // The bytes are PostgreSQL's own memory. Asked without a listener, PGlite reads every answer itself, and keeps it.
  await database.execProtocolRawStream(messages, { syncToFs: false, onRawData: (bytes) => parts.push(bytes.slice()) });
  const [only = new Uint8Array(), ...more] = parts;
  return more.length === 0 ? only : Buffer.concat(parts);
}

port.on("message", async (message: Uint8Array | "close") => {
  if (message === "close") {
    await database.close();
    tell("closed");
    port.close();
  } else tell(await exchange(message));
});
tell("ready");
