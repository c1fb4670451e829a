import { createHook } from "node:async_hooks";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import express from "express";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { readBytes } from "../../src/request-body.ts";
import { openApiText } from "../../src/rest/openapi/document.ts";
import { apiDescription } from "../../src/rest/openapi/serve.ts";
import { ROUTES } from "../../src/rest/routes.ts";
import { docsPages } from "../../src/web/docs/docs-pages.ts";
import { listen, sendRaw } from "../support/http.ts";

const MEBIBYTE = 1024 * 1024;

setFlagsFromString("--expose-gc");
const collect = z.function().parse(runInNewContext("gc"));

/** What the process holds that nothing can free. */
function held(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe("what a stranger sends", () => {
  it("takes no more memory in pieces of one byte than at once [facts.inputs.pieces]", async () => {
    const body = new IncomingMessage(new Socket());
    const before = held();
    const failed = () => new Error("not read");
    const read = readBytes(body, MEBIBYTE, { tooLarge: failed, cutOff: failed });
    for (let sent = 1; sent < MEBIBYTE; sent += 1) if (!body.push(Buffer.from("a"))) await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(held() - before).toBeLessThan(16 * MEBIBYTE);
    body.push(Buffer.from("b"));
    body.push(null);
    expect((await read).toString()).toBe(`${"a".repeat(MEBIBYTE - 1)}b`);
  });

  it("takes little memory in thousands of pieces that nobody reads yet, and closes the connection [facts.inputs.pieces]", async () => {
    const sent = async (pieces: number): Promise<string> => {
      const { url, close } = await listen((request, response) => {
        setTimeout(() => {
          const failed = () => new Error("not read");
          readBytes(request, MEBIBYTE, { tooLarge: failed, cutOff: failed }).then(
            (body) => response.end(`${body.byteLength}`),
            () => undefined,
          );
        }, 200);
      });
      const head = `POST / HTTP/1.1\r\nHost: ${new URL(url).host}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const before = held();
      const answer = sendRaw(url, `${head}${"1\r\na\r\n".repeat(pieces)}0\r\n\r\n`).catch(() => "");
      await new Promise((resolve) => setTimeout(resolve, 150));
      expect(held() - before).toBeLessThan(10 * MEBIBYTE);
      const text = await answer;
      await close();
      return text;
    };
    expect(await sent(4_000)).toMatch(/\r\n\r\n4000$/);
    expect(await sent(60_000)).toBe("");
  });

  it("that is too large is refused once [facts.inputs.pieces]", async () => {
    const body = new IncomingMessage(new Socket());
    let refusals = 0;
    const tooLarge = () => {
      refusals += 1;
      return new Error("too large");
    };
    const read = readBytes(body, 10, { tooLarge, cutOff: tooLarge });
    for (let sent = 0; sent < 1_000; sent += 1) body.push(Buffer.from("a"));
    await expect(read).rejects.toThrow("too large");
    expect(refusals).toBe(1);
  });

  it("is eight requests at once of a connection, and no more [facts.inputs.pipelined]", async () => {
    let begun = 0;
    const { url, close } = await listen((_request, response) => {
      begun += 1;
      setTimeout(() => response.end("ok"), 50);
    });
    const ask = `GET / HTTP/1.1\r\nHost: ${new URL(url).host}\r\n`;
    const asks = (count: number) => `${`${ask}\r\n`.repeat(count - 1)}${ask}Connection: close\r\n\r\n`;
    expect((await sendRaw(url, asks(8))).match(/HTTP\/1\.1 200/g)).toHaveLength(8);
    begun = 0;
    await sendRaw(url, asks(1_000)).catch(() => "");
    expect(begun).toBe(8);
    await close();
  });

  describe("of the reference", () => {
    let service: Awaited<ReturnType<typeof listen>>;
    beforeAll(async () => {
      const publicOrigin = "https://receivables.example.test";
      const openApi = openApiText(ROUTES, publicOrigin);
      service = await listen(express().use(apiDescription(openApi), docsPages({ openApi, publicOrigin })));
    });
    afterAll(() => service.close());

    it.each(["/openapi.json", "/docs", "/docs/guides/errors"])(
      "%s is read and compressed once for everybody [facts.inputs.constant]",
      async (path) => {
        const ask = async (encoding: string) => {
          const answer = await fetch(service.url + path, { headers: { "accept-encoding": encoding } });
          return (await answer.bytes()).byteLength;
        };
        const first = [await ask("br"), await ask("gzip"), await ask("identity")];
        const work: string[] = [];
        const hook = createHook({ init: (_id, type) => void work.push(type) }).enable();
        for (let n = 0; n < 3; n += 1)
          expect([await ask("br"), await ask("gzip"), await ask("identity")]).toEqual(first);
        hook.disable();
        expect(work.filter((type) => /^FS/.test(type))).toEqual([]);
        // What the client unpacks is its own.
        expect(work.filter((type) => type === "ZLIB").length).toBeLessThanOrEqual(6);
      },
    );
  });
});
