import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { confined, type ImageConfig, Images, imageMissing } from "../support/image.ts";
import { freePort } from "../support/server.ts";
import { copyEmbedded } from "../support/stores.ts";
import { IS_THOROUGH } from "../support/thorough.ts";

const BASE = "localhost/node";
const IMAGE = "localhost/receivables";
const SLOW_MS = 300_000;

describe.skipIf(!IS_THOROUGH || imageMissing() !== null)("the image, built by buildah from its Dockerfile", () => {
  const images = new Images(mkdtempSync(join(tmpdir(), "receivables-images-")));
  let digest = "";
  let root = "";
  let config: ImageConfig;
  beforeAll(() => {
    digest = images.base(`${BASE}:24`);
    images.build(IMAGE, `${BASE}@${digest}`);
    root = images.mount(IMAGE);
    config = images.config(IMAGE);
  }, SLOW_MS);
  afterAll(() => images.remove(), SLOW_MS);

  it("is not built on a base of another digest than the one named [contract.operation.image-built]", () => {
    const other = digest.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    expect(other).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(() => images.build("localhost/other", `${BASE}@${other}`)).toThrow();
  });

  it("holds the service and the packages that it imports, and nothing for development [contract.operation.image-built]", () => {
    const folders = ["auth", "docs", "node_modules", "skills", "src", "tools", "well-known"];
    expect(readdirSync(join(root, "app")).sort()).toEqual([...folders, "package.json", "server.json"].sort());
    const packages = readdirSync(join(root, "app/node_modules"));
    expect(packages).toEqual(expect.arrayContaining(["express", "kysely", "pg"]));
    for (const name of ["typescript", "vitest", "playwright-core", "node"]) expect(packages).not.toContain(name);
  });

  it("holds the same bytes when it is built again [contract.operation.same-bytes]", { timeout: SLOW_MS }, () => {
    images.build("localhost/again", `${BASE}@${digest}`);
    expect(images.layers("localhost/again")).toEqual(images.layers(IMAGE));
    // The name of the container that it was built in.
    const { Hostname: _, ...again } = images.config("localhost/again");
    expect(config).toMatchObject(again);
  });

  it("runs without root, without capabilities, on a file system that it cannot write to, and is found healthy [contract.operation.image-built]", {
    timeout: SLOW_MS,
  }, async () => {
    const volume = copyEmbedded();
    execFileSync("chown", ["--recursive", "1000:1000", volume]);
    const PORT = String(await freePort());
    const environment = { PORT, HOST: "127.0.0.1", DEMO: "off" };
    const child = confined(root, config, { volume, command: config.Cmd, environment });
    let told = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (told += String(chunk)));
    const exited = once(child, "exit");
    try {
      await expect.poll(() => told, { timeout: SLOW_MS, interval: 200 }).toContain("is ready");
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      expect(status).toMatch(/^Uid:\s+1000\s+1000\s+1000\s+1000$/m);
      for (const set of ["Inh", "Prm", "Eff", "Bnd", "Amb"])
        expect(status).toMatch(new RegExp(`^Cap${set}:\\s+0+$`, "m"));
      expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
      for (const place of ["", "app", "etc", "usr/local/bin"])
        expect(() => writeFileSync(join(`/proc/${child.pid}/root`, place, "x"), "")).toThrow("EROFS");
      const ready = await fetch(`http://localhost:${PORT}/readyz`);
      expect({ status: ready.status, told }).toMatchObject({ status: 200 });
      const [, ...check] = config.Healthcheck.Test;
      const [code] = await once(confined(root, config, { volume, command: check, environment }), "exit");
      expect(code).toBe(0);
    } finally {
      child.kill("SIGTERM");
      const end = await exited;
      rmSync(volume, { recursive: true });
      expect(end).toEqual([0, null]);
    }
  });
});
