import { join } from "node:path";
import { z } from "zod";
import { listApiKeys } from "../../auth/api-keys/api-key.ts";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { revokeApiKey } from "../../auth/api-keys/revoke-api-key.ts";
import { addMember } from "../../auth/members/add-member.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { operate } from "../core/gate/operator.ts";
import { PEOPLE, WORKSPACES } from "./cast.ts";
import { readPrivate, writePrivately } from "./files.ts";
import { type DemoState, randomSecret } from "./state.ts";

const FILE = "demo.json";

/** The credentials file in the data folder (contract.md). */
const DemoCredentials = z.object({
  base_url: z.string(),
  mcp_url: z.string(),
  people: z.array(
    z.object({ email: z.string(), password: z.string(), workspace: z.string(), role: z.enum(["admin", "member"]) }),
  ),
  api_keys: z.array(
    z.object({ workspace: z.string(), name: z.string(), permission: z.enum(["admin", "readonly"]), key: z.string() }),
  ),
});
type DemoCredentials = z.output<typeof DemoCredentials>;

/** The login of the demo's first person, an admin; null without a credentials file. */
export function demoLogin(dataDir: string): DemoCredentials["people"][number] | null {
  const { data: kept } = DemoCredentials.safeParse(readPrivate(credentialsPath(dataDir)));
  return kept?.people.find(({ role }) => role === "admin") ?? null;
}

/** The path of the credentials file. */
function credentialsPath(dataDir: string): string {
  return join(dataDir, FILE);
}

/**
 * Whether the credentials file exists, which is written last when the demo is made. Updates the service's addresses in
 * it and keeps the secrets.
 */
export function keepCredentials(dataDir: string, { baseUrl, mcpUrl }: Pick<HandOut, "baseUrl" | "mcpUrl">): boolean {
  const { data: kept } = DemoCredentials.safeParse(readPrivate(credentialsPath(dataDir)));
  if (kept === undefined) return false;
  if (kept.base_url !== baseUrl || kept.mcp_url !== mcpUrl)
    writePrivately(credentialsPath(dataDir), { ...kept, base_url: baseUrl, mcp_url: mcpUrl });
  return true;
}

interface HandOut {
  state: DemoState;
  dataDir: string;
  /** `{base_url}` and `{mcp_url}` of the service. */
  baseUrl: string;
  mcpUrl: string;
}

/** Gives everybody a random password and each workspace its API keys, and writes the file. */
export async function handOutCredentials(core: Core, { state, dataDir, baseUrl, mcpUrl }: HandOut): Promise<void> {
  const people: DemoCredentials["people"] = [];
  const keys: DemoCredentials["api_keys"] = [];
  for (const { email, roles } of PEOPLE) {
    const password = randomSecret();
    for (const { key, name } of WORKSPACES) {
      const role = roles[key];
      if (role === undefined) continue;
      await operate(core, tenantOf(state, key), addMember, { email, role, password });
      people.push({ email, password, workspace: name, role });
    }
  }
  for (const workspace of WORKSPACES) {
    const tenantId = tenantOf(state, workspace.key);
    await revokeKeysNamed(core, tenantId, new Set(workspace.keys.map(({ name }) => name)));
    for (const { name, permission } of workspace.keys) {
      const { key } = await operate(core, tenantId, createApiKey, { name, permission });
      keys.push({ workspace: workspace.name, name, permission, key });
    }
  }
  const credentials: DemoCredentials = { base_url: baseUrl, mcp_url: mcpUrl, people, api_keys: keys };
  writePrivately(credentialsPath(dataDir), credentials);
}

/** An interrupted start may have made keys whose secrets are lost. */
async function revokeKeysNamed(core: Core, tenantId: string, names: ReadonlySet<string>): Promise<void> {
  for (const { id, name, revoked_at: revokedAt } of await operate(core, tenantId, listApiKeys, {})) {
    if (revokedAt === null && names.has(name)) await operate(core, tenantId, revokeApiKey, { id });
  }
}

function tenantOf(state: DemoState, workspace: string): string {
  const tenantId = state.workspaces[workspace];
  if (tenantId === undefined) throw new Error(`the demo has no workspace ${workspace}`);
  return tenantId;
}
