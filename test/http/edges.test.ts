import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import express from "express";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { isAddressHost } from "../../src/http/hosts.ts";
import { httpServer } from "../../src/http/server.ts";
import { serveMetrics } from "../../src/telemetry/index.ts";
import { sendRaw } from "../support/http.ts";
import { type RunningService, startService } from "../support/service.ts";

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

async function ask(url: string, { method = "GET", headers = {}, body = "" } = {}): Promise<Answer> {
  const sent = request(url, { method, headers });
  sent.end(body);
  const [response]: IncomingMessage[] = await once(sent, "response");
  if (response === undefined) throw new Error("no answer");
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}

/** One of every face, by method and path. */
const FACES = [
  ["GET", "/"],
  ["GET", "/signin"],
  ["GET", "/nothing-here"],
  ["GET", "/mcp"],
  ["POST", "/mcp"],
  ["OPTIONS", "/mcp"],
  ["GET", "/v1/invoices"],
  ["GET", "/v1/nothing"],
  ["GET", "/openapi.json"],
  ["GET", "/docs"],
  ["GET", "/docs/search.json"],
  ["GET", "/style.css"],
  ["GET", "/.well-known/oauth-protected-resource"],
  ["GET", "/.well-known/oauth-authorization-server"],
  ["GET", "/.well-known/security.txt"],
  ["OPTIONS", "/.well-known/oauth-protected-resource"],
  ["GET", "/oauth/authorize?client_id=nobody"],
  ["GET", "/oauth/jwks"],
  ["POST", "/oauth/token"],
  ["POST", "/oauth/register"],
  ["POST", "/oauth/revoke"],
  ["POST", "/webhooks/stripe/00000000-0000-4000-8000-000000000000"],
  ["GET", "/pay/nothing"],
  ["GET", "/%zz"],
] as const;

describe("what every answer has in common", () => {
  let service: RunningService;
  const PUBLIC = "https://receivables.acme.example";
  const here = { host: "receivables.acme.example" };
  beforeAll(async () => {
    const environment = { PUBLIC_URL: PUBLIC, SECURITY_CONTACT: "security@acme.example" };
    service = await startService("embedded", { environment });
  });
  afterAll(() => service.close());

  it.each(FACES)(
    "[contract.edges.host.every-face] %s %s is served under the public host only",
    async (method, path) => {
      const url = `${service.via}${path}`;
      const foreign = ["evil.example.com", "receivables.acme.example.evil.com", "receivables.acme.example:8443"];
      for (const host of [...foreign, "127.0.0.1", "localhost"])
        expect((await ask(url, { method, headers: { host } })).status, host).toBe(421);
      for (const host of [here.host, "receivables.acme.example:443", "Receivables.Acme.Example"])
        expect((await ask(url, { method, headers: { host } })).status, host).not.toBe(421);
    },
  );

  it.each(FACES)("[contract.edges.host.one] %s %s is refused under two hosts", async (method, path) => {
    const [ours, foreign] = ["Host: receivables.acme.example\r\n", "Host: evil.example\r\n"];
    const status = async (target: string, hosts: string): Promise<string | undefined> => {
      const answer = await sendRaw(service.via, `${method} ${target} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
      return /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1];
    };
    for (const hosts of [ours + foreign, foreign + ours, ours + ours, ""])
      expect(await status(path, hosts), hosts).toBe("400");
    const targets = ["http://evil.example", "https://evil.example:443", "https://receivables.acme.example:8443"];
    for (const target of [...targets, "https://receivables.acme.example@evil.example"])
      expect(await status(target + path, ours), target).toBe("400");
    expect(await status(`https://receivables.acme.example${path}`, ours)).toBe(await status(path, ours));
    expect(await status(`https://evil.example${path}`, foreign)).toBe("421");
  });

  it("[contract.edges.host.every-face] health checks are served under any host, and without one", async () => {
    for (const path of ["/healthz", "/readyz"]) {
      const status = async (host: string) => (await ask(`${service.via}${path}`, { headers: { host } })).status;
      for (const host of [here.host, "127.0.0.1:3000", "[::1]:3000", "receivables-a:3000", "evil.example.com"])
        expect(await status(host), host).toBe(200);
      // As HAProxy asks where its configuration names no host.
      expect(await sendRaw(service.via, `GET ${path} HTTP/1.0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
    }
  });

  it.each(FACES)("[contract.edges.headers.every-answer] %s %s says nosniff and HSTS", async (method, path) => {
    for (const host of [here.host, "evil.example.com"]) {
      const { headers } = await ask(`${service.via}${path}`, { method, headers: { host } });
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["strict-transport-security"]).toMatch(/^max-age=31536000/);
    }
  });

  it.each(FACES)("[contract.edges.headers.every-answer] %s %s has no ETag on an error", async (method, path) => {
    const { status, headers, body } = await ask(`${service.via}${path}`, { method, headers: here });
    if (status < 400 || headers["content-type"]?.startsWith("application/json") !== true) return;
    expect(headers).not.toHaveProperty("etag");
    expect(JSON.parse(body)).toHaveProperty("error");
  });

  it("[contract.edges.headers.every-answer] so does what is no HTTP at all", async () => {
    const server = httpServer(express(), () => "request-1", PUBLIC);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const answer = await sendRaw(`http://127.0.0.1:${port}`, "no http\r\n\r\n");
    server.close();
    expect(answer).toContain("X-Content-Type-Options: nosniff\r\n");
    expect(answer).toContain("Strict-Transport-Security: max-age=31536000");
  });

  it("[contract.edges.security-txt] names the contact, until a day within the year", async () => {
    const answer = await ask(`${service.via}/.well-known/security.txt`, { headers: here });
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(answer.body).toContain("Contact: mailto:security@acme.example\n");
    expect(answer.body).toContain(`Canonical: ${PUBLIC}/.well-known/security.txt\n`);
    const expires = Date.parse(/^Expires: (\S+)$/m.exec(answer.body)?.[1] ?? "");
    const days = (expires - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(170);
    expect(days).toBeLessThan(365);
  });
});

it("[contract.edges.security-txt] there is none without a contact, and a contact is one that can be used", async () => {
  const service = await startService("embedded");
  expect((await ask(`${service.url}/.well-known/security.txt`)).status).toBe(404);
  await service.close();
  const contactOf = (SECURITY_CONTACT: string) => readConfig({ SECURITY_CONTACT }).securityContact;
  expect(contactOf("https://acme.example/report")).toBe("https://acme.example/report");
  expect(contactOf("mailto:a@acme.example")).toBe("mailto:a@acme.example");
  for (const bad of ["nobody", "http://acme.example", "a@b\nExpires: never", "javascript:x"])
    expect(() => contactOf(bad), bad).toThrow(/SECURITY_CONTACT/);
});

it("[contract.edges.host.every-face] metrics are served by address and by names of the network, and under no foreign name", async () => {
  const server = await serveMetrics((_request, response) => response.end("up 1\n"), { host: "127.0.0.1", port: 0 });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const status = async (path: string, host: string) => (await ask(`${url}${path}`, { headers: { host } })).status;
  for (const host of ["127.0.0.1:9464", "localhost:9464", "receivables:9464", "[::1]:9464"])
    expect(await status("/metrics", host), host).toBe(200);
  for (const host of ["evil.example.com", "evil.example.com:9464"]) expect(await status("/metrics", host)).toBe(421);
  expect(await status("/", "127.0.0.1")).toBe(404);
  server.close();
  expect(isAddressHost("localhost.evil.example.com")).toBe(false);
});
