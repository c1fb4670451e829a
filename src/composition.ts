import { join } from "node:path";
import express, { type Express } from "express";
import type { TokenVerifier } from "../auth/access-token.ts";
import { apiKeyAuthentication } from "../auth/api-key-authentication.ts";
import type { AuthorizationServer, AuthorizationServerOptions } from "../auth/authorization-server/index.ts";
import { bearerAuthentication } from "../auth/bearer.ts";
import { furtherRequests } from "../auth/call-limits.ts";
import { bearerChallenges } from "../auth/challenges.ts";
import { rememberTokens } from "../auth/remembered-tokens.ts";
import { ForeignSigningKeys } from "../auth/signing-keys.ts";
import { reasonOf, stoppedBy } from "../auth/stops.ts";
import { webhookRefusals } from "../auth/webhook-refusals.ts";
import { tools } from "../tools/index.ts";
import { INSTRUCTIONS } from "../tools/instructions.ts";
import { authorizationServerMetadata } from "../well-known/authorization-server.ts";
import { protectedResourceMetadata } from "../well-known/protected-resource.ts";
import { securityTxt } from "../well-known/security-txt.ts";
import { SERVER_INFO, serverManifest } from "../well-known/server-manifest.ts";
import { keyFolderOf } from "./admin/keys.ts";
import type { AdminSocket } from "./admin/socket.ts";
import { type Config, ConfigError } from "./config.ts";
import type { AssistantActor } from "./core/gate/actor.ts";
import type { Core, Log } from "./core/gate/core.ts";
import { releaseEveryHold } from "./core/gate/idempotency.ts";
import { paymentProviders } from "./core/payment-integrations/payment-providers.ts";
import { boundedLog } from "./core/shared/bounded-log.ts";
import type { Clock } from "./core/shared/calendar.ts";
import type { Secrets } from "./core/shared/secrets.ts";
import type { DemoErp } from "./demo/erp.ts";
import { foreignKeyProblem } from "./encryption-key.ts";
import { connectMailer } from "./gateways/mail/index.ts";
import { lastResort, unknownPath } from "./http/errors.ts";
import { healthChecks } from "./http/health.ts";
import { onlyPublicHost } from "./http/hosts.ts";
import { tellOfOutages } from "./http/outages.ts";
import { requestIds } from "./http/request-id.ts";
import { requestLog } from "./http/request-log.ts";
import { requestSignals } from "./http/request-signal.ts";
import { setSecurityHeaders } from "./http/security-headers.ts";
import type { PostOffice } from "./jobs/mail-attempt.ts";
import { createJobs, type JobOptions } from "./jobs/schedule.ts";
import { mcpEndpoint } from "./mcp/endpoint.ts";
import { ICONS } from "./mcp/icons.ts";
import { OpenCalls } from "./mcp/open-calls.ts";
import type { McpCaller } from "./mcp/post.ts";
import { receivablesFeatures } from "./mcp/receivables.ts";
import { createMcpServer } from "./mcp/server.ts";
import { toolSteering } from "./mcp/tool-steering.ts";
import { McpTransport } from "./mcp/transport.ts";
import { restApi } from "./rest/api.ts";
import { openApiText } from "./rest/openapi/document.ts";
import { apiReference } from "./rest/reference.ts";
import { ROUTES } from "./rest/routes.ts";
import { webhooks } from "./rest/webhooks.ts";
import type { Store } from "./store/store.ts";
import { setUpPage } from "./web/account/set-up-page.ts";
import { oauthErrorPage } from "./web/kit/error-page.ts";
import { pages } from "./web/kit/pages.ts";

/** Everything built from the settings, listening to nobody yet. */
export interface Service {
  readonly core: Core;
  readonly app: Express;
  /** Begins the work that has no caller. */
  start(): Promise<void>;
  /** Takes up no new work and says so to load balancers; requests in flight go on. */
  drain(): void;
  /** Ends everything that was begun, after the last request. */
  close(): Promise<void>;
}

/** What every part works with. */
export interface Foundations {
  store: Store;
  secrets: Secrets;
  log: Log;
  clock: Clock;
  newId: () => string;
}

