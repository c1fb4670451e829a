import { listSigningKeys, rotateSigningKey } from "../../../auth/signing-keys.ts";
import { reencrypt } from "../../core/accounts/reencrypt.ts";
import { recordEncryptionKey, recordSigningKey } from "../../core/audit-trail/operations/service-acts.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import { keepNextKey, nextKey } from "../../encryption-key.ts";
import { type Command, task } from "../command.ts";

export const encryptionKeyCommands: readonly Command[] = [
  task("encryption-key rotate", {
    summary: "encrypt everything stored with the new key: the one configured, else a new one in the data folder",
    note: "What the service handed out under the key before (cursors, forms) is good until it is restarted without it.",
    async run({ core, keyFolder, operator }) {
      if (keyFolder === null && !core.secrets.knowsEarlierKey)
        throw new ServiceError(
          "validation_failed",
          "Set ENCRYPTION_KEY to the new key and ENCRYPTION_KEY_PREVIOUS to the one before, and run this again.",
        );
      if (keyFolder !== null) core.secrets.adopt(nextKey(keyFolder));
      const outcome = await reencrypt(core);
      if (keyFolder !== null && outcome.unreadable === 0) keepNextKey(keyFolder);
      await recordEncryptionKey(core, operator);
      return { ...outcome };
    },
    failure: ({ unreadable }) =>
      unreadable === 0 ? null : "some values are under a key that was not given, and stay as they are",
  }),
];

export const signingKeyCommands: readonly Command[] = [
  task("signing-key rotate", {
    summary: "sign access tokens with a new key; the old one checks its own until they have expired",
    note: "Nobody has to sign in again. The new key signs in a few seconds, once every process knows it.",
    async run({ core, operator }) {
      const keys = await rotateSigningKey(core);
      await recordSigningKey(core, operator);
      return keys;
    },
  }),
  task("signing-key list", {
    summary: "the keys that access tokens are signed and checked with, and those that were",
    run: ({ core }) => listSigningKeys(core),
  }),
];
