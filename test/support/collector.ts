import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";

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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
