import { isDeepStrictEqual } from "node:util";
import { certificateProblem } from "../certificate-problem.ts";
import type { Config } from "../config.ts";
import { domainOf } from "./server-name.ts";

/** The registry waits as long. */
const WAIT_MS = 10_000;
const MOST_BYTES = 16_384;

/** What is wrong with a public document; `where` is its address. */
interface PublishedFault {
  readonly where: string;
  readonly message: string;
}

type Published = Pick<Config, "publicUrl" | "listing">;

/** What the registry would find amiss at the public address: the proof of the name, and the manifest that is served. */
export async function publishedFaults(
  { publicUrl, listing }: Published,
  manifest: { readonly name: string },
): Promise<PublishedFault[]> {
  const proof = await proofFaults(listing.registryProof, manifest.name, publicUrl);
  const address = `${publicUrl}/mcp/server.json`;
  const served = await read(address);
  const isSame = served.text !== null && isDeepStrictEqual(parsed(served.text), manifest);
  if (isSame) return proof;
  return [...proof, { where: address, message: served.fault ?? "answers another manifest than this one" }];
}

async function proofFaults(proof: string | null, name: string, publicUrl: string): Promise<PublishedFault[]> {
  // Names of GitHub's are proven there.
  if (name.startsWith("io.github.")) return [];
  if (proof === null) return [{ where: "MCP_REGISTRY_AUTH", message: "is not set: run registry key" }];
  const { host, hostname, protocol } = new URL(publicUrl);
  const domain = domainOf(name);
  const address = `${domain === hostname ? `${protocol}//${host}` : `https://${domain}`}/.well-known/mcp-registry-auth`;
  const { text, fault } = await read(address);
  if (text?.trim() === proof) return [];
  return [{ where: address, message: fault ?? "answers another proof than MCP_REGISTRY_AUTH" }];
}

function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function read(address: string): Promise<{ text: string | null; fault: string | null }> {
  try {
    const headers = { accept: "text/plain, application/json", "user-agent": "mcp-registry/1.0" };
    const signal = AbortSignal.timeout(WAIT_MS);
    const response = await fetch(address, { headers, redirect: "manual", signal });
    if (response.status !== 200) return { text: null, fault: `answers ${response.status}, and has to answer 200` };
    const text = await bounded(response);
    return text === null ? { text, fault: "answers too much" } : { text, fault: null };
  } catch (error) {
    const certificate = certificateProblem(error);
    return {
      text: null,
      fault: certificate === null ? "cannot be reached from here" : `its certificate ${certificate}`,
    };
  }
}

/** The body, null where it is longer than anything of ours. */
async function bounded({ body }: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
