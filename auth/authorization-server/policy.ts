import Provider, { errors, interactionPolicy, type ResourceServer } from "oidc-provider";
import { SCOPES } from "../../src/core/gate/actor.ts";
import { SIGNING_ALGORITHM } from "../signing-keys.ts";

/** The content of the error page for requests that cannot be returned to the client. */
export interface Problem {
  title: string;
  message: string;
  /** The OAuth error code, for developers of the client. */
  code: string;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  invalid_client: "The assistant that sent you here is not known. Remove it there, add it again, and try once more.",
  invalid_redirect_uri: "The assistant asked to be answered at an address it has not registered, so nothing was sent.",
  invalid_target: "The assistant asked for another service than this one. Check the address you gave it.",
  consent_required: "The assistant asked to be connected without asking you, which is not possible here.",
  login_required: "The assistant asked to be connected without asking you, which is not possible here.",
  interaction_required: "The assistant asked to be connected without asking you, which is not possible here.",
  server_error: "Something went wrong on our side. Try again in a moment.",
};

/** A page for an error code of the provider: never its own text, which quotes the request. */
export function problemOf(code: string): Problem {
  return {
    // A code of the protocol, or none: never text that a request could have brought.
    code: /^[a-z_]{1,60}$/.test(code) ? code : "invalid_request",
    title: "This connection request cannot be continued",
    message:
      PROBLEMS[code] ?? "The request was incomplete, has expired or was already used. Start again from the assistant.",
  };
}

/**
 * Everybody is asked every time: who they are (a browser that is signed in has answered), and whether they allow it.
 * Both are answered in one interaction.
 */
export function alwaysAsk(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  policy.clear();
  policy.add(new interactionPolicy.Prompt({ name: "login", requestable: true }));
  policy.add(
    new interactionPolicy.Prompt(
      { name: "consent", requestable: true },
      new interactionPolicy.Check("not_asked", "the person has not been asked", "consent_required", (ctx) => {
        return ctx.oidc.result?.consent === undefined;
      }),
    ),
  );
  return policy;
}

/** How tokens for our one resource look: how long they are good (in seconds), and what they are signed with. */
interface TokenForm {
  accessTokenTTL: number;
  kid: string;
}

/** Throws `invalid_target` for any resource but ours. */
export function resourceServer(named: string, resource: string, { accessTokenTTL, kid }: TokenForm): ResourceServer {
  if (named !== resource) throw new errors.InvalidTarget();
  return {
    scope: SCOPES.join(" "),
    audience: resource,
    accessTokenFormat: "jwt",
    accessTokenTTL,
    jwt: { sign: { alg: SIGNING_ALGORITHM, kid } },
  };
}

/**
 * Throws `invalid_target` where the request under way names any resource but ours. The provider looks at that itself, but
 * only after it has spent the code or the refresh token, which the client then has lost for a slip it could put right.
 */
export function checkTarget(resource: string): void {
  const named: unknown = Provider.ctx?.oidc.params?.resource ?? resource;
  if ([named].flat().some((one) => one !== resource)) throw new errors.InvalidTarget();
}