/** What a test replaces. */
export interface Parts {
  jobs?: JobOptions;
  /** Whether the sandbox takes payments; without a word, in the demo alone. */
  sandbox?: boolean;
  checksOutputs?: boolean;
  internet?: AuthorizationServerOptions["internet"];
  /** Takes a line for whoever watches the start. */
  tell?: ((line: string) => void) | undefined;
}

/** So long the work under way may go on while requests in flight are answered. */
const JOBS_GRACE_MS = 5_000;

/** Puts core, jobs and every face together on a store. Throws ConfigError. */
export async function compose(config: Config, foundations: Foundations, parts: Parts): Promise<Service> {
  const { store, secrets, clock, log } = foundations;
  const { sandbox = config.demo, checksOutputs = false } = parts;
  const payments = paymentProviders({ secrets, clock, sandboxAt: sandbox ? config.publicUrl : null });
  const core: Core = { ...foundations, payments, localErps: config.demo, checksOutputs };
  if (store.kind === "embedded") await releaseEveryHold(core);
  const office = postOffice(config);
  const patient = { ...core, store: store.patient };
  const demo = config.demo ? await openDemo(config, patient, parts.tell) : null;
  const { authorization, verifyAccessToken } = await tokenIssuer(config, core, parts);
  const openCalls = new OpenCalls<McpCaller<AssistantActor>>();
  const unsubscribe = store.subscribe((notice) => {
    const isStopped = stoppedBy(notice);
    if (isStopped !== null) openCalls.abort(({ actor }) => isStopped(actor), reasonOf(notice));
  });
  const stopTelling = tellOfOutages(store, log);
  const jobs = createJobs(patient, { office, pullsAtOnce: config.pullsAtOnce, ...parts.jobs });
  let ready = false;
  let drained: Promise<void> | null = null;
  let socket: AdminSocket | null = null;

  const openApi = openApiText(ROUTES, config.publicUrl);
  const app = express();
  app.disable("x-powered-by");
  app.set("trust proxy", config.trustedProxies);
  app.use(requestIds(core.newId), setSecurityHeaders(config.publicUrl), requestSignals(), requestLog(log));
  app.use(onlyPublicHost(config.publicUrl));
  // First, for it is called most: each route that is asked before costs every call a little.
  app.get("/mcp", setUpPage({ publicOrigin: config.publicUrl }));
  app.all("/mcp", await assistantRoute(config, core, { verifyAccessToken, openCalls, openApi }));
  app.use(healthChecks(() => store.ping().then(() => ready && !store.isDeaf)));
  app.use(
    ...metadata(config),
    securityTxt({ contact: config.securityContact, publicOrigin: config.publicUrl, now: () => clock.now() }),
  );
  app.use(apiReference({ openApi }));
  const authenticate = apiKeyAuthentication(core, { limited: config.rateLimits });
  app.use(restApi({ core, authenticate, publicOrigin: config.publicUrl }));
  app.use(webhooks({ core, onRefused: webhookRefusals(core) }));
  if (sandbox) app.use((await import("./web/pay/pay-page.ts")).payPages({ core, publicOrigin: config.publicUrl }));
  if (authorization !== null) app.use(authorization.router);
  app.use(pages({ core, publicOrigin: config.publicUrl, interactions: authorization?.interactions ?? null }));
  app.use(unknownPath, lastResort(log));

  return {
    core,
    app,
    async start() {
      await jobs.start();
      if (store.kind === "embedded") {
        const [{ executeRequest }, { serveAdmin }] = await Promise.all([
          import("./admin/execute.ts"),
          import("./admin/socket.ts"),
        ]);
        const answer = (request: unknown, signal: AbortSignal) =>
          executeRequest(
            { core, publicUrl: config.publicUrl, keyFolder: keyFolderOf(config), signal, leadRun: null },
            request,
          );
        socket = await serveAdmin({ dataDir: config.dataDir, answer });
      }
      ready = true;
    },
    drain() {
      ready = false;
      drained ??= jobs.drain(JOBS_GRACE_MS);
    },
    async close() {
      ready = false;
      await socket?.close();
      await (drained ?? jobs.drain());
      unsubscribe();
      stopTelling();
      await demo?.close();
      await store.close();
    },
  };
}

