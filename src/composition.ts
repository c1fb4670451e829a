import { join } from "node:path";
import express, { type Express } from "express";
import { apiKeyAuthentication } from "../auth/api-key-authentication.ts";
import type { AuthorizationServerOptions } from "../auth/authorization-server/index.ts";
import { reasonOf, stoppedBy } from "../auth/stopped-calls.ts";
import { webhookRefusals } from "../auth/webhook-refusals.ts";
import { publicDocuments } from "../well-known/index.ts";
import type { AdminSocket } from "./admin/socket.ts";
import { assistantRoute } from "./assistant-route.ts";
import { type Config, ConfigError } from "./config.ts";
import type { AssistantActor } from "./core/gate/actor.ts";
import type { Core, Log } from "./core/gate/dependencies.ts";
import type { Clock } from "./core/kernel/calendar.ts";
import type { Secrets } from "./core/kernel/secrets.ts";
import { paymentProviders } from "./core/provider-access/payment-providers.ts";
import type { DemoErp } from "./demo/erp.ts";
import { keyFolderOf } from "./encryption-key.ts";
import { connectMailer } from "./gateways/mail/index.ts";
import { lastResort, unknownPath } from "./http/errors.ts";
import { healthChecks, tellOfOutages } from "./http/health.ts";
import { onlyPublicHost } from "./http/hosts.ts";
import { requestIds } from "./http/request-id.ts";
import { requestLog, requestSignals } from "./http/request-log.ts";
import { setSecurityHeaders } from "./http/server.ts";
import { releaseEveryHold } from "./jobs/housekeeping.ts";
import { createJobs, type JobOptions } from "./jobs/schedule.ts";
import type { PostOffice } from "./jobs/send-mails.ts";
import { ICON_FILES } from "./mcp/icons.ts";
import { OpenCalls } from "./mcp/open-calls.ts";
import type { McpCaller } from "./mcp/post.ts";
import { restApi } from "./rest/api.ts";
import { openApiText } from "./rest/openapi/document.ts";
import { apiDescription } from "./rest/openapi/serve.ts";
import { ROUTES } from "./rest/routes.ts";
import { webhooks } from "./rest/webhooks.ts";
import type { Store } from "./store/store.ts";
import { type TokenIssuer, tokenIssuer } from "./token-issuer.ts";
import { docsPages } from "./web/docs/docs-pages.ts";
import { stopActs } from "./web/kit/open-acts.ts";
import { connectPage, pages } from "./web/pages.ts";

