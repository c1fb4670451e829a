import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROUTES } from "../../src/rest/routes.ts";
import { GUIDES } from "../../src/web/docs/guides.ts";
import { send } from "../support/rest-app.ts";
import { type RunningService, startService } from "../support/service.ts";
import { A_KIND } from "../support/stores.ts";

const PAGES = ["/docs", ...GUIDES.map((name) => `/docs/guides/${name}`)];
let service: RunningService;
beforeAll(async () => {
  service = await startService(A_KIND);
});
afterAll(() => service.close());

const linksOf = (text: string): string[] => [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = ""]) => link);
const idsOf = (text: string): Set<string> => new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id));

describe("the documentation", () => {
  it("serves the description to anybody, readable from other origins [service.9.description]", async () => {
    const { status, headers, body } = await send(`${service.url}/openapi.json`);
    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toMatch(/^application\/json/);
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(body).toMatchObject({ openapi: "3.1.0" });
  });

  it("lets nothing run that is not our own file", async () => {
    for (const path of PAGES) {
      const { headers, text } = await send(service.url + path);
      const policy = headers.get("Content-Security-Policy") ?? "";
      expect(policy).toMatch(/default-src 'none'; script-src 'self'; style-src 'self';/);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(text).not.toMatch(/<style| style=|<script>| on\w+="/);
    }
    expect((await send(`${service.url}/docs/guides/nothing`)).status).toBe(404);
    expect((await send(`${service.url}/docs/guides`)).text).toContain("<h1>Quickstart</h1>");
    expect((await send(`${service.url}/docs/`)).text).toContain("<h1>Invoicing and Collections API</h1>");
  });

  it("has no link that leads to nothing, nor an id twice [completions.13.guides]", async () => {
    const answers = new Map<string, ReturnType<typeof send>>();
    const answerOf = (path: string): ReturnType<typeof send> => {
      const answer = answers.get(path) ?? send(service.url + path);
      answers.set(path, answer);
      return answer;
    };
    const found: unknown = (await answerOf("/docs/search.json")).body;
    const indexed = Array.isArray(found) ? found.map(({ href }: { href: string }) => href) : [];
    expect(indexed.length).toBeGreaterThan(ROUTES.length);
    const lost: string[] = [];
    for (const path of PAGES) {
      const { text } = await answerOf(path);
      expect([...text.matchAll(/ id="/g)], path).toHaveLength(idsOf(text).size);
      for (const link of new Set([...linksOf(text), ...(path === "/docs" ? indexed : [])])) {
        if (link.startsWith("https:")) continue;
        const [target = "", id] = link.split("#");
        const answer = await answerOf(target || path);
        if (answer.status !== 200) lost.push(`${path}: ${link} answers ${answer.status}`);
        if (id !== undefined && !answer.text.includes(` id="${id}"`)) lost.push(`${path}: ${link} has no such place`);
      }
    }
    expect(lost).toEqual([]);
  });

  it("finds values, headers and what guides are about, and has an address for each field of an answer [service.9.reference]", async () => {
    const { text: index } = await send(`${service.url}/docs/search.json`);
    const found: { href: string; title: string; text: string; places?: string[] }[] = JSON.parse(index);
    const hrefsOf = (word: string): string[] =>
      found.filter(({ title, text }) => `${title} ${text}`.toLowerCase().includes(word)).map(({ href }) => href);
    expect(hrefsOf("not_finalised")).toContain("/docs#listAgingInstallments");
    expect(hrefsOf("amount_exceeds_available")).toContain("/docs#createPaymentLink");
    expect(hrefsOf("7d6faa08")).toEqual([]);
    expect(hrefsOf("etag")).toContain("/docs");
    expect(hrefsOf("rotate")).toContain("/docs/guides/keys#rotation");
    const [first] = hrefsOf("collection_updated_since");
    expect(first).toBe("/docs/guides/polling#polling-one-rule");
    expect(found.find(({ href }) => href === "/docs#listInvoices")?.places).toContain(".200.pagination.as_of");
    const ids = idsOf((await send(`${service.url}/docs`)).text);
    for (const id of ["listPayments.200.data.amount", "createPaymentLinks.body.links.amount_minor"])
      expect(ids).toContain(id);
  });

  it("says of each operation which key it takes and what it does, and shows how it is called [service.9.reference]", async () => {
    const { text } = await send(`${service.url}/docs`);
    for (const { method, path, operation } of ROUTES) {
      const [, section = ""] = text.split(`id="${operation.id}"`);
      const [head = ""] = section.split("</dl>");
      expect(head).toContain(`${method}</strong> <code>${path}</code>`);
      expect(head).toContain(operation.permission === "admin" ? "<dd>An admin key</dd>" : "<dd>Any key</dd>");
      expect(head.replaceAll(/<[^>]+>/g, "")).toContain(operation.sideEffects.slice(0, 4));
      const [own = ""] = section.split("</section>");
      for (const part of ["<summary>curl</summary>", "<summary>TypeScript</summary>", "<summary>Errors: 400"])
        expect(own).toContain(part);
    }
  });
});
