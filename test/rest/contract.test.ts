import { randomUUID } from "node:crypto";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { revokeApiKey } from "../../auth/api-keys/revoke-api-key.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { withSandbox } from "../core/workflows/support.ts";
import { type Book, openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { everyRow } from "../support/every-row.ts";
import { errorOf, newKey, openRestApp, type RestApp, send } from "../support/rest-app.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";
import { callOperation, type Described, freshLink, furnish, type Ids, operations, read } from "./operations.ts";

describe.each(A_STORE)("the contract of every operation on $name", ({ open }) => {
  const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }));
  ajv.addSchema({ $id: "api", components: read.components });
  const opened = useStore(open);
  const core = withSandbox(testCore(opened.store));
  let app: RestApp;
  let book: Book;
  let neighbour: Book;
  let own: Ids;
  let foreign: Ids;
  const keys = { admin: "", readonly: "", revoked: "", unknown: "", tierless: "" };
  let hosts = 0;

  beforeAll(async () => {
    app = await openRestApp(core, { limited: false, trustedProxies: 1 });
    book = await openBook(opened.store);
    neighbour = await openBook(opened.store);
    own = await furnish(opened.store, book);
    foreign = await furnish(opened.store, neighbour);
    const without = await openBook(opened.store, { api_access: false });
    keys.admin = await newKey(core, book.tenantId);
    keys.readonly = await newKey(core, book.tenantId, "readonly");
    keys.tierless = await newKey(core, without.tenantId);
    const gone = await operate(core, book.tenantId, createApiKey, { name: "gone", permission: "admin" });
    await operate(core, book.tenantId, revokeApiKey, { id: gone.id });
    keys.revoked = gone.key;
    const forgotten = await operate(core, book.tenantId, createApiKey, { name: "forgotten", permission: "admin" });
    await everyRow(opened.store, (tx) => tx.deleteFrom("api_keys").where("key_id", "=", forgotten.id).execute());
    keys.unknown = forgotten.key;
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    own = await freshLink(opened.store, book.tenantId, own);
    foreign = await freshLink(opened.store, neighbour.tenantId, foreign);
  });

  /** Calls an operation with the ids of a workspace; each call comes from an address of its own. */
  async function call(described: Described, key: string | undefined, ids: Ids, query = "") {
    const headers = { "X-Forwarded-For": `198.51.100.${hosts++ % 250}` };
    const answer = await callOperation(described, { url: app.url, key, ids, query, headers });
    checkDescribed(described, answer);
    return answer;
  }

  /** Every answer is one that the document describes, to the letter. */
  function checkDescribed(
    { operationId, responses }: Described,
    { status, body, headers }: Awaited<ReturnType<typeof send>>,
  ) {
    const named = responses[status];
    expect(named, `${operationId} answers ${status}`).toBeDefined();
    const response =
      named !== undefined && "$ref" in named ? read.components.responses[named.$ref.split("/").at(-1) ?? ""] : named;
    const json = response?.content["application/json"];
    const schema = JSON.stringify(json?.schema).replaceAll('"#/', '"api#/');
    expect(ajv.validate(JSON.parse(schema), body) ? "" : ajv.errorsText(), `${operationId} ${status}`).toBe("");
    if (status >= 400) {
      const { code, request_id } = errorOf(body);
      expect(named?.description ?? response?.description, `${operationId} ${status}`).toContain(`\`${code}\`: `);
      expect(Object.keys(json?.examples ?? {}), `${operationId} ${status}`).toContain(code);
      expect(request_id).toBe(headers.get("X-Request-Id"));
    }
    expect(headers.get("RateLimit-Limit")).toMatch(/^\d+$/);
  }

  const refusal = ({ status, body }: { status: number; body: unknown }) => `${status} ${errorOf(body).code}`;

  it.each(operations)("$method $path: $operationId [service.4.contract]", async (described) => {
    const isAdmin = described["x-permission"] === "admin";
    const success = Object.keys(described.responses).find((status) => status.startsWith("2"));
    expect(refusal(await call(described, undefined, own))).toBe("401 missing_credentials");
    expect(refusal(await call(described, "malformed", own))).toBe("401 invalid_credentials");
    expect(refusal(await call(described, keys.unknown, own))).toBe("401 invalid_credentials");
    expect(refusal(await call(described, keys.revoked, own))).toBe("401 revoked_credentials");
    expect(refusal(await call(described, keys.tierless, own))).toBe("403 feature_unavailable");
    const asReader = await call(described, keys.readonly, own);
    if (isAdmin) expect(refusal(asReader)).toBe("403 permission_denied");
    else expect(String(asReader.status)).toBe(success);
    expect(refusal(await call(described, keys.admin, own, "?unknown=1"))).toBe("400 validation_failed");
    if (described.path.includes("{")) {
      const names = Object.keys(own).filter((name) => name !== "send_at");
      const missing = { ...own, ...Object.fromEntries(names.map((name) => [name, randomUUID()])) };
      const [theirs, none] = [await call(described, keys.admin, foreign), await call(described, keys.admin, missing)];
      expect(refusal(theirs)).toBe("404 not_found");
      expect(errorOf(theirs.body).message).toBe(errorOf(none.body).message);
    }
    expect(String((await call(described, keys.admin, own)).status)).toBe(success);
  });

  const byId = operations.flatMap((described) =>
    described.parameters
      .filter(({ name, in: place }) => place === "query" && /(_id|_key)$/.test(name))
      .map(({ name }) => ({ ...described, name })),
  );

  it.each(byId)(
    "$operationId by another workspace's $name answers nothing [service.1.tenant]",
    async ({ name, ...described }) => {
      const { body } = await call(described, keys.readonly, own, `?${name}=${foreign[name]}`);
      if (described.operationId === "summarizeAging") expect(body).toMatchObject({ totals: [] });
      else expect(body).toMatchObject({ data: [] });
    },
  );

  it("believes an address a proxy tells it only where it was told of the proxy [service.5.6.source-address]", async () => {
    const direct = await openRestApp(core);
    try {
      const wrong = (host: number) =>
        send(`${direct.url}/v1/me`, { key: "wrong", headers: { "X-Forwarded-For": `203.0.113.${host}` } });
      for (let host = 0; host < 20; host += 1) expect((await wrong(host)).status).toBe(401);
      const refused = await wrong(99);
      expect(refusal(refused)).toBe("429 rate_limit_exceeded");
      expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(refused.headers.get("RateLimit-Remaining")).toBe("0");
    } finally {
      await direct.close();
    }
  });
});
