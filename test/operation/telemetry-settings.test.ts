import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readConfig } from "../../src/config.ts";
import type { Log } from "../../src/core/gate/dependencies.ts";
import { startCollector } from "../support/collector.ts";
import { send } from "../support/rest-app.ts";
import { freePort } from "../support/server.ts";
import { startService } from "../support/service.ts";
import { A_KIND } from "../support/stores.ts";

const Attributes = z.array(z.object({ key: z.string(), value: z.object({ stringValue: z.string().optional() }) }));
const Resource = z.object({ resource: z.object({ attributes: Attributes }) });
const Sent = z.object({ resourceMetrics: z.array(Resource).default([]), resourceSpans: z.array(Resource).default([]) });

/** The attributes of all resources in what a collector was sent. */
const resourcesOf = (bodies: unknown): z.output<typeof Attributes> =>
  z
    .array(Sent)
    .parse(bodies)
    .flatMap(({ resourceMetrics, resourceSpans }) => [...resourceMetrics, ...resourceSpans])
    .flatMap(({ resource }) => resource.attributes);

it("names the process, and says of it what the operator does [contract.operation.resource]", async () => {
  const collector = await startCollector();
  const service = await startService(A_KIND, {
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: "receivables-eu",
      OTEL_RESOURCE_ATTRIBUTES: "service.name=overruled,deployment.environment.name=pre%2Dproduction",
    },
  });
  await send(`${service.url}/v1/me`);
  await service.close();
  await collector.close();
  for (const path of ["/v1/metrics", "/v1/traces"]) {
    const told = new Map(resourcesOf(collector.bodies.get(path)).map(({ key, value }) => [key, value.stringValue]));
    expect(told.get("service.name")).toBe("receivables-eu");
    expect(told.get("deployment.environment.name")).toBe("pre-production");
    expect(told.get("service.version")).toMatch(/^\d+\.\d+\.\d+/);
    expect(told.get("service.instance.id")).toMatch(/^[0-9a-f-]{36}$/);
  }
});

it("leaves health probes out of the log, the metrics and the traces [contract.operation.probes]", async () => {
  const paths: unknown[] = [];
  const log: Log = {
    info: (fields) => void paths.push(Reflect.get(fields, "path")),
    warn: () => undefined,
    error: () => undefined,
  };
  const collector = await startCollector();
  const service = await startService(A_KIND, { log, environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
  for (const path of ["/healthz", "/readyz", "/v1/me", "/healthz", "/readyz"]) await send(service.url + path);
  await service.close();
  await collector.close();
  expect(paths).toEqual(["/v1/me"]);
  const requests = collector.spans.map(({ name }) => name).filter((name) => name.startsWith("GET"));
  expect(requests).toEqual(["GET"]);
  const measured = JSON.stringify(collector.bodies.get("/v1/metrics"));
  expect(measured).toContain("http.server.request.duration");
  expect(measured).not.toMatch(/healthz|readyz/);
});

describe("telemetry, switched off", () => {
  it("is off unless asked for, and refuses settings it cannot use [contract.operation.telemetry-off]", () => {
    expect(readConfig({}).telemetry).toBeNull();
    expect(readConfig({ METRICS_PORT: "9464" }).telemetry).toMatchObject({ metricsPort: 9464, host: "127.0.0.1" });
    expect(() => readConfig({ METRICS_PORT: "3000" })).toThrow(/METRICS_PORT/);
    for (const OTEL_RESOURCE_ATTRIBUTES of ["a", "a=b,", "a=b;c", "a=%zz", "=b"])
      expect(() => readConfig({ OTEL_RESOURCE_ATTRIBUTES })).toThrow(/^OTEL_RESOURCE_ATTRIBUTES: must be pairs/);
    expect(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" })).toThrow(/OTEL_EXPORTER_OTLP_ENDPOINT/);
  });

  it("holds nobody up where the collector is away [contract.operation.metrics]", async () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${await freePort()}`;
    const service = await startService(A_KIND, { environment: { OTEL_EXPORTER_OTLP_ENDPOINT } });
    await send(`${service.url}/healthz`);
    const began = performance.now();
    await service.close();
    expect(performance.now() - began).toBeLessThan(8_000);
  });

  it("ends the start with one line where its port is taken [contract.operation.metrics]", async () => {
    const collector = await startCollector();
    const METRICS_PORT = new URL(collector.url).port;
    await expect(startService(A_KIND, { environment: { METRICS_PORT } })).rejects.toThrow(/^METRICS_PORT: /);
    await collector.close();
  });
});
