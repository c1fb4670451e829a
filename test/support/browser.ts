import { hash } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";

interface Sent {
  method: string;
  body?: URLSearchParams;
  headers?: Record<string, string>;
}

/** The cookie `done` of a browser whose form leads to a path that says what was done. */
export const doneMark = (path: string) => hash("sha256", path, "base64url");

/** A browser without JavaScript, for tests: keeps cookies, follows redirects on one origin, fills in forms. */
export class Browser {
  readonly #origin: string;
  readonly #via: string;
  readonly #cookies = new Map<string, { value: string; path: string }>();
  /** Sent with every request. */
  readonly headers: Record<string, string> = {};

  /** `via`: where the origin is really served, as behind a proxy. */
  constructor(origin: string, { via = origin }: { via?: string } = {}) {
    this.#origin = origin;
    this.#via = via;
  }

  /** The value of a cookie, by its name. */
  cookie(name: string): string | undefined {
    return [...this.#cookies].find(([key]) => key.split("\0")[0] === name)?.[1].value;
  }

  setCookie(name: string, value: string): void {
    this.#cookies.set(`${name}\0/`, { value, path: "/" });
  }

  /** Opens a page, by its path or address; stops where it leads off the origin. */
  open(address: string): Promise<BrowserPage> {
    return this.#request(new URL(address, this.#origin), { method: "GET" });
  }

  /** Opens a page as the form does that says there what it did. */
  openDone(path: string): Promise<BrowserPage> {
    this.setCookie("done", doneMark(path));
    return this.open(path);
  }

  /** Submits a form of a page by one of its buttons, with what a person typed or chose; null unticks a box. */
  submit(page: BrowserPage, button: string, fields: Record<string, string | null> = {}): Promise<BrowserPage> {
    const form = page.formWith(button);
    const sent = Object.entries({ ...form.fields, ...fields, ...form.buttonField });
    const body = new URLSearchParams(sent.filter((field): field is [string, string] => field[1] !== null));
    return this.post(new URL(form.action, page.url).href, body);
  }

  /** Sends a form that no page offered. */
  post(address: string, body: URLSearchParams, headers: Record<string, string> = {}): Promise<BrowserPage> {
    return this.#request(new URL(address, this.#origin), this.#form(body, headers));
  }

  /** The same, by somebody who does not wait for the answer. */
  async postAndLeave(address: string, body: URLSearchParams): Promise<void> {
    await this.#send(new URL(address, this.#origin), this.#form(body, {}));
  }

  #form(body: URLSearchParams, headers: Record<string, string>): Sent {
    const own = { origin: this.#origin, "sec-fetch-site": "same-origin" };
    return { method: "POST", body, headers: { ...own, ...headers } };
  }

  async #send(url: URL, options: Sent): Promise<Response> {
    const cookie = this.#cookieHeader(url.pathname);
    const headers = { ...this.headers, ...options.headers, ...(cookie === "" ? {} : { cookie }) };
    const served = new URL(url.pathname + url.search, this.#via);
    const response =
      this.#via === this.#origin
        ? await fetch(served, { ...options, headers, redirect: "manual" })
        : await fetchAs(url.host, served, { ...options, headers });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  async #request(url: URL, init: Sent): Promise<BrowserPage> {
    let [next, options] = [url, init];
    for (let hop = 0; hop < 10; hop++) {
      const response = await this.#send(next, options);
      const { status, headers } = response;
      const location = headers.get("location");
      if (location === null) return new BrowserPage(next, status, headers, await response.text(), null);
      await response.body?.cancel();
      const target = new URL(location, next);
      if (target.origin !== this.#origin) return new BrowserPage(next, status, headers, "", target);
      [next, options] = [target, { method: "GET" }];
    }
    throw new Error("redirects do not end");
  }

  #cookieHeader(path: string): string {
    const sent = [...this.#cookies].filter(([, cookie]) => path === cookie.path || path.startsWith(dir(cookie.path)));
    return sent.map(([key, { value }]) => `${key.split("\0")[0]}=${value}`).join("; ");
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split(/; */);
    const [name = "", value = ""] = pair.split(/=(.*)/s, 2);
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? "/";
    const key = `${name}\0${path}`;
    if (/expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(key);
    else this.#cookies.set(key, { value, path });
  }
}

/** A request with a `Host` of its own, as a proxy sends it on: `fetch` sets none but the address's. Follows no redirect. */
async function fetchAs(host: string, url: URL, { method, body, headers = {} }: Sent): Promise<Response> {
  const form = body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" };
  const sent = request(url, { method, headers: { ...form, ...headers, host } });
  sent.end(body?.toString());
  const [answer] = await once(sent, "response");
  const content = Buffer.concat(await answer.toArray());
  const status: number = answer.statusCode;
  const given = new Headers();
  for (let index = 0; index < answer.rawHeaders.length; index += 2)
    given.append(answer.rawHeaders[index], answer.rawHeaders[index + 1]);
  return new Response(content.length === 0 ? null : content, { status, headers: given });
}

/** What a request ended in. */
export class BrowserPage {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Where the browser was sent off the origin; null when it stayed. */
  readonly left: URL | null;

  constructor(url: URL, status: number, headers: Headers, html: string, left: URL | null) {
    this.url = url;
    this.status = status;
    this.headers = headers;
    this.html = html;
    this.left = left;
  }

  /** What a person reads, without the markup. */
  get text(): string {
    return decodeEntities(
      this.html
        .replaceAll("<wbr>", "")
        .replace(/<(style|script|title)[\s\S]*?<\/\1>/g, " ")
        .replace(/<[^>]+>/g, " "),
    )
      .replace(/\s+/g, " ")
      .trim();
  }

  get heading(): string {
    return decodeEntities(/<h1>([\s\S]*?)<\/h1>/.exec(this.html)?.[1] ?? "");
  }

  /** Where the first link of these words leads. */
  linkTo(words: string): string {
    const links = this.html.matchAll(/<a[^>]* href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g);
    const [, href = "no link"] =
      [...links].find(([, , label = ""]) => label.replace(/\s+/g, " ").trim() === words) ?? [];
    return decodeEntities(href);
  }

  /** Every box on the page, by name: whether it is ticked. */
  get boxes(): Record<string, boolean> {
    const inputs = [...this.html.matchAll(/<input([^>]*type="checkbox"[^>]*)>/g)].map(([, input = ""]) => input);
    return Object.fromEntries(inputs.map((input) => [attribute(input, "name") ?? "", / checked\b/.test(input)]));
  }

  /** What ticks the boxes of these scopes on the consent page; of all there are where none is named. */
  ticking(scope: string | null = null): Record<string, string> {
    const names = Object.keys(this.boxes).filter(
      (name) => scope?.split(" ").includes(name.split("@")[0] ?? "") ?? true,
    );
    return Object.fromEntries(names.map((name) => [name, "on"]));
  }

  /** The first form that has a button of that name. */
  formWith(button: string) {
    for (const [, attributes = "", inside = ""] of this.html.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)) {
      const found = [...inside.matchAll(/<button([^>]*)>([\s\S]*?)<\/button>/g)].find(
        ([, , label]) => label === button,
      );
      if (found === undefined) continue;
      const inputs = [...inside.matchAll(/<input([^>]*)>/g)]
        .map(([, input = ""]) => input)
        .filter((input) => !/type="(checkbox|radio)"/.test(input) || / checked\b/.test(input));
      const selects = [...inside.matchAll(/<select([^>]*)>[\s\S]*?<option value="([^"]*)"/g)];
      const name = attribute(found[1] ?? "", "name");
      return {
        action: attribute(attributes, "action") ?? "",
        fields: Object.fromEntries([
          ...inputs.map((input) => [attribute(input, "name") ?? "", attribute(input, "value") ?? ""]),
          ...selects.map(([, select = "", first = ""]) => [attribute(select, "name") ?? "", first]),
        ]),
        buttonField: name === undefined ? {} : { [name]: attribute(found[1] ?? "", "value") ?? "" },
      };
    }
    throw new Error(`no button "${button}" on ${this.url.pathname}: ${this.text.slice(0, 300)}`);
  }
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : decodeEntities(value);
}

function decodeEntities(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

function dir(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}
