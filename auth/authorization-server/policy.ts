import Provider, { errors, interactionPolicy, type ResourceServer } from "oidc-provider";
import { SIGNING_ALGORITHM } from "../signing-keys.ts";

/** The content of the error page for requests that cannot be returned to the client. */
export interface Problem {
  title: string;
  message: string;
  /** The OAuth error code, for developers of the client. */
  code: string;
}

const UNASKED =
  "The assistant asked to be connected without asking you, which is not possible here. Connect it again from its settings.";

const PROBLEMS: Readonly<Record<string, string>> = {
  invalid_client:
    "The assistant that sent you here is not known. Remove this connector in the assistant, add it again, and try once more.",
  invalid_redirect_uri:
    "The assistant asked to be answered at an address it has not registered, so nothing was sent. Remove this connector in the assistant, add it again, and try once more.",
  invalid_target:
    "The assistant asked for another service than this one. Check the address of the server that you gave it.",
  consent_required: UNASKED,
  login_required: UNASKED,
  interaction_required: UNASKED,
  server_error: "Something went wrong on our side. Try again in a moment.",
  temporarily_unavailable: "What is needed for this does not answer just now. Try again in a moment.",
};
const EXPIRED =
  "The request has expired, was already used, or began in another browser. Start again from the assistant.";
const OTHER =
  "The assistant's request lacks something, or asks in a way that is not served here. Update the assistant; if that does not help, give its makers the error code below.";

/** A page for an error code of the provider; never with its message, which quotes the request. */
export function problemOf(code: string, { isExpired = false } = {}): Problem {
  return {
    // A code of the protocol, or nothing: never text from a request.
    code: /^[a-z_]{1,60}$/.test(code) ? code : "invalid_request",
    title: "This connection request cannot be continued",
    message: isExpired ? EXPIRED : (PROBLEMS[code] ?? OTHER),
  };
}

/** Every request asks who the person is (unless they are signed in) and whether they allow it, in one interaction. */
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

/** How access tokens for the resource are issued: with which scopes at most, for how many seconds, with which key. */
interface TokenForm {
  scope: string;
  accessTokenTTL: number;
  kid: string;
}

/** Throws `invalid_target` for any resource but ours. */
export function resourceServer(
  named: string,
  resource: string,
  { scope, accessTokenTTL, kid }: TokenForm,
): ResourceServer {
  if (named !== resource) throw new errors.InvalidTarget();
  return {
    scope,
    audience: resource,
    accessTokenFormat: "jwt",
    accessTokenTTL,
    jwt: { sign: { alg: SIGNING_ALGORITHM, kid } },
  };
}

/**
 * Throws `invalid_target` if the request under way names another resource. The provider checks that only after it has
 * used up the code or refresh token, which the client would lose for a mistake it could correct.
 */
export function checkTarget(resource: string) {
  const named: unknown = Provider.ctx?.oidc.params?.resource ?? resource;
  if ([named].flat().some((one) => one !== resource)) throw new errors.InvalidTarget();
}
