import { getSignInRules, setSignInRules } from "../../../auth/sign-in-rules/operations.ts";
import { ORGANISATION_PATH } from "../../../auth/upstream-sign-in/flow.ts";
import { html } from "../kit/markup.ts";
import { doing, Form } from "../kit/page.ts";
import { sectionsPage } from "../kit/sections-page.ts";

const RULES = new Form(setSignInRules, {
  providerOnly: {
    label: "Require single sign-on",
    hint: "The workspace has no OpenID provider yet: an operator connects one.",
  },
  secondFactor: {
    label: "Require a second factor with passwords",
    hint: "Members without one are asked to set it up when they sign in next.",
  },
});

/** `/sign-in-rules`: what a workspace asks of its members' sign-ins. */
export const SIGN_IN_RULES = sectionsPage({
  path: "/sign-in-rules",
  title: "Sign-in rules",
  settings: { group: "People", words: "Single sign-on and second factors, required of everybody." },
  adminsOnly: "Only an admin of a workspace sets its sign-in rules",
  intro: "How members must sign in. Assistants and API keys are not concerned.",
  done: { saved: "Saved. It takes effect on everybody's next request." },
  async section(visit) {
    const key = visit.workspace.tenantId;
    const { provider, provider_only, second_factor } = await visit.call(getSignInRules, {});
    const hint = html`Members sign in at ${provider}; a password of this service does not open the workspace.
<a href="${ORGANISATION_PATH}?workspace=${key}">Sign in with your organisation</a> once before you require it.`;
    return RULES.view(visit, {
      ...{ path: `/sign-in-rules/${key}`, key, button: "Save rules", look: "card" },
      now: { providerOnly: provider_only, secondFactor: second_factor },
      isPartial: true,
      words: provider === null ? {} : { providerOnly: { hint } },
    });
  },
  acts: {
    "": doing("saved", (visit) => RULES.send(visit)),
  },
});
