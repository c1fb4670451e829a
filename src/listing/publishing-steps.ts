import type { Config } from "../config.ts";
import { keyTypeOf, type RegistryKeyType } from "../registry-proof.ts";
import { registryManifest } from "./manifest.ts";
import { domainOf } from "./server-name.ts";

/** How mcp-publisher is given the key: as hexadecimal digits, which openssl reads out of the file. */
const KEY_OPTIONS: Readonly<Record<RegistryKeyType, string>> = {
  ed25519: `--private-key "$(openssl pkey -in KEY.pem -noout -text | grep -A3 priv: | tail -n +2 | tr -d ' :\\n')"`,
  ecdsap384: `--algorithm ecdsap384 --private-key "$(openssl ec -in KEY.pem -noout -text | grep -A4 priv: | tail -n +2 | tr -d ' :\\n')"`,
};

/** The commands that publish an installation in the MCP registry. */
export function publishingSteps(installation: Pick<Config, "publicUrl" | "listing">) {
  const { listing, publicUrl } = installation;
  const { name } = registryManifest(installation);
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