function postOffice({ smtpUrl, dataDir, mailFrom, publicUrl: publicOrigin }: Config): PostOffice {
  try {
    const mailer = connectMailer({ smtpUrl, outboxFolder: join(dataDir, "outbox") });
    return { mailer, fromAddress: mailFrom, publicOrigin };
  } catch (error) {
    if (error instanceof RangeError || error instanceof URIError)
      throw new ConfigError("SMTP_URL: must be an address such as smtp://user:password@mail.example.com:587");
    throw error;
  }
}

/** Whose access tokens are taken: those of our own authorization server, or of somebody else's in its place. */
async function tokenIssuer(
  config: Config,
  core: Core,
  { internet }: Parts,
): Promise<{ authorization: AuthorizationServer | null; verifyAccessToken: TokenVerifier }> {
  const { publicUrl: publicOrigin, externalIssuer: external } = config;
  if (external !== null) {
    const { externalIssuer } = await import("../auth/external-issuer/index.ts");
    return { authorization: null, verifyAccessToken: externalIssuer({ ...core, log: boundedLog(core.log) }, external) };
  }
  const { authorizationServer } = await import("../auth/authorization-server/index.ts");
  const authorization = await authorizationServer({
    core,
    publicOrigin,
    errorPage: oauthErrorPage(publicOrigin),
    ...(internet === undefined ? {} : { internet }),
  }).catch((error: unknown) => {
    throw error instanceof ForeignSigningKeys ? foreignKeyProblem(config) : error;
  });
  return { authorization, verifyAccessToken: rememberTokens(authorization.verifyAccessToken, core.clock) };
}

/** What machines read before they call. */
function metadata({ publicUrl: publicOrigin, externalIssuer: external }: Config) {
  return [
    protectedResourceMetadata({ publicOrigin, issuer: external?.issuer ?? publicOrigin }),
    ...(external === null ? [authorizationServerMetadata({ publicOrigin })] : []),
    serverManifest(`${publicOrigin}/mcp`),
  ];
}

interface AssistantParts {
  verifyAccessToken: TokenVerifier;
  openCalls: OpenCalls<McpCaller<AssistantActor>>;
  /** The description of the REST API. */
  openApi: () => string;
}

async function assistantRoute(config: Config, core: Core, { verifyAccessToken, openCalls, openApi }: AssistantParts) {
  const { publicUrl: publicOrigin, rateLimits: limited } = config;
  const transport = new McpTransport<McpCaller<AssistantActor>>();
  await createMcpServer({
    transport,
    serverInfo: { ...SERVER_INFO, icons: ICONS },
    instructions: INSTRUCTIONS,
    tools,
    features: receivablesFeatures({ core, tools, openApi }),
    log: core.log,
    call: (tool, { actor }, args, request) =>
      tool.call(actor, args, { core, ...request, steering: toolSteering(tools, tool, actor) }),
  });
  const authenticate = bearerAuthentication({ core, publicOrigin, verifyAccessToken, limited });
  return mcpEndpoint({
    transport,
    openCalls,
    authenticate(request, response) {
      core.store.assertHearing();
      return authenticate(request, response);
    },
    charge: furtherRequests({ core, limited }),
    challenges: bearerChallenges(publicOrigin),
    publicOrigin,
    newRequestId: core.newId,
    log: core.log,
  });
}

/** Null where the store has a demo that is to be left as it is. */
async function openDemo({ dataDir, publicUrl }: Config, core: Core, tell: Parts["tell"]): Promise<DemoErp | null> {
  const [{ startDemoErp }, { seedDemo }] = await Promise.all([import("./demo/erp.ts"), import("./demo/seed.ts")]);
  const erp = await startDemoErp({ core, dataDir });
  if (erp === null) return null;
  try {
    await seedDemo({ core, dataDir, baseUrl: publicUrl, mcpUrl: `${publicUrl}/mcp`, erp, tell });
    return erp;
  } catch (error) {
    await erp.close();
    throw error;
  }
}
