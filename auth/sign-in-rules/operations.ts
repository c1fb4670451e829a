import { z } from "zod";
import { changedSettings } from "../../src/core/gate/audit.ts";
import { ADMINS_READ, operation, SETTINGS_CHANGE } from "../../src/core/gate/operation.ts";
import { ServiceError } from "../../src/core/kernel/error.ts";
import { selectFactor } from "../second-factor/queries.ts";
import { selectProvider } from "../upstream-sign-in/provider-queries.ts";
import { selectRules, upsertRules, waysOf } from "./queries.ts";

/** A workspace's sign-in rules; `provider` is the issuer of its OpenID provider. */
const SignInRules = z.strictObject({
  provider: z.string().nullable(),
  provider_only: z.boolean(),
  second_factor: z.boolean(),
});

/** The workspace's sign-in rules. */
export const getSignInRules = operation({
  id: "getSignInRules",
  summary: "Show what a sign-in has to be",
  ...ADMINS_READ,
  input: z.strictObject({}),
  output: SignInRules,
  async run({ tx, actor: { tenantId } }) {
    const rules = await selectRules(tx, tenantId);
    const provider = (await selectProvider(tx, tenantId))?.issuer ?? null;
    return { provider, provider_only: rules?.provider_only ?? false, second_factor: rules?.second_factor ?? false };
  },
});

/**
 * Changes the given rules, which take effect on everybody's next request. Throws `conflict` for a rule that would lock
 * out the admin who sets it, or everybody.
 */
export const setSignInRules = operation({
  id: "setSignInRules",
  summary: "Require single sign-on, or a second factor with passwords, of every member",
  errors: ["conflict"],
  ...SETTINGS_CHANGE,
  sideEffects:
    "Members whose sign-in does not suffice lose access until they sign in as it asks. Assistants stay connected.",
  input: z
    .strictObject({
      providerOnly: z.boolean().describe("whether passwords count for nothing here"),
      secondFactor: z.boolean().describe("whether passwords count with a second factor only"),
    })
    .partial(),
  output: SignInRules,
  allTenants: true,
  async run({ tx, actor, now, audit }, { providerOnly, secondFactor }) {
    const { tenantId } = actor;
    const before = await selectRules(tx, tenantId);
    const provider = (await selectProvider(tx, tenantId))?.issuer ?? null;
    const rules = {
      provider_only: providerOnly ?? before?.provider_only ?? false,
      second_factor: secondFactor ?? before?.second_factor ?? false,
    };
    if (providerOnly === true && provider === null)
      throw new ServiceError("conflict", "The workspace has no OpenID provider. An operator connects one first.");
    if (actor.kind === "person") {
      const { isLinked, personId } = await waysOf(tx, actor);
      const factor = personId === null ? undefined : await selectFactor(tx, personId);
      const hasFactor = factor !== undefined;
      if (providerOnly === true && !isLinked)
        throw new ServiceError("conflict", "Sign in with your organisation once before you require it of everybody.");
      if (secondFactor === true && !hasFactor && !isLinked)
        throw new ServiceError(
          "conflict",
          "Set up your own second factor before you require one of everybody: under Settings, Security.",
        );
    }
    await upsertRules(tx, { tenant_id: tenantId, ...rules, updated_at: now });
    const { provider_only = false, second_factor = false } = before ?? {};
    const details = changedSettings({ provider_only, second_factor }, rules);
    audit("changed" in details ? { type: "workspace", id: tenantId, details } : null);
    return { provider, ...rules };
  },
});
