import { type Attributes, type Meter, type MetricAdvice, ROOT_CONTEXT, SpanKind } from "@opentelemetry/api";
import { parseKeyPairsIntoRecord, W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  type CallersTrace,
  failureOf,
  httpRequests,
  jobs,
  outsideCalls,
  refusals,
  rpcCalls,
  statements,
  storeRefusals,
} from "../signals.ts";
import type { Follower } from "./followed.ts";

/** Bounds in seconds, as the semantic conventions advise for requests and for statements. */
const REQUEST_SECONDS: MetricAdvice = {
  explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
};
const STATEMENT_SECONDS: MetricAdvice = { explicitBucketBoundaries: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10] };
const JOB_SECONDS: MetricAdvice = { explicitBucketBoundaries: [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600] };

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE"]);
const QUERY_TEXT_CHARACTERS = 2_000;

const BAGGAGE_CHARACTERS = 200;

/**
 * Measures and traces all activities, named by OpenTelemetry's semantic conventions where they apply. Of a caller's baggage
 * only the entries that the operator named are kept, in spans and in no metric: it may name people.
 */
export function followActivities(follower: Follower, meter: Meter, tracedBaggage: readonly string[]) {
  const seconds = secondsIn(meter);
  followRequests(follower, seconds, baggageReader(tracedBaggage));
  followWork(follower, seconds);
  const refused = meter.createCounter("receivables.refusals", {
    description: "Callers refused: without a valid credential, or over a limit.",
  });
  follower.followTold(refusals, ({ route, reason }) => refused.add(1, { route, reason }));
  const refusedByStore = meter.createCounter("receivables.store.refusals", {
    description: "Work that the store refused, by why.",
  });
  follower.followTold(storeRefusals, ({ outage }) => refusedByStore.add(1, { outage }));
}

type Seconds = ReturnType<typeof secondsIn>;
type BaggageReader = ReturnType<typeof baggageReader>;

function baggageReader(names: readonly string[]) {
  return ({ baggage }: CallersTrace): Attributes => {
    if (names.length === 0 || baggage === undefined) return {};
    const entries = new Map(Object.entries(parseKeyPairsIntoRecord(baggage)));
    const kept = names.flatMap((name): [string, string][] => {
      const value = entries.get(name);
      return value === undefined ? [] : [[`baggage.${name}`, value.slice(0, BAGGAGE_CHARACTERS)]];
    });
    return Object.fromEntries(kept);
  };
}

function secondsIn(meter: Meter) {
  return (name: string, description: string, advice: MetricAdvice) => {
    const histogram = meter.createHistogram(name, { description, unit: "s", advice });
    return (value: number, attributes: Attributes) => histogram.record(value, attributes);
  };
}

/** Requests to the service: HTTP requests and calls of assistants. */
function followRequests(follower: Follower, seconds: Seconds, baggageOf: BaggageReader) {
  const propagator = new W3CTraceContextPropagator();
  const carrier = {
    get: (trace: CallersTrace, key: string) => (key === "traceparent" ? trace.traceparent : trace.tracestate),
    keys: () => ["traceparent", "tracestate"],
  };
  const parentOf = (trace: CallersTrace) => propagator.extract(ROOT_CONTEXT, trace, carrier);

  follower.follow(httpRequests, {
    span: (request) => ({
      name: methodOf(request.method),
      kind: SpanKind.SERVER,
      parent: parentOf(request),
    }),
    ended: ({ method, scheme, route, status, baggage }) => ({
      detail: baggageOf({ baggage }),
      name: route === null ? methodOf(method) : `${methodOf(method)} ${route}`,
      attributes: {
        "http.request.method": methodOf(method),
        "http.response.status_code": status,
        "url.scheme": scheme,
        ...(route === null ? {} : { "http.route": route }),
        ...(status >= 500 ? { "error.type": String(status) } : {}),
      },
      failure: status >= 500 ? String(status) : null,
    }),
    record: seconds("http.server.request.duration", "Duration of HTTP requests.", REQUEST_SECONDS),
  });

  follower.follow(rpcCalls, {
    span: (call) => ({ name: call.method, kind: SpanKind.SERVER, parent: parentOf(call) }),
    ended: ({ method, tool, outcome, baggage }, error) => {
      const failure = error === undefined ? outcome : failureOf(error);
      return {
        detail: baggageOf({ baggage }),
        ...(tool === null ? {} : { name: `${method} ${tool}` }),
        attributes: {
          "mcp.method.name": method,
          ...(tool === null ? {} : { "gen_ai.tool.name": tool, "gen_ai.operation.name": "execute_tool" }),
          ...(failure === "ok" ? {} : { "error.type": failure }),
        },
        failure: failure === "internal_error" || failure === "unexpected" ? failure : null,
      };
    },
    record: seconds("mcp.server.operation.duration", "Duration of the calls of assistants.", REQUEST_SECONDS),
  });
}

/** The work of the service: statements, calls of external systems, and jobs. */
function followWork(follower: Follower, seconds: Seconds) {
  follower.followEnded(statements, {
    span: ({ sql }) => ({ name: operationOf(sql), kind: SpanKind.CLIENT }),
    ended: ({ sql, failed }) => ({
      attributes: {
        "db.system.name": "postgresql",
        "db.operation.name": operationOf(sql),
        ...(failed ? { "error.type": "statement_failed" } : {}),
      },
      // `begin` names the tenant; all other statements have parameters instead of values.
      detail: sql.startsWith("begin") ? {} : { "db.query.text": sql.slice(0, QUERY_TEXT_CHARACTERS) },
      failure: failed ? "statement_failed" : null,
    }),
    record: seconds("db.client.operation.duration", "Duration of statements to the store.", STATEMENT_SECONDS),
    seconds: ({ milliseconds }) => milliseconds / 1_000,
  });

  follower.follow(outsideCalls, {
    span: ({ system, operation }) => ({ name: `${system} ${operation}`, kind: SpanKind.CLIENT }),
    ended: ({ system, operation, outcome }, error) => {
      const result = error === undefined ? outcome : failureOf(error);
      return {
        attributes: { system, operation, outcome: result },
        failure: result === "ok" ? null : result,
      };
    },
    record: seconds(
      "receivables.outside.call.duration",
      "Requests to ERPs, payment providers and mail.",
      REQUEST_SECONDS,
    ),
  });

  follower.follow(jobs, {
    span: ({ job, kind }) => (kind === "look" ? null : { name: job, kind: SpanKind.INTERNAL }),
    ended: ({ job, outcome }, error) => {
      const result = error === undefined ? outcome : failureOf(error);
      return { attributes: { job, outcome: result }, failure: result === "unexpected" ? result : null };
    },
    record: seconds("receivables.job.duration", "Work without a caller.", JOB_SECONDS),
  });
}

const methodOf = (method: string) => (METHODS.has(method) ? method : "_OTHER");

function operationOf(sql: string) {
  return (/^\s*([a-z]+)/i.exec(sql)?.[1] ?? "other").toUpperCase();
}
