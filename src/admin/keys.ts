import type { Config } from "../config.ts";
import { Secrets } from "../core/kernel/secrets.ts";
import { loadEncryptionKeys } from "../encryption-key.ts";

type Settings = Pick<Config, "encryptionKey" | "previousEncryptionKey" | "dataDir">;

/** Encrypts and decrypts with the configured key, else the one in the data folder. */
export function secretsOf(settings: Settings): Secrets {
  const { current, previous } = loadEncryptionKeys(settings);
  return new Secrets(current, previous);
}

/** The data folder where it holds the key; null where the key is configured. */
export function keyFolderOf({ encryptionKey, dataDir }: Settings): string | null {
  return encryptionKey === null ? dataDir : null;
}
