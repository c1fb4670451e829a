import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, linkSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { z } from "zod";
import type { DumpedRow } from "../../store/dump.ts";
import { ServiceError } from "../kernel/error.ts";

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

/** The rows of one table; the line after them has their sum, so that damage is found in the part it is in. */
class Part {
  readonly table: string;
  readonly #sum = createHash("sha256");

  constructor(table: string) {
    this.table = table;
  }

  /** The line of a row. */
  add(json: string) {
    const line = `${this.table}\t${json}\n`;
    this.#sum.update(line);
    return line;
  }

  end() {
    return `${JSON.stringify({ part: this.table, sha256: this.#sum.digest("hex") })}\n`;
  }
}

/**
 * Writes a backup atomically (gzip; one line per row, with its table first; mode 0600). Returns the number of rows.
 * Throws `validation_failed` when a file of that name exists, which is left unchanged.
 */
export async function writeBackup(path: string, header: BackupHeader, rows: AsyncIterable<DumpedRow>) {
  const draft = `${path}.partial`;
  assertIsFree(path);
  let count = 0;
  async function* lines(): AsyncGenerator<string> {
    yield `${JSON.stringify(header)}\n`;
    let part: Part | null = null;
    for await (const { table, json } of rows) {
      if (part?.table !== table) {
        if (part !== null) yield part.end();
        part = new Part(table);
      }
      count += 1;
      yield part.add(json);
    }
    if (part !== null) yield part.end();
    yield `${JSON.stringify({ rows: count } satisfies z.output<typeof Footer>)}\n`;
  }
  let [hasFolder, isOurs] = [false, false];
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    hasFolder = true;
    const file = createWriteStream(draft, { mode: 0o600, flags: "wx", flush: true });
    file.once("open", () => {
      isOurs = true;
    });
    await pipeline(Readable.from(lines()), createGzip(), file);
    moveInto(draft, path);
  } catch (error) {
    const code = codeOf(error);
    if (code === null) throw error;
    throw refused(
      code === "EEXIST" && hasFolder && !isOurs
        ? `There is a file ${draft}, of a backup that is being made or was cut off: remove it, or take another name.`
        : `The file cannot be written: ${code}.`,
    );
  } finally {
    if (isOurs) rmSync(draft, { force: true });
  }
  return count;
}

/** Renaming would overwrite a file created meanwhile; it is used only where hard links are not supported. */
function moveInto(draft: string, path: string) {
  try {
    linkSync(draft, path);
  } catch (error) {
    const code = codeOf(error) ?? "";
    if (!["EEXIST", "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(code)) throw error;
    assertIsFree(path);
    renameSync(draft, path);
  }
}

function assertIsFree(path: string) {
  if (existsSync(path)) throw refused(`There is a file ${path} already: name one that there is not yet.`);
}

/**
 * Reads a backup: its header, then each row; returns their number. Throws ServiceError unless the file is complete, naming
 * its first damaged part.
 */
export async function readBackup(
  path: string,
  begin: (header: BackupHeader) => void,
  take: (row: DumpedRow) => Promise<void>,
) {
  let [count, began, ended] = [0, false, false];
  let part: Part | null = null;
  let place = "its beginning";
  const damaged = () =>
    refused(
      began ? `The file is damaged or cut off, first in ${place}. Nothing was restored.` : "The file is not a backup.",
    );
  async function line(text: string) {
    const tab = text.startsWith("{") ? -1 : text.indexOf("\t");
    if (!began) {
      const header = parsed(Header, text);
      if (header === null) throw damaged();
      begin(header);
      began = true;
    } else if (tab !== -1) {
      const [table, json] = [text.slice(0, tab), text.slice(tab + 1)];
      part ??= new Part(table);
      place = `its part ${part.table}`;
      if (part.table !== table) throw damaged();
      part.add(json);
      count += 1;
      await take({ table, json });
    } else if (part !== null) {
      if (`${text}\n` !== part.end()) throw damaged();
      place = `what follows its part ${part.table}`;
      part = null;
    } else {
      ended = parsed(Footer, text)?.rows === count;
    }
  }
  try {
    // In small pieces, so that what comes before the damage is read before it is met.
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
    const code = codeOf(error);
    if (code === "ENOENT" || code === "EISDIR" || code === "ENOTDIR") throw refused("There is no such file.");
    throw code?.startsWith("Z_") ? damaged() : error;
  }
  if (!ended) throw damaged();
  return count;
}

function parsed<T>(schema: z.ZodType<T>, text: string) {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const refused = (message: string) => new ServiceError("validation_failed", message);

/** The operating system's or zlib's code of an error, such as `EEXIST`; null for any other error. */
function codeOf(error: unknown) {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^[A-Z][A-Z_]+$/.test(code) ? code : null;
}
