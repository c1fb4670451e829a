import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AdminSocket, askServer, serveAdmin } from "../../src/admin/socket.ts";

describe("the operators' socket", () => {
  let dataDir: string;
  let server: AdminSocket | undefined;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), "receivables-socket-"));
  });
  afterEach(async () => {
    await server?.close();
    server = undefined;
    rmSync(dataDir, { recursive: true, force: true });
  });
  const echo = async (request: unknown): Promise<unknown> => ({ heard: request });

  it("answers one request a connection, to the folder's owner alone [contract.admin.socket]", async () => {
    server = await serveAdmin({ dataDir, answer: echo });
    expect(statSync(server.path).mode & 0o777).toBe(0o600);
    const many = Array.from({ length: 20 }, (_, number) => askServer(dataDir, { number, text: "žluť".repeat(20_000) }));
    for (const [number, reply] of (await Promise.all(many)).entries())
      expect(reply).toMatchObject({ heard: { number } });
  });

  it("finds a server whose folder's path is too long for a socket", async () => {
    dataDir = join(dataDir, "d".repeat(120));
    mkdirSync(dataDir, { mode: 0o700 });
    server = await serveAdmin({ dataDir, answer: echo });
    expect(statSync(server.path).mode & 0o777).toBe(0o600);
    expect(await askServer(dataDir, 1)).toEqual({ heard: 1 });
    await server.close();
    server = undefined;
    expect(readdirSync(dataDir)).toEqual([]);
    expect(await askServer(dataDir, 1)).toBeNull();
  });

  it("answers null where no server listens, and takes over what a killed one left behind", async () => {
    expect(await askServer(dataDir, 1)).toBeNull();
    writeFileSync(join(dataDir, "admin.sock"), "");
    expect(await askServer(dataDir, 1)).toBeNull();
    server = await serveAdmin({ dataDir, answer: echo });
    expect(await askServer(dataDir, 1)).toEqual({ heard: 1 });
  });

  it("tells waiting requests that it stops, and answers them before it does", async () => {
    const asked = Promise.withResolvers<void>();
    server = await serveAdmin({
      dataDir,
      answer: (_request, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve("stopping"));
          asked.resolve();
        }),
    });
    const reply = askServer(dataDir, 1);
    await asked.promise;
    await server.close();
    expect(await reply).toBe("stopping");
  });

  it("drops what is not JSON or too large, and goes on", async () => {
    server = await serveAdmin({ dataDir, answer: echo });
    const socket = connect(server.path);
    socket.end("{");
    expect(await text(socket).catch(() => "")).toBe("");
    await expect(askServer(dataDir, "x".repeat(2 ** 20))).rejects.toThrow();
    expect(await askServer(dataDir, 1)).toEqual({ heard: 1 });
  });
});
