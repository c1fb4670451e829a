/** `node dev/print-traces.ts`: an OpenTelemetry collector on 127.0.0.1:4318 that prints each trace as a tree. */
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";

const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.coerce.bigint(),
  endTimeUnixNano: z.coerce.bigint(),
});
const Traces = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(Span) })) })),
});
type Span = z.output<typeof Span>;

const PORT = 4318;

function print(spans: readonly Span[], parent: Span | null, depth: number): void {
  const known = new Set(spans.map(({ spanId }) => spanId));
  for (const span of spans) {
    const isBelow = parent === null ? !known.has(span.parentSpanId ?? "") : span.parentSpanId === parent.spanId;
    if (!isBelow) continue;
    const milliseconds = Number(span.endTimeUnixNano - span.startTimeUnixNano) / 1e6;
    process.stdout.write(`${"  ".repeat(depth)}${span.name}  ${milliseconds.toFixed(1)} ms\n`);
    print(spans, span, depth + 1);
  }
}

createServer(async (request, response) => {
  const body = await json(request);
  response.setHeader("Content-Type", "application/json").end("{}");
  if (request.url !== "/v1/traces") return;
  const spans = Traces.parse(body).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap((scope) => scope.spans),
  );
  print(spans, null, 0);
}).listen(PORT, "127.0.0.1");
