import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BARE_ENVIRONMENT, freePort } from "../support/server.ts";
import { startScript } from "../support/start-script.ts";
import { copyEmbedded } from "../support/stores.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const dockerfile = read("Dockerfile").replaceAll(/\\\n\s*/g, "");
const stage = dockerfile.slice(dockerfile.lastIndexOf("\nFROM "));
const instructions = (name: string): string[] =>
  stage.split("\n").flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));
/** What the last stage takes from the repository. */
const copied = instructions("COPY")
  .filter((line) => !line.startsWith("--from"))
  .flatMap((line) => line.split(" ").slice(0, -1));

function exec(instruction: string | undefined): string[] {
  return JSON.parse(instruction?.replace(/^.*?CMD /, "") ?? "[]");
}

describe("the image", () => {
  const folder = mkdtempSync(join(tmpdir(), "receivables-image-"));
  const app = join(folder, "app");
  const dataDir = copyEmbedded();
  const entries = (): string[] => [
    ...readdirSync(app),
    ...["src", "auth", "tools", "well-known"].flatMap((name) =>
      readdirSync(join(app, name), { recursive: true, encoding: "utf8" }),
    ),
  ];
  beforeAll(() => {
    for (const path of copied) cpSync(join(ROOT, path), join(app, path), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(app, "node_modules"));
  });
  afterAll(() => {
    for (const path of [folder, dataDir]) rmSync(path, { recursive: true, force: true });
  });

  it("runs as a user without rights, on the Node that the project is pinned to, named by digest [contract.operation.image]", () => {
    expect(instructions("USER")).toEqual(["node"]);
    const pinned = /"node": "(\d+)\./.exec(read("package.json"))?.[1];
    const bases = dockerfile.matchAll(/^ARG NODE_IMAGE=node:(\d+)-bookworm-slim@sha256:[0-9a-f]{64}$/gm);
    expect([...bases].map(([, major]) => major)).toEqual([pinned]);
    expect([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)).toEqual(Array(2).fill(`\${NODE_IMAGE}`));
    expect(dockerfile).toContain("RUN npm ci --omit=dev");
  });

  it("has the packages that it imports, without those for development [contract.operation.image]", () => {
    const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(read("package.json"));
    const sources = copied
      .filter((path) => !path.endsWith(".json"))
      .flatMap((path) =>
        readdirSync(join(ROOT, path), { recursive: true, encoding: "utf8" })
          .filter((name) => name.endsWith(".ts"))
          .map((name) => read(join(path, name))),
      );
    const imported = sources.flatMap((text) =>
      [...text.matchAll(/^(?:import|export) (?!type )[^;]*?from "([^".][^"]*)"|import\("([^".][^"]*)"\)/gm)].map(
        (m) => m[1] ?? m[2] ?? "",
      ),
    );
    const packages = imported
      .filter((name) => !name.startsWith("node:"))
      .map((name) => /^(@[^/]+\/[^/]+|[^/]+)/.exec(name)?.[0] ?? "");
    expect([...new Set(packages)].filter((name) => !(name in dependencies))).toEqual([]);
  });

  it("gives Node the flags of `npm start`, and glibc its settings [contract.operation.image]", () => {
    const { environment, flags } = startScript();
    expect(exec(instructions("CMD").at(-1))).toEqual(["node", ...flags, "src/main.ts"]);
    const settings = Object.entries(environment).filter(([name]) => name.startsWith("MALLOC_"));
    const given = instructions("ENV").join(" ").split(" ");
    expect(given).toEqual(expect.arrayContaining(settings.map(([name, value]) => `${name}=${value}`)));
    expect(settings).toHaveLength(2);
  });

  it("starts from what is copied alone, is found healthy, and writes below /data alone [contract.operation.image]", async () => {
    const port = String(await freePort());
    const [program = "", ...args] = exec(instructions("CMD").at(-1));
    expect(program).toBe("node");
    const environment = { ...BARE_ENVIRONMENT, PORT: port, DATA_DIR: dataDir, DEMO: "off" };
    const before = entries();
    const child = spawn(process.execPath, args, { cwd: app, env: environment, stdio: ["ignore", "pipe", "ignore"] });
    const exited = new Promise((resolveExit) => child.once("exit", resolveExit));
    const check = () => {
      const [, ...line] = exec(instructions("HEALTHCHECK")[0]);
      return spawnSync(process.execPath, line, { env: environment, timeout: 60_000 }).status;
    };
    try {
      expect(check()).not.toBe(0);
      await new Promise<void>((ready, failed) => {
        child.stdout.on("data", (text) => String(text).includes("is ready") && ready());
        void exited.then((code) => failed(new Error(`it ended with ${String(code)}`)));
      });
      expect(check()).toBe(0);
      expect(entries()).toEqual(before);
    } finally {
      child.kill("SIGTERM");
      await exited;
    }
  });

  it("takes nothing else out of the repository [contract.operation.image]", () => {
    const allowed = read(".dockerignore").trim().split("\n");
    expect(allowed[0]).toBe("*");
    const needed = [...copied, ..."package.json package-lock.json .npmrc".split(" ")];
    expect(
      allowed
        .slice(1)
        .map((line) => line.replace("!", ""))
        .sort(),
    ).toEqual([...new Set(needed)].sort());
  });
});

describe("the compose file", () => {
  const compose = read("compose.yaml");
  const service = compose.slice(compose.indexOf("  receivables:"), compose.indexOf("\n  postgres:"));

  it("passes every setting on but those of the image, and gives no more rights than needed [contract.operation.image]", () => {
    const given = [...service.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name = ""]) => name);
    const settings = [...read("src/settings.ts").matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name = ""]) => name);
    const ofImage = ["PORT", "HOST", "DATA_DIR"];
    expect(given.toSorted()).toEqual(settings.filter((name) => !ofImage.includes(name)).toSorted());
    for (const promise of [
      "read_only: true",
      "cap_drop:\n      - ALL",
      "no-new-privileges:true",
      '"127.0.0.1:3000:3000"',
    ])
      expect(service).toContain(promise);
    expect(service).toMatch(/args:\n +- NODE_IMAGE\n/);
    expect(service).toMatch(/postgres:\n +condition: service_healthy/);
  });

  it("holds no secret: each is asked for [contract.operation.image]", () => {
    for (const name of ["PUBLIC_URL", "POSTGRES_PASSWORD", "ENCRYPTION_KEY"]) expect(compose).toContain(`\${${name}:?`);
    expect(compose).not.toMatch(/PASSWORD: (?!\$\{)/);
  });
});
