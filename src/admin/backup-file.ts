import { createHash, type Hash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, linkSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { z } from "zod";
import { ServiceError } from "../core/kernel/error.ts";
import type { DumpedRow } from "../store/dump.ts";

/** The first line of a backup. */
const Header = z.strictObject({
  format: z.literal("receivables-backup-1"),
  /** The last migration of the store. */
  schema: z.string(),
  created_at: z.string(),
});
export type BackupHeader = z.output<typeof Header>;

/** The line after the rows of a table: damage is found in the part it is in. */
const PartEnd = z.strictObject({ part: z.string(), sha256: z.string() });

/** The last line; without it the file is truncated. */
const Footer = z.strictObject({ rows: z.int() });

/**
 * Writes a backup atomically (gzip; one line per row, with its table first; mode 0600). Returns the number of rows.
 * Throws `validation_failed` when a file of that name exists, which is left unchanged.
 */
export async function writeBackup(path: string, header: BackupHeader, rows: AsyncIterable<DumpedRow>): Promise<number> {
  const draft = `${path}.partial`;
  assertIsFree(path);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unwritable(error);
  }
  let count = 0;
  async function* lines(): AsyncGenerator<string> {
    yield `${JSON.stringify(header)}\n`;
    let part: Part | undefined;
    for await (const { table, json } of rows) {
      if (part === undefined || part.table !== table) {
        if (part !== undefined) yield endOf(part);
        part = { table, sum: createHash("sha256") };
      }
      count += 1;
      const line = `${table}\t${json}\n`;
      part.sum.update(line);
      yield line;
    }
    if (part !== undefined) yield endOf(part);
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

/** The rows of one table, as they follow one another. */
interface Part {
  readonly table: string;
  readonly sum: Hash;
}

const endOf = ({ table, sum }: Part): string => {
  const end: z.output<typeof PartEnd> = { part: table, sha256: sum.digest("hex") };
  return `${JSON.stringify(end)}\n`;
};

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

/**
 * Reads a backup: its header, then each row; returns their number. Throws ServiceError unless the file is complete, naming
 * its first damaged part.
 */
export async function readBackup(
  path: string,
  begin: (header: BackupHeader) => void,
  take: (row: DumpedRow) => Promise<void>,
): Promise<number> {
  let [count, began, ended] = [0, false, false];
  let part: Part | null = null;
  let place = "its beginning";
  async function line(text: string): Promise<void> {
    const tab = text.startsWith("{") ? -1 : text.indexOf("\t");
    if (!began) {
      const header = parsed(Header, text);
      if (header === null) throw notBackup();
      begin(header);
      began = true;
    } else if (tab !== -1) {
      const table = text.slice(0, tab);
      part ??= { table, sum: createHash("sha256") };
      place = `its part ${part.table}`;
      if (part.table !== table) throw damaged(place);
      part.sum.update(`${text}\n`);
      count += 1;
      await take({ table, json: text.slice(tab + 1) });
    } else if (part !== null) {
      if (`${text}\n` !== endOf(part)) throw damaged(place);
      place = `what follows its part ${part.table}`;
      part = null;
    } else {
      ended = parsed(Footer, text)?.rows === count;
    }
  }
  try {
    await pipeline(
      createReadStream(path),
      createGunzip({ chunkSize: 4_096 }),
      async (chunks: AsyncIterable<Buffer>) => {
        const decoder = new TextDecoder();
        let rest = "";
        for await (const chunk of chunks) {
          const pieces = (rest + decoder.decode(chunk, { stream: true })).split("\n");
          rest = pieces.pop() ?? "";
          for (const piece of pieces) await line(piece);
        }
      },
    );
  } catch (error) {
    if (hasCode(error, "ENOENT")) throw new ServiceError("validation_failed", "There is no such file.");
    if (hasCode(error) && error.code.startsWith("Z_")) throw began ? damaged(place) : notBackup();
    throw error;
  }
  if (!ended) throw began ? damaged(place) : notBackup();
  return count;
}

function parsed<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const notBackup = (): ServiceError => new ServiceError("validation_failed", "The file is not a backup.");

const damaged = (place: string): ServiceError =>
  new ServiceError("validation_failed", `The file is damaged or cut off, first in ${place}. Nothing was restored.`);

function hasCode(error: unknown, code?: string): error is Error & { code: string } {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    /^[A-Z][A-Z_]+$/.test(error.code) &&
    (code === undefined || error.code === code)
  );
}
