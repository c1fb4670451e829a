import type { Config } from "../config.ts";
import { Secrets } from "../core/shared/secrets.ts";
import { loadEncryptionKeys } from "../encryption-key.ts";

type Settings = Pick<Config, "encryptionKey" | "previousEncryptionKey" | "dataDir">;

/** What the service keeps secret, with the key of the settings or the data folder's own. */
export function secretsOf(settings: Settings): Secrets {
  const { current, previous } = loadEncryptionKeys(settings);
  return new Secrets(current, previous);
}

/** The data folder where it holds the key. */
export function keyFolderOf({ encryptionKey, dataDir }: Settings): string | null {
  return encryptionKey === null ? dataDir : null;
}
