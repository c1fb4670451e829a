import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { httpRequests, rpcCalls } from "../../src/signals.ts";
import { BOOK_TIME, type Book, openBook } from "../support/book.ts";
import { type Collector, startCollector } from "../support/collector.ts";
import { callOverWire } from "../support/mcp-call.ts";
import { signInAndApprove } from "../support/oauth-client.ts";
import { PASSWORD, peopleOf } from "../support/people.ts";
import { newKey, send } from "../support/rest-app.ts";
import { freePort } from "../support/server.ts";
import { type RunningService, startService } from "../support/service.ts";
import { addRows } from "../support/stored.ts";
import { KINDS } from "../support/stores.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
/** The trace that a call itself names, which is not that of its HTTP request. */
const CALL_TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
/** What no trace is: each is ignored. */
const NO_TRACES = ["", "00-0-0-01", `00-${"0".repeat(32)}-b7ad6b7169203331-01`, 7, null, ["x"], "0".repeat(100_00)];
const NONE = {
  applied_at: null,
  reflected_at: null,
  payment_link_id: null,
  payment_integration_id: null,
  provider_payment_id: null,
};
/** Calls of assistants in what is exercised. */
const CALLS = 3 + 1 + NO_TRACES.length;
const SECRET_BAGGAGE = "user=ada-lovelace";
const BAGGAGE = `${SECRET_BAGGAGE},session.id=s%20417;ttl=3`;
const SENTINEL = "Sentinel Holdings";
const REQUESTS = "http_server_request_duration_count";
const JOBS = "receivables_job_duration_count";

