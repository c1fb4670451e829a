import { createReadStream, createWriteStream, existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { z } from "zod";
import { ServiceError } from "../core/gate/error.ts";
import type { DumpedRow } from "../store/dump.ts";

/** The first line of a backup. */
const Header = z.strictObject({
  format: z.literal("receivables-backup-1"),
  /** The last migration of the store. */
  schema: z.string(),
  created_at: z.string(),
});
export type BackupHeader = z.output<typeof Header>;

/** The last line; without it the file is truncated. */
const Footer = z.strictObject({ rows: z.int() });

/**
 * Writes a backup atomically (gzip; one line per row, with its table first; mode 0600). Returns the number of rows.
 * Throws `validation_failed` when a file of that name exists, which is left unchanged.
 */
export async function writeBackup(path: string, header: BackupHeader, rows: AsyncIterable<DumpedRow>): Promise<number> {
  const draft = `${path}.partial`;
  assertIsFree(path);
  let count = 0;
  async function* lines(): AsyncGenerator<string> {
    yield `${JSON.stringify(header)}\n`;
    for await (const { table, json } of rows) {
      count += 1;
      yield `${table}\t${json}\n`;
    }
    yield `${JSON.stringify({ rows: count } satisfies z.output<typeof Footer>)}\n`;
  }
  try {
    const file = createWriteStream(draft, { mode: 0o600, flags: "wx", flush: true });
    await pipeline(Readable.from(lines()), createGzip(), file);
  } catch (error) {
    if (hasCode(error, "EEXIST")) throw unfinished(draft);
    rmSync(draft, { force: true });
    throw unwritable(error);
  }
  try {
    moveInto(draft, path);
  } catch (error) {
    throw unwritable(error);
  } finally {
    rmSync(draft, { force: true });
  }
  return count;
}

/** Renaming would overwrite a file created meanwhile; it is used only where hard links are not supported. */
function moveInto(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (hasCode(error, "EEXIST")) throw taken(path);
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].some((code) => hasCode(error, code))) throw error;
    assertIsFree(path);
    renameSync(draft, path);
  }
}

function assertIsFree(path: string): void {
  if (existsSync(path)) throw taken(path);
}

function taken(path: string): ServiceError {
  return new ServiceError("validation_failed", `There is a file ${path} already: name one that there is not yet.`);
}

function unfinished(draft: string): ServiceError {
  const message = `There is a file ${draft}, of a backup that is being made or was cut off: remove it, or take another name.`;
  return new ServiceError("validation_failed", message);
}

function unwritable(error: unknown): unknown {
  return hasCode(error) ? new ServiceError("validation_failed", `The file cannot be written: ${error.code}.`) : error;
}

/** Reads a backup: its header, then each row; returns their number. Throws ServiceError unless the file is complete. */
export async function readBackup(
  path: string,
  begin: (header: BackupHeader) => void,
  take: (row: DumpedRow) => Promise<void>,
): Promise<number> {
  let [count, began, ended] = [0, false, false];
  async function line(text: string): Promise<void> {
    const tab = text.startsWith("{") ? -1 : text.indexOf("\t");
    if (!began) {
      begin(parsed(Header, text));
      began = true;
    } else if (tab === -1) {
      ended = parsed(Footer, text).rows === count;
    } else {
      count += 1;
      await take({ table: text.slice(0, tab), json: text.slice(tab + 1) });
    }
  }
  try {
    await pipeline(createReadStream(path), createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
      const decoder = new TextDecoder();
      let rest = "";
      for await (const chunk of chunks) {
        const pieces = (rest + decoder.decode(chunk, { stream: true })).split("\n");
        rest = pieces.pop() ?? "";
        for (const piece of pieces) await line(piece);
      }
    });
  } catch (error) {
    if (hasCode(error, "ENOENT")) throw new ServiceError("validation_failed", "There is no such file.");
    if (hasCode(error) && error.code.startsWith("Z_")) throw broken();
    throw error;
  }
  if (!ended) throw broken();
  return count;
}

function parsed<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw broken();
  }
}

function broken(): ServiceError {
  return new ServiceError("validation_failed", "The file is not a backup, or not a whole one.");
}

function hasCode(error: unknown, code?: string): error is Error & { code: string } {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    /^[A-Z][A-Z_]+$/.test(error.code) &&
    (code === undefined || error.code === code)
  );
}