/** The service, built from the settings; nothing listens yet. */
export interface Service {
  readonly core: Core;
  readonly app: Express;
  /** Starts the jobs. */
  start(): Promise<void>;
  /** Starts no new jobs and reports not ready to load balancers; requests in progress continue. */
  drain(): void;
  /** Stops everything, after the last request. */
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
export interface ComposeOptions {
  jobs?: JobOptions;
  /** Whether the sandbox provider takes payments; by default in the demo only. */
  sandbox?: boolean;
  /** Whether an admin may connect an ERP on this machine; by default in the demo only. */
  localErps?: boolean;
  checksOutputs?: boolean;
  internet?: AuthorizationServerOptions["internet"];
  /** Prints a line about the progress of the start. */
  tell?: ((line: string) => void) | undefined;
}

/** How long jobs in progress may continue while requests are drained. */
const JOBS_GRACE_MS = 5_000;

/** Builds the core, the jobs and every interface on an open store. Throws ConfigError. */
export async function compose(config: Config, foundations: Foundations, options: ComposeOptions): Promise<Service> {
  const { store, secrets, clock, log } = foundations;
  const { sandbox = config.demo, localErps = config.demo, checksOutputs = false } = options;
  const payments = paymentProviders({ secrets, clock, sandboxAt: sandbox ? config.publicUrl : null });
  const core: Core = {
    ...foundations,
    payments,
    publicOrigin: config.publicUrl,
    localErps,
    erpBounds: config.erpBounds,
    checksOutputs,
  };
  if (store.kind === "embedded") await releaseEveryHold(core);
  const office = postOffice(config);
  const patient = { ...core, store: store.patient };
  const demo = config.demo ? await openDemo(config, patient, options.tell) : null;
  const issuer = await tokenIssuer(config, core, options.internet);
  const openCalls: AssistantCalls = new OpenCalls();
  const unsubscribe = store.subscribe((notice) => {
    stopActs(notice);
    const isStopped = stoppedBy(notice);
    if (isStopped !== null) openCalls.abort(({ actor }) => isStopped(actor), reasonOf(notice));
  });
  const endOutageLog = tellOfOutages(store, log);
  const jobs = createJobs(patient, {
    office,
    pullsAtOnce: config.pullsAtOnce,
    keepDays: config.keepDays,
    ...options.jobs,
  });
  let ready = false;
  let drained: Promise<void> | null = null;
  let socket: AdminSocket | null = null;
  const app = await routes({ config, core, issuer, openCalls, sandbox, isReady: () => ready });
  return {
    core,
    app,
    async start() {
      await jobs.start();
      if (store.kind === "embedded") socket = await adminSocket(config, core);
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
      endOutageLog();
      await demo?.close();
      await store.close();
    },
  };
}

type AssistantCalls = OpenCalls<McpCaller<AssistantActor>>;

interface Routed {
  config: Config;
  core: Core;
  issuer: TokenIssuer;
  openCalls: AssistantCalls;
  sandbox: boolean;
  /** Whether the service has started and is not being drained. */
  isReady: () => boolean;
}

/** Every route of the service, in the order in which they are matched. */
async function routes({ config, core, issuer, openCalls, sandbox, isReady }: Routed): Promise<Express> {
  const { store, log } = core;
  const { authorization, verifyAccessToken } = issuer;
  const { publicUrl: publicOrigin } = config;
  const openApi = openApiText(ROUTES, publicOrigin);
  const app = express();
  app.disable("x-powered-by");
  app.set("trust proxy", config.trustedProxies);
  app.use(requestIds(core.newId), setSecurityHeaders(publicOrigin));
  app.use(healthChecks(store, isReady));
  app.use(requestSignals(), requestLog(log), onlyPublicHost(publicOrigin));
  // First, because it is called most: every route matched before it costs each call a little.
  app.get("/mcp", connectPage({ core, publicOrigin, addresses: config.listing }));
  app.all("/mcp", assistantRoute(config, core, { verifyAccessToken, openCalls, openApi }));
  app.use(...publicDocuments(config, { clock: core.clock, icon: ICON_FILES }));
  app.use(apiDescription(openApi), docsPages({ openApi, publicOrigin }));
  const authenticate = apiKeyAuthentication(core, { limited: config.rateLimits });
  app.use(restApi({ core, authenticate, publicOrigin }));
  app.use(webhooks({ core, onRefused: webhookRefusals(core) }));
  if (sandbox) app.use((await import("./web/pay/pay-page.ts")).payPages({ core, publicOrigin }));
  if (authorization !== null) app.use(authorization.router);
  const interactions = authorization?.interactions ?? null;
  app.use(pages({ core, publicOrigin, interactions, addresses: config.listing }));
  app.use(unknownPath, lastResort(log));
  return app;
}

/** The socket through which operators' commands reach an embedded store in use. */
async function adminSocket(config: Config, core: Core): Promise<AdminSocket> {
  const [{ executeRequest }, { serveAdmin }] = await Promise.all([
    import("./admin/execute.ts"),
    import("./admin/socket.ts"),
  ]);
  const { publicUrl, listing } = config;
  const context = { core, publicUrl, listing, keyFolder: keyFolderOf(config), leadRun: null };
  return serveAdmin({
    dataDir: config.dataDir,
    answer: (request: unknown, signal: AbortSignal) => executeRequest({ ...context, signal }, request),
  });
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

/** Starts the demo's ERPs and fills a new store. Null where the store has a demo that DATA_DIR knows nothing of. */
async function openDemo(
  { dataDir, publicUrl }: Config,
  core: Core,
  tell: ComposeOptions["tell"],
): Promise<DemoErp | null> {
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
