import express from "express";
import { z } from "zod";
import { apiKeyAuthentication } from "../../auth/api-key-authentication.ts";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import type { Permission } from "../../src/core/gate/actor.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { lastResort, unknownPath } from "../../src/http/errors.ts";
import { requestIds } from "../../src/http/request-id.ts";
import { restApi } from "../../src/rest/api.ts";
import { openApiText } from "../../src/rest/openapi/document.ts";
import { apiDescription } from "../../src/rest/openapi/serve.ts";
import { ROUTES, type Route } from "../../src/rest/routes.ts";
import { listen } from "./http.ts";

interface RestAppOptions {
  routes?: readonly Route[];
  /** False lifts the limits per minute. */
  limited?: boolean;
  trustedProxies?: number | false;
}

/** The REST API alone, over real HTTP on a store. */
export async function openRestApp(
  core: Core,
  { routes = ROUTES, limited = true, trustedProxies = false }: RestAppOptions = {},
): Promise<RestApp> {
  const app = express();
  app.set("trust proxy", trustedProxies);
  app.use(requestIds(core.newId));
  // Routes of a test's own have no words in the description.
  if (routes === ROUTES) app.use(apiDescription(openApiText(ROUTES, "https://receivables.example.test")));
  app.use(
    restApi({
      core,
      publicOrigin: "https://receivables.example.test",
      routes,
      authenticate: apiKeyAuthentication(core, { limited }),
    }),
  );
  app.use(unknownPath);
  app.use(lastResort(core.log));
  const { url, close } = await listen(app);
  return { url, close };
}

export interface RestApp {
  url: string;
  close(): Promise<void>;
}

/** A new key of a workspace, to send. */
export async function newKey(core: Core, tenantId: string, permission: Permission = "admin"): Promise<string> {
  return (await operate(core, tenantId, createApiKey, { name: permission, permission })).key;
}

/** Sends one request and reads all of the answer; a JSON body is parsed, any other is its text. */
export async function send(
  url: string,
  { key, json, ...init }: RequestInit & { key?: string; json?: unknown } = {},
): Promise<{ status: number; headers: Headers; body: unknown; text: string }> {
  const headers = new Headers(init.headers);
  if (key !== undefined) headers.set("Authorization", `Bearer ${key}`);
  if (json !== undefined) headers.set("Content-Type", "application/json");
  const response = await fetch(url, {
    ...init,
    headers,
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json") ?? false;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text || "null") : text, text };
}

const ErrorBody = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    request_id: z.string(),
    details: z.array(z.strictObject({ field: z.string(), message: z.string() })).optional(),
  }),
});

/** The error of an answer that must be one (service.md §2.9). */
export function errorOf(body: unknown): z.output<typeof ErrorBody>["error"] {
  return ErrorBody.parse(body).error;
}