describe.each(KINDS)("telemetry, switched on over %s", (kind) => {
  let collector: Collector;
  let service: RunningService;
  let book: Book;
  let email: string;
  let metricsPort: number;
  let metrics: string;

  beforeAll(async () => {
    collector = await startCollector();
    metricsPort = await freePort();
    service = await startService(kind, {
      environment: {
        METRICS_PORT: String(metricsPort),
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        TRACED_BAGGAGE: "session.id, tenant",
      },
    });
    await exercise();
    // A request is told of when its socket is done with it, and a job when it has been round.
    const isAllTold = async (): Promise<boolean> => {
      const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
      expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
      metrics = await response.text();
      return figure(REQUESTS, 'http_route="/mcp"') === CALLS && figure(JOBS, 'job="run_workflows"') > 0;
    };
    await vi.waitUntil(isAllTold, { timeout: 60_000 });
    await service.close();
  });
  afterAll(() => collector.close());

  /** A little of everything: both routes, a refusal, a failure, receipts that wait, and a connection behind. */
  async function exercise(): Promise<void> {
    const { core, url } = service;
    book = await openBook(core.store, { name: SENTINEL });
    const { installments } = await book.invoice({ customer_name: SENTINEL }, [{ original_amount: "10.00" }]);
    const [installment] = installments;
    const { tenant_id, invoice_id, installment_id } = installment;
    const money = { currency: "USD", amount: "10.00", amount_minor: "1000" };
    const held = {
      erp_push_status: "held",
      confirmed_at: BOOK_TIME,
      paid_at: BOOK_TIME,
      created_at: BOOK_TIME,
    } as const;
    const payment = { tenant_id, payment_id: randomUUID(), invoice_id, installment_id, ...money, ...held };
    await addRows(core.store, tenant_id, { payments: { ...payment, ...NONE } });
    const key = await newKey(core, book.tenantId);
    await send(`${url}/v1/invoices/${randomUUID()}`, { key });
    await send(`${url}/v1/invoices?limit=1`, { key });
    await send(`${url}/v1/invoices`, { key: "sk_wrong" });
    ({ email } = await peopleOf(core).addPerson(book.tenantId));
    const { accessToken } = await signInAndApprove(url, { email, password: PASSWORD });
    await (await callOverWire(service, accessToken, { name: "list_invoices", arguments: { limit: 1 } })).text;
    await (await callOverWire(service, accessToken, { name: "get_invoice", arguments: { invoice_id: randomUUID() } }))
      .text;
    await callTraced(accessToken, { traceparent: `00-${TRACE}-b7ad6b7169203331-01`, baggage: BAGGAGE });
    const meta = { traceparent: `00-${CALL_TRACE}-00f067aa0ba902b7-01`, tracestate: "acme=1", baggage: BAGGAGE };
    await callTraced(accessToken, {}, meta);
    for (const traceparent of NO_TRACES) await callTraced(accessToken, {}, { traceparent, tracestate: 3, baggage: {} });
  }

  async function callTraced(accessToken: string, headers: Record<string, string>, meta?: object): Promise<void> {
    const params = { name: "get_context", arguments: {}, ...(meta === undefined ? {} : { _meta: meta }) };
    const response = await fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${accessToken}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    expect(await response.text(), JSON.stringify(meta)).toContain(`"structuredContent"`);
  }

  const figure = (name: string, ...labels: string[]): number => {
    const line = metrics
      .split("\n")
      .find(
        (one) => /^[{ ]/.test(one.slice(name.length)) && one.startsWith(name) && labels.every((l) => one.includes(l)),
      );
    return Number(line?.split(" ").at(-1) ?? Number.NaN);
  };

  it("measures requests, calls, statements, refusals, jobs and what waits [contract.operation.metrics]", () => {
    expect(figure(REQUESTS, 'http_route="/v1/invoices/{invoiceId}"', 'status_code="404"')).toBe(1);
    expect(figure(REQUESTS, 'http_route="/mcp"', 'status_code="200"')).toBe(CALLS);
    expect(figure(REQUESTS, 'status_code="401"')).toBe(1);
    const calls = "mcp_server_operation_duration_count";
    expect(figure(calls, 'gen_ai_tool_name="list_invoices"')).toBe(1);
    expect(figure(calls, 'gen_ai_tool_name="get_invoice"', 'error_type="not_found"')).toBe(1);
    expect(figure("db_client_operation_duration_count", 'db_operation_name="SELECT"')).toBeGreaterThan(5);
    expect(figure("receivables_refusals_total", 'route="rest"', 'reason="invalid_credentials"')).toBe(1);
    expect(figure(JOBS, 'job="run_workflows"', 'outcome="ok"')).toBeGreaterThan(0);
    const pools = kind === "embedded" ? ["embedded"] : ["transactions", "lookups"];
    for (const pool of pools)
      expect(figure("db_client_connection_count", `pool_name="${pool}"`, 'state="idle"')).toBeGreaterThanOrEqual(0);
    expect(figure("receivables_receipts", 'state="held"')).toBe(1);
    expect(figure("receivables_receipts", 'state="failed"')).toBe(0);
    expect(figure("receivables_queue_oldest", 'queue="receipts"')).toBeGreaterThanOrEqual(0);
    expect(figure("receivables_erp_connections", 'status="connected"')).toBe(1);
    expect(figure("process_memory_usage")).toBeGreaterThan(1e6);
  });

  it("tells no workspace, person or id [contract.operation.metrics-private]", () => {
    const told = metrics + JSON.stringify(collector.spans) + JSON.stringify([...collector.bodies.values()]);
    for (const secret of [
      SECRET_BAGGAGE,
      "ada-lovelace",
      SENTINEL,
      book.tenantId,
      book.connectionId,
      email,
      PASSWORD,
      "sk_wrong",
    ])
      expect(told.includes(secret), secret).toBe(false);
    expect(metrics.replace(/service_instance_id="[0-9a-f-]{36}"/, "")).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect(metrics.split("\n").length).toBeLessThan(1_000);
  });

  it("traces a call from its request to its statements, in the caller's trace [contract.operation.traces]", () => {
    const own = collector.spans.filter((span) => span.traceId === TRACE);
    const request = own.find((span) => span.name === "POST /mcp");
    const call = own.find((span) => span.name === "tools/call get_context");
    expect(request?.parentSpanId).toBe("b7ad6b7169203331");
    expect(call?.parentSpanId).toBe(request?.spanId);
    const statement = own.find((span) => span.name === "SELECT" && span.parentSpanId === call?.spanId);
    expect(statement?.attributes.map(({ key }) => key)).toContain("db.query.text");
    expect(collector.bodies.get("/v1/metrics")?.length).toBeGreaterThan(0);
  });

  it("puts a call into the trace that it names, with a link to its request [listing.trace-context]", () => {
    const own = collector.spans.filter((span) => span.traceId === CALL_TRACE);
    const call = own.find((span) => span.name === "tools/call get_context");
    expect([call?.parentSpanId, call?.traceState]).toEqual(["00f067aa0ba902b7", "acme=1"]);
    expect(own.some((span) => span.name === "SELECT" && span.parentSpanId === call?.spanId)).toBe(true);
    const [link] = call?.links ?? [];
    const request = collector.spans.find((span) => span.spanId === link?.spanId);
    expect([request?.name, request?.traceId]).toEqual(["POST /mcp", link?.traceId]);
  });

  it("keeps of baggage what the operator named, in the call's span or the request's [listing.trace-context]", () => {
    const kept = [CALL_TRACE, TRACE].map((trace) =>
      collector.spans
        .filter(({ traceId }) => traceId === trace)
        .flatMap(({ name, attributes }) =>
          attributes
            .filter(({ key }) => key.startsWith("baggage."))
            .map(({ key, value }) => `${name}: ${key}=${value.stringValue}`),
        ),
    );
    expect(kept).toEqual([
      ["tools/call get_context: baggage.session.id=s 417"],
      ["POST /mcp: baggage.session.id=s 417"],
    ]);
  });

  it("ignores what names no trace: such calls are in their request's [listing.trace-context]", () => {
    const calls = collector.spans.filter((span) => span.name === "tools/call get_context");
    const elsewhere = calls.filter((span) => ![TRACE, CALL_TRACE].includes(span.traceId));
    expect(elsewhere).toHaveLength(NO_TRACES.length);
    for (const call of elsewhere) {
      const request = collector.spans.find((span) => span.spanId === call.parentSpanId);
      expect([request?.name, request?.traceId]).toEqual(["POST /mcp", call.traceId]);
    }
  });

  it("ends with the service", async () => {
    // Not statements, which the tests themselves follow (test/support/routable).
    expect([httpRequests.isFollowed, rpcCalls.isFollowed]).toEqual([false, false]);
    await expect(fetch(`http://127.0.0.1:${metricsPort}/metrics`)).rejects.toThrow();
  });
});
