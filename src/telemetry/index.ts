import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { DiagLogLevel, diag } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import { type IMetricReader, MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { ConfigError, type TelemetryConfig } from "../config.ts";
import type { Log } from "../core/gate/dependencies.ts";
import { isAddressHost } from "../http/hosts.ts";
import { listenProblem } from "../start-problem.ts";
import { followActivities } from "./activities.ts";
import { Follower } from "./followed.ts";
import { type Observed, observe } from "./gauges.ts";

const SCOPE = "receivables";

/** How long a stop waits for the collector. */
const LAST_WAIT_MS = 2_000;

/** Metrics and traces. */
export interface Telemetry {
  /** Also measures gauges from now on: process, pools and backlog. */
  observe(observed: Observed): void;
  /** Sends what is pending and stops. */
  close(): Promise<void>;
}

interface Options {
  config: TelemetryConfig;
  /** The name and version in metrics and traces. */
  service: { name: string; version: string; instanceId: string };
  log: Log;
}

/** Starts metrics, and traces where a collector is configured. ConfigError when the metrics port is in use. */
export async function startTelemetry({ config, service, log }: Options): Promise<Telemetry> {
  diag.setLogger(quietly(log), DiagLogLevel.WARN);
  const resource = resourceFromAttributes({
    "service.name": service.name,
    "service.version": service.version,
    "service.instance.id": service.instanceId,
    ...config.resource,
  });
  const { all, server } = await readers(config);
  const meters = new MeterProvider({ resource, readers: all });
  const tracers = config.collector === null ? null : tracerProvider(config.collector, config.tracesRatio, resource);
  const meter = meters.getMeter(SCOPE, service.version);
  const follower = new Follower(tracers?.getTracer(SCOPE, service.version) ?? null);
  followActivities(follower, meter, config.tracedBaggage);
  let unobserve = (): void => undefined;
  return {
    observe(observed) {
      unobserve = observe(meter, observed);
    },
    async close() {
      server?.close();
      server?.closeAllConnections();
      // The store is closed before the last metrics are sent.
      unobserve();
      follower.stop();
      const sent = Promise.allSettled([meters.shutdown(), tracers?.shutdown()]);
      await Promise.race([sent, sleep(LAST_WAIT_MS, undefined, { ref: false })]);
      diag.disable();
    },
  };
}

async function readers({ metricsPort, host, collector }: TelemetryConfig) {
  let server: Server | null = null;
  const all: IMetricReader[] = [];
  if (collector !== null) {
    const exporter = new OTLPMetricExporter({ url: `${collector}/v1/metrics` });
    all.push(new PeriodicExportingMetricReader({ exporter }));
  }
  if (metricsPort !== null) {
    const prometheus = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true });
    const answer = prometheus.getMetricsRequestHandler.bind(prometheus);
    server = await serveMetrics(answer, { host, port: metricsPort }).catch((error: unknown) => {
      if (!(error instanceof Error)) throw error;
      throw new ConfigError(listenProblem(error, { setting: "METRICS_PORT", host, port: metricsPort }));
    });
    all.push(prometheus);
  }
  return { all, server };
}

function tracerProvider(collector: string, ratio: number, resource: Resource) {
  const share = new TraceIdRatioBasedSampler(ratio);
  return new TracerProvider({
    resource,
    // A caller's traceparent sets the trace id, not whether it is sampled: anybody can send one.
    sampler: new ParentBasedSampler({ root: share, remoteParentSampled: share, remoteParentNotSampled: share }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${collector}/v1/traces` }) })],
  });
}

/** Logs export errors once a minute at most. */
function quietly(log: Log) {
  let silentUntil = 0;
  const tell = (message: string) => {
    if (Date.now() < silentUntil) return;
    silentUntil = Date.now() + 60_000;
    log.warn({ telemetry: message.slice(0, 200) }, "telemetry.export_failed");
  };
  const nothing = (): void => undefined;
  return { error: tell, warn: tell, info: nothing, debug: nothing, verbose: nothing };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Serves `/metrics` by address, `host` or a name without a dot, as no web page can. Rejects if the port is taken. */
export async function serveMetrics(handle: Handler, { host, port }: { host: string; port: number }) {
  const server = createServer((request, response) => {
    response.setHeader("X-Content-Type-Options", "nosniff");
    const name = (request.headers.host ?? "").toLowerCase();
    const isOurs = isAddressHost(name) || !name.includes(".") || name.replace(/:\d+$/, "") === host.toLowerCase();
    if (name === "" || !isOurs) return void response.writeHead(421).end();
    if (request.url?.split("?", 1)[0] !== "/metrics") return void response.writeHead(404).end();
    handle(request, response);
  });
  server.unref();
  await once(server.listen({ host, port }), "listening");
  return server;
}
