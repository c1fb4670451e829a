import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { z } from "zod";
import { Browser } from "./browser.ts";

/** Somebody else's OpenID provider, running (test/support/issuer-process.ts). */
export class Issuer {
  readonly url: string;
  readonly #end: () => Promise<void>;

  constructor(url: string, end: () => Promise<void>) {
    this.url = url;
    this.#end = end;
  }

  /** Who sits at the browser from now on, and what the issuer says of them. */
  async person(person: { sub: string; [claim: string]: unknown }): Promise<void> {
    await this.#order("person", person);
  }

  /** Nobody signs in. */
  async nobody(): Promise<void> {
    await this.#order("nobody", {});
  }

  /** A client it knows. */
  async client(metadata: { client_id: string; [name: string]: unknown }): Promise<void> {
    await this.#order("client", metadata);
  }

  /** Signs whatever it is given with the issuer's own key. */
  async sign(payload: object, header: object = {}): Promise<string> {
    return Token.parse(await this.#order("sign", { header: { typ: "at+jwt", ...header }, payload })).token;
  }

  /** An opaque access token. */
  async opaque(token: { sub: string; client_id: string; aud: string; scope: string; jkt?: string }): Promise<string> {
    return Token.parse(await this.#order("opaque", token)).token;
  }

  /** Ends an opaque token. */
  async end(token: string): Promise<void> {
    await this.#order("end", { token });
  }

  /** Has a path fail, or work again. */
  async mode(path: string, answer: "ok" | "500"): Promise<void> {
    await this.#order("mode", { path, answer });
  }

  /** How often a path was asked for. */
  async count(path: string): Promise<number> {
    return z.record(z.string(), z.number()).parse(await this.#order("counts", {}))[path] ?? 0;
  }

  stop(): Promise<void> {
    return this.#end();
  }

  async #order(name: string, body: object): Promise<unknown> {
    const response = await fetch(`${this.url}/control/${name}`, { method: "POST", body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`the issuer refused ${name}: ${await response.text()}`);
    return response.json();
  }
}

const Token = z.strictObject({ token: z.string() });

/** Starts one; `claimsInIdToken` puts the email there rather than at the userinfo endpoint. */
export async function startIssuer(options: { claimsInIdToken?: boolean } = {}): Promise<Issuer> {
  const script = `${import.meta.dirname}/issuer-process.ts`;
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith("{")) continue;
    const { issuer } = z.strictObject({ issuer: z.string() }).parse(JSON.parse(line));
    return new Issuer(issuer, async () => {
      child.kill();
      await exited;
      child.stdout.destroy();
    });
  }
  throw new Error("the issuer did not start");
}

/** Where a browser is sent in the end: an address that begins with `until`, off the issuer. */
export async function follow(address: string, until: string): Promise<URL> {
  const { left, status, text } = await new Browser(new URL(address).origin).open(address);
  if (left?.href.startsWith(until) !== true)
    throw new Error(`stopped at ${left?.href ?? status}: ${text.slice(0, 300)}`);
  return left;
}
