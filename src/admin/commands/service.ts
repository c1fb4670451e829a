import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { listSigningKeys, rotateSigningKey } from "../../../auth/signing-keys.ts";
import { reencrypt } from "../../core/accounts/reencrypt.ts";
import { createBackup, restoreBackup } from "../../core/backups/backups.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import { keepNextKey, nextKey } from "../../encryption-key.ts";
import { registryManifest } from "../../listing/manifest.ts";
import { manifestFaults } from "../../listing/manifest-check.ts";
import { publishedFaults } from "../../listing/published.ts";
import { publishingSteps } from "../../listing/publishing-steps.ts";
import { newRegistryKey, REGISTRY_KEY_TYPES } from "../../registry-proof.ts";
import { task } from "../command.ts";
import { inLines } from "../render.ts";

const File = z.string().min(1);

/** A file that only its owner can read; one that exists already is left unchanged. Throws ServiceError. */
function writeNewFile(file: string, text: string) {
  try {
    writeFileSync(file, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    const { code = "unknown error" } = Object(error);
    const reason = code === "EEXIST" ? "exists already" : `cannot be written (${code})`;
    throw new ServiceError("validation_failed", `${file} ${reason}.`);
  }
}

export const serviceCommands = [
  task("signing-key rotate", {
    summary: "sign access tokens with a new key; the old one checks its own until they have expired",
    note: "Nobody has to sign in again. The new key signs in a few seconds, once every process knows it.",
    run: rotateSigningKey,
  }),
  task("signing-key list", {
    summary: "the keys that access tokens are signed and checked with, and those that were",
    run: ({ core }) => listSigningKeys(core),
  }),
  task("backup create", {
    summary: "write everything in the store, as of one moment, to a file; from a running server too",
    note: "The encryption key is not in it, and without that key it is of no use: keep the key elsewhere.",
    own: { to: File.describe("a file that there is not yet") },
    options: { to: "FILE" },
    run: (context, { to }) => createBackup(context, to),
  }),
  task("backup restore", {
    startsStore: true,
    summary: "put a backup into a new store, of either kind; with no server running",
    note: "What ended after the backup was made is good again: revoked API keys and assistant connections, removed or demoted members, withdrawn invitations, earlier passwords, second factors and sessions. End it again before you let anybody in: api-key revoke, assistant revoke, member remove, member role, member erase, member add --password-stdin.",
    own: { from: File.describe("what `backup create` wrote") },
    options: { from: "FILE" },
    async run(context, { from }) {
      if (context.leadRun !== null) return restoreBackup(context, from);
      throw new ServiceError("conflict", "Stop the server first: a backup goes into a new store.");
    },
  }),
  task("encryption-key rotate", {
    summary:
      "encrypt everything stored with the new key: the one configured, else a new one in the data folder; backups made before need the earlier one",
    async run(context) {
      const { core, keyFolder } = context;
      if (keyFolder === null && !core.secrets.knowsEarlierKey)
        throw new ServiceError(
          "validation_failed",
          "Set ENCRYPTION_KEY to the new key and ENCRYPTION_KEY_PREVIOUS to the one before, and run this again.",
        );
      if (keyFolder !== null) core.secrets.adopt(nextKey(keyFolder));
      const outcome = await reencrypt(context);
      const isKept = keyFolder !== null && outcome.unreadable === 0;
      return { ...outcome, earlier_key: isKept ? keepNextKey(keyFolder, core.clock.now()) : null };
    },
    note: ({ earlier_key: file }) =>
      inLines(
        "What the service handed out under the key before (cursors, forms) is good until it is restarted without it.",
        `Backups made before need the earlier key: ${file === null ? "keep it" : `it stays in ${file}. Destroy it`} with the last of them.`,
      ),
    failure: ({ unreadable }) =>
      unreadable === 0 ? null : "some values are under a key that was not given, and stay as they are",
  }),
  task("registry key", {
    summary: "make a key pair that proves to the MCP registry that this host's names are yours",
    note: "Set the setting and restart. The file lets anybody publish under your name: keep it off this machine.",
    own: {
      to: File.describe("a file for the private key that there is not yet; it is kept nowhere else"),
      type: z.enum(REGISTRY_KEY_TYPES).default("ed25519").describe("ed25519 by default"),
    },
    options: { to: "FILE" },
    async run(_context, { to, type }) {
      const file = resolve(to);
      const { privateKey, proof } = newRegistryKey(type);
      writeNewFile(file, privateKey);
      return { file, setting: `MCP_REGISTRY_AUTH='${proof}'` };
    },
    show: ({ file, setting }) => [`The private key is in ${file}. The other half is a setting:`, setting],
  }),
  task("registry describe", {
    summary: "the manifest to publish in the MCP registry, and the commands that publish it",
    run: async (context) => ({ server_json: registryManifest(context), steps: publishingSteps(context) }),
    show: ({ server_json: manifest, steps }) => [JSON.stringify(manifest, null, 2), steps.join("\n")],
  }),
  task("registry check", {
    summary:
      "whether the MCP registry would take the manifest: its schema, its rules, and what the public address answers",
    async run(context) {
      const manifest = registryManifest(context);
      const own = manifestFaults(manifest).map(({ field, message }) => ({ where: `server.json ${field}`, message }));
      return { name: manifest.name, faults: [...own, ...(await publishedFaults(context, manifest))] };
    },
    show: ({ faults }) => [
      faults.length === 0 ? "Ready to publish." : faults.map(({ where, message }) => `${where} ${message}.`).join("\n"),
    ],
    failure: ({ faults }) => (faults.length === 0 ? null : "the registry would refuse it"),
  }),
];
