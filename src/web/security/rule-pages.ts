import type { Router } from "express";
import { getSignInRules, setSignInRules } from "../../../auth/sign-in-rules/operations.ts";
import { ORGANISATION_PATH } from "../../../auth/upstream-sign-in/flow.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import { AdminPage, noticeOf, type RefusedForm } from "../kit/admin-page.ts";
import { checkbox } from "../kit/fields.ts";
import { html } from "../kit/html.ts";
import type { Site } from "../kit/site.ts";

const NOTICES = { saved: "Saved. It counts from everybody's next request on." };

/** A form that was not accepted, as it was ticked. */
interface Refused extends RefusedForm {
  message: string;
  providerOnly: boolean;
  secondFactor: boolean;
}

/** `/sign-in-rules`: what a workspace asks of its members' sign-ins. */
export function rulePages(site: Site): Router {
  const page = new AdminPage<Refused>(site, {
    path: "/sign-in-rules",
    title: "Sign-in rules",
    adminsOnly: "Only an admin of a workspace sets its sign-in rules",
    intro: "What a member's sign-in has to be. Assistants and API keys are not concerned.",
    notice: (query) => noticeOf(NOTICES, query),
    async section(workspace, visit, refused) {
      const { tenantId, name } = workspace;
      const { provider, provider_only, second_factor } = await visit.act(workspace, getSignInRules, {});
      const action = `/sign-in-rules/${tenantId}`;
      const providerHint =
        provider === null
          ? "The workspace has no OpenID provider yet: an operator connects one."
          : `Members sign in at ${provider}; a password of this service does not open the workspace.`;
      return html`<section aria-labelledby="w-${tenantId}"><h2 id="w-${tenantId}">${name}</h2>
${refused !== null && html`<p class="alert" role="alert">${refused.message}</p>`}
<form class="card" method="post" action="${action}">${visit.formField(action)}
${checkbox({ id: `provider-${tenantId}`, name: "provider_only", label: "Require single sign-on", hint: providerHint }, refused?.providerOnly ?? provider_only)}
${provider !== null && html`<p class="quiet"><a href="${ORGANISATION_PATH}?workspace=${tenantId}">Sign in with your organisation</a> once before you require it.</p>`}
${checkbox({ id: `factor-${tenantId}`, name: "second_factor", label: "Require a second factor with passwords", hint: "Members without one are asked to set it up when they sign in next." }, refused?.secondFactor ?? second_factor)}
<div class="actions"><button>Save rules</button></div></form></section>`;
    },
  });

  page.form("", async (visit, workspace) => {
    const isTicked = (name: string): boolean => visit.field(name) === "on";
    const ticked = { providerOnly: isTicked("provider_only"), secondFactor: isTicked("second_factor") };
    try {
      await visit.act(workspace, setSignInRules, ticked);
      return "/sign-in-rules?saved";
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "conflict") throw error;
      return { tenantId: workspace.tenantId, status: error.httpStatus, message: error.message, ...ticked };
    }
  });
  return page.router;
}
