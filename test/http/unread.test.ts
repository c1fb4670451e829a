import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { httpServer } from "../../src/http/server.ts";
import { type Listening, onLoopback } from "../support/http.ts";

/** More than the system takes for a reader that does not read. */
const LARGE = 24 * 1024 * 1024;

describe("an answer that is not read", () => {
  /** Cuts off soon, or later: on a busy machine a reader that goes on may take nothing for a moment. */
  const [SOON_MS, LATER_MS] = [500, 2_000];
  const servers = new Map<number, Listening>();
  beforeAll(async () => {
    const app = async (request: IncomingMessage, response: ServerResponse) => {
      if (request.url === "/whole") return void response.end(Buffer.alloc(LARGE, "x"));
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write("first\n");
      await sleep(4 * SOON_MS);
      response.end("last\n");
    };
    for (const limit of [SOON_MS, LATER_MS])
      servers.set(limit, await onLoopback(httpServer(app, randomUUID, "http://localhost", limit)));
  });
  afterAll(() => Promise.all([...servers.values()].map((server) => server.close())));

  /** Asks for a path, on a connection that nothing is read of yet. */
  async function asked(limit: number, path: string): Promise<Socket> {
    const { port = 0 } = servers.get(limit) ?? {};
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.pause().on("error", () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`);
    return socket;
  }

  /** Its answer, as far as it comes; after each piece the reader rests. */
  async function taken(socket: Socket, restMs = 0): Promise<string> {
    const pieces: Buffer[] = [];
    try {
      for await (const piece of socket) {
        pieces.push(piece);
        if (restMs > 0) await sleep(restMs);
      }
    } catch (error) {
      expect(error).toHaveProperty("code", expect.stringMatching(/^(ECONNRESET|EPIPE)$/));
    }
    return Buffer.concat(pieces).toString();
  }

  it("is cut off", async () => {
    const socket = await asked(SOON_MS, "/whole");
    await sleep(4 * SOON_MS);
    const { length } = await taken(socket);
    expect(length).toBeLessThan(LARGE);
  });

  it("is cut off where empty lines come in meanwhile", async () => {
    const socket = await asked(SOON_MS, "/whole");
    for (let count = 0; count < 20; count += 1) {
      await sleep(SOON_MS / 5);
      if (!socket.destroyed) socket.write("\r\n");
    }
    expect((await taken(socket)).length).toBeLessThan(LARGE);
  });

  it("goes on where a slow reader takes some of it", async () => {
    const began = performance.now();
    const { length } = await taken(await asked(LATER_MS, "/whole"), 10);
    expect(length).toBeGreaterThan(LARGE);
    expect(performance.now() - began).toBeGreaterThan(LATER_MS);
  });

  it("goes on where all that there is has been read", async () => {
    expect(await taken(await asked(SOON_MS, "/stream"))).toContain("last\n");
  });
});
