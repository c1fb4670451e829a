import { resolve } from "node:path";
import { z } from "zod";
import { registryManifest } from "../../listing/manifest.ts";
import { manifestFaults } from "../../listing/manifest-check.ts";
import { publishedFaults } from "../../listing/published.ts";
import { domainOf } from "../../listing/server-name.ts";
import { keyTypeOf, newRegistryKey, REGISTRY_KEY_TYPES, type RegistryKeyType } from "../../registry-proof.ts";
import { type AdminContext, type Command, task } from "../command.ts";
import { writeNewFile } from "../new-file.ts";
import { own } from "../options.ts";

export const registryCommands: readonly Command[] = [
  task("registry key", {
    summary: "make a key pair that proves to the MCP registry that this host's names are yours",
    note: "Set the setting and restart. The file lets anybody publish under your name: keep it off this machine.",
    own: {
      to: own("FILE", "a file for the private key that there is not yet; it is kept nowhere else", z.string().min(1)),
      type: own(REGISTRY_KEY_TYPES.join("|"), "ed25519 by default", z.enum(REGISTRY_KEY_TYPES).default("ed25519")),
    },
    async run(_context, { to, type }) {
      const file = resolve(to);
      const { privateKey, proof } = newRegistryKey(type);
      writeNewFile(file, privateKey);
      return { file, setting: `MCP_REGISTRY_AUTH='${proof}'` };
    },
    show: ({ file, setting }) => `The private key is in ${file}. The other half is a setting:\n\n${setting}`,
  }),
  task("registry describe", {
    summary: "the manifest to publish in the MCP registry, and the commands that publish it",
    run: async (context) => ({ server_json: registryManifest(context), steps: stepsFor(context) }),
    show: ({ server_json: manifest, steps }) => [JSON.stringify(manifest, null, 2), "", ...steps].join("\n"),
  }),
  task("registry check", {
    summary:
      "whether the MCP registry would take the manifest: its schema, its rules, and what the public address answers",
    async run(context) {
      const manifest = registryManifest(context);
      const faults = [
        ...manifestFaults(manifest).map(({ field, message }) => ({ where: `server.json ${field}`, message })),
        ...(await publishedFaults(context, manifest)),
      ];
      return { name: manifest.name, faults };
    },
    show: ({ faults }) =>
      faults.length === 0 ? "Ready to publish." : faults.map(({ where, message }) => `${where} ${message}.`).join("\n"),
    failure: ({ faults }) => (faults.length === 0 ? null : "the registry would refuse it"),
  }),
];

/** How mcp-publisher is given the key: as hexadecimal digits, which openssl reads out of the file. */
const KEY_OPTIONS: Readonly<Record<RegistryKeyType, string>> = {
  ed25519: `--private-key "$(openssl pkey -in KEY.pem -noout -text | grep -A3 priv: | tail -n +2 | tr -d ' :\\n')"`,
  ecdsap384: `--algorithm ecdsap384 --private-key "$(openssl ec -in KEY.pem -noout -text | grep -A4 priv: | tail -n +2 | tr -d ' :\\n')"`,
};

function stepsFor(context: AdminContext): string[] {
  const { listing, publicUrl } = context;
  const { name } = registryManifest(context);
  const proof = listing.registryProof;
  const login = name.startsWith("io.github.")
    ? "mcp-publisher login github"
    : `mcp-publisher login http --domain ${domainOf(name)} ${KEY_OPTIONS[proof === null ? "ed25519" : keyTypeOf(proof)]}`;
  return [
    ...(proof === null ? ["npm run admin -- registry key --to KEY.pem"] : []),
    `curl -fsS -o server.json ${publicUrl}/mcp/server.json`,
    login,
    "mcp-publisher validate server.json",
    "mcp-publisher publish server.json",
  ];
}
