import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Config, ConfigError } from "./config.ts";

/** The key that encrypts, and earlier ones that still decrypt. */
interface EncryptionKeys {
  readonly current: Buffer;
  readonly previous: readonly Buffer[];
}

export type KeySettings = Pick<Config, "encryptionKey" | "previousEncryptionKey" | "dataDir">;

/** The configured key, else the data folder's own, made where there is no store. Throws ConfigError if unusable. */
export function loadEncryptionKeys({ encryptionKey, previousEncryptionKey, dataDir }: KeySettings): EncryptionKeys {
  if (encryptionKey !== null)
    return { current: encryptionKey, previous: previousEncryptionKey === null ? [] : [previousEncryptionKey] };
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const { kept, next } = paths(dataDir);
  // A rotation that was interrupted: some values may be encrypted with the next key already.
  const begun = readKey(next);
  return { current: readKey(kept) ?? firstKey(dataDir), previous: begun === null ? [] : [begun] };
}

/** The data folder where it holds the key; null where the key is configured. */
export const keyFolderOf = ({ encryptionKey, dataDir }: Omit<KeySettings, "previousEncryptionKey">) =>
  encryptionKey === null ? dataDir : null;

/** The error for a key that decrypts nothing in the store: it names the setting the key came from. */
export function foreignKeyProblem({ encryptionKey, dataDir }: Omit<KeySettings, "previousEncryptionKey">): ConfigError {
  const key = encryptionKey === null ? `DATA_DIR: what ${paths(dataDir).kept} holds` : "ENCRYPTION_KEY:";
  return new ConfigError(`${key} is not the key that this store was written with: give it back that one`);
}

/** The key to rotate to: a new one, or that of a rotation which was interrupted. */
export function nextKey(dataDir: string) {
  const { next } = paths(dataDir);
  return readKey(next) ?? makeKey(next);
}

/** Makes {@link nextKey} the data folder's own. Answers the file with the one before, which earlier backups need. */
export function keepNextKey(dataDir: string, now: Date) {
  const { kept, next } = paths(dataDir);
  const earlier = `${kept}.until-${now.toISOString().replaceAll(":", "-")}`;
  linkSync(kept, earlier);
  renameSync(next, kept);
  return earlier;
}

const paths = (dataDir: string) => ({
  kept: join(dataDir, "encryption.key"),
  next: join(dataDir, "encryption.key.next"),
});

/** A new key could decrypt nothing in an existing store. */
function firstKey(dataDir: string) {
  if (existsSync(join(dataDir, "store", "PG_VERSION")))
    throw new ConfigError(`DATA_DIR: ${dataDir} holds a store but not its encryption.key: put it back`);
  return makeKey(paths(dataDir).kept);
}

function makeKey(path: string) {
  // Written to a draft and linked: neither a crash nor a second process leaves half a key or replaces one.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
  const file = openSync(draft, "r");
  fsyncSync(file);
  closeSync(file);
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const key = readKey(path);
  if (key === null) throw new ConfigError(`DATA_DIR: ${path} is gone`);
  return key;
}

/** Null when the file does not exist. */
function readKey(path: string): Buffer | null {
  try {
    const key = Buffer.from(readFileSync(path, "utf8"), "base64");
    if (key.byteLength !== 32) throw noKey(path);
    return key;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw hasCode(error, "EISDIR") ? noKey(path) : error;
  }
}

const noKey = (path: string): ConfigError => new ConfigError(`DATA_DIR: ${path} does not hold a 32-byte key in base64`);

const hasCode = (error: unknown, code: string) => error instanceof Error && "code" in error && error.code === code;
