import { z } from "zod";
import { operation } from "../../src/core/gate/operation.ts";
import { deleteVouchedSessions } from "../session-queries.ts";
import { deleteProvider } from "./provider-queries.ts";
import { readProvider, SignInProviderSchema } from "./providers.ts";

/** Removes the workspace's provider. Throws `not_found`. */
export const removeSignIn = operation({
  id: "removeSignIn",
  summary: "Take the OpenID provider away; who is signed in through it is signed out",
  callers: ["operator"],
  permission: "admin",
  scope: null,
  sideEffects: "Signs out everybody who signed in through the provider.",
  input: z.strictObject({}),
  output: SignInProviderSchema,
  allTenants: true,
  async run({ tx, actor: { tenantId }, audit }) {
    const provider = await readProvider(tx, tenantId);
    await deleteProvider(tx, tenantId);
    await deleteVouchedSessions(tx, { tenantId, personId: null });
    audit({ type: "workspace", id: tenantId });
    return provider;
  },
});
