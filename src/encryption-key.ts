import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, ConfigError } from "./config.ts";

/** The key of everything kept secret: the configured one, else the data folder's own, made where missing (0600). */
export function loadEncryptionKey(config: Pick<Config, "encryptionKey" | "dataDir">): Buffer {
  if (config.encryptionKey !== null) return config.encryptionKey;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const path = join(config.dataDir, "encryption.key");
  try {
    return readKey(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  // Written aside and linked into place: neither a crash nor a second process leaves half a key or another one.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!isExisting(error)) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readKey(path);
}

function readKey(path: string): Buffer {
  const key = Buffer.from(readFileSync(path, "utf8"), "base64");
  if (key.byteLength !== 32) throw new ConfigError(`${path} does not hold a 32-byte key`);
  return key;
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
const isMissing = (error: unknown): boolean => hasCode(error, "ENOENT");
const isExisting = (error: unknown): boolean => hasCode(error, "EEXIST");
