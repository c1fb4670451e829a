import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { onLoopback } from "./http.ts";

const Attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const Span = z.looseObject({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(Attribute),
  traceState: z.string().optional(),
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).optional(),
});
const Traces = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(Span) })) })),
});

/** A span as it arrived. */
export type ReceivedSpan = z.output<typeof Span>;

/** An OpenTelemetry collector (OTLP over HTTP, JSON) that keeps what it is sent. */
export interface Collector {
  url: string;
  spans: ReceivedSpan[];
  /** Bodies of what else came, by path. */
  bodies: Map<string, unknown[]>;
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const bodies = new Map<string, unknown[]>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    const body = await json(request);
    bodies.set(path, [...(bodies.get(path) ?? []), body]);
    if (path === "/v1/traces")
      spans.push(...Traces.parse(body).resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)));
    response.setHeader("Content-Type", "application/json").end("{}");
  });
  const { url, close } = await onLoopback(server);
  return { url, spans, bodies, close };
}
