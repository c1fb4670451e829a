import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, statSync } from "node:fs";
import { request } from "node:http";
import type { Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort, type ServerProcess, spawnServer, startServer } from "../support/server.ts";
import { copyEmbedded } from "../support/stores.ts";

it.each(["start", "admin"])("tells an old Node in one line, at npm run %s [contract.operation.old-node]", (script) => {
  const { scripts, engines } = JSON.parse(readFileSync("package.json", "utf8"));
  const [, check = ""] = /--require=(\S+)/.exec(scripts[script]) ?? [];
  const on = (version: string) =>
    spawnSync(
      process.execPath,
      ["-e", `Object.defineProperty(process, "versions", { value: { node: "${version}" } }); require("${check}")`],
      { encoding: "utf8" },
    );
  const least = engines.node.replace(">=", "");
  for (const old of ["16.20.2", "22.18.0", "24.6.9"])
    expect(on(old)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        new RegExp(`^Node ${old} is too old: the service needs ${least} or newer[^\\n]*\\n$`),
      ),
    });
  for (const good of [`${least}.0`, "24.10.0", "25.0.0"]) expect(on(good)).toMatchObject({ status: 0, stderr: "" });
});

describe("the service as a process", () => {
  const dataDir = copyEmbedded();
  let server: ServerProcess;

  beforeAll(async () => {
    server = await startServer(dataDir, { DEMO: "off" });
  });
  afterAll(async () => {
    await server.kill();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it("says where to connect, and answers its health checks [contract.start]", async () => {
    expect(server.stdout()).toContain(`${server.url}/mcp`);
    expect(server.stdout()).toContain(`${server.url}/v1`);
    expect(server.stdout()).toContain(`${server.url}/signin`);
    for (const path of ["/healthz", "/readyz"]) {
      const response = await fetch(server.url + path);
      expect([response.status, await response.json()]).toEqual([200, { status: "ok" }]);
    }
  });

  it("keeps its data folder to itself", () => {
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, "encryption.key")).mode & 0o777).toBe(0o600);
  });

  it("lets no second process on its folder, and goes on unharmed [contract.one-process]", async () => {
    const second = spawnServer({ PORT: String(await freePort()), DATA_DIR: dataDir, DEMO: "off" });
    expect(await second.exited).toBe(1);
    expect(second.stderr()).toMatch(/^DATA_DIR: \S+ is in use by another process; .*\n$/);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  it("answers whatever it is asked with JSON or a page of its own, never a stack", async () => {
    for (const [path, init] of [
      ["/nowhere", {}],
      ["/%E0%A4%A", {}],
      ["/mcp/elsewhere", { method: "POST" }],
      ["/v1/%", {}],
    ] as const) {
      const response = await fetch(server.url + path, init);
      const body = await response.text();
      expect(response.status, path).toBeGreaterThanOrEqual(400);
      expect(response.status, path).toBeLessThan(500);
      expect(response.headers.get("content-type"), path).toContain("application/json");
      expect(body, path).not.toMatch(/node_modules|at .*\.ts/);
      expect(response.headers.get("x-request-id"), path).toBeTruthy();
    }
  });

  it("ends on SIGTERM with 0, after what was under way [contract.start]", async () => {
    const registration = JSON.stringify({ redirect_uris: ["http://127.0.0.1/callback"] });
    const underWay = request(`${server.url}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json", "content-length": registration.length },
    });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      underWay.once("response", (response) => resolve(response.resume().statusCode)).once("error", reject);
    });
    underWay.write(registration.slice(0, 10));
    const [socket]: Socket[] = await once(underWay, "socket");
    if (socket?.connecting) await once(socket, "connect");
    await fetch(`${server.url}/healthz`);
    const stopped = server.stop();
    await until(() => server.stderr().includes('"msg":"service.stopping"'));
    underWay.end(registration.slice(10));
    expect(await answered).toBe(201);
    expect(await stopped).toBe(0);
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
