import { execFileSync } from "node:child_process";
import { createPrivateKey, sign, verify } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { registryManifest } from "../../src/listing/manifest.ts";
import { publishedFaults } from "../../src/listing/published.ts";
import { newRegistryKey, parseRegistryProof, REGISTRY_KEY_TYPES } from "../../src/registry-proof.ts";
import { testCore } from "../support/core.ts";
import { hasProgram } from "../support/programs.ts";
import { freePort } from "../support/server.ts";
import { type RunningService, startService } from "../support/service.ts";
import { A_KIND } from "../support/stores.ts";
import { openAStore } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";
import { terminalOn } from "./support.ts";

const { proof } = newRegistryKey("ed25519");

const opened = useStore(openAStore);
let folder: string;
let run: ReturnType<typeof terminalOn>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "receivables-registry-"));
  run = terminalOn(testCore(opened.store));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

/** What a shell makes of the `$(…)` that reads the key for mcp-publisher. */
const hexOf = (step: string, file: string): string => {
  const [, pipeline = ""] = /--private-key "\$\((.*)\)"/s.exec(step.replace("KEY.pem", file)) ?? [];
  return execFileSync("sh", ["-c", pipeline], { encoding: "utf8" });
};

describe("npm run admin -- registry", () => {
  it.skipIf(!hasProgram("openssl")).each(REGISTRY_KEY_TYPES)(
    "key makes a key of type %s whose private half is in the file only [listing.commands]",
    async (type) => {
      const file = join(folder, `${type}.pem`);
      const { code, out, err } = await run(`registry key --to ${file} --type ${type}`);
      expect(code, err).toBe(0);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const pem = readFileSync(file, "utf8");
      const [, record = ""] = /^MCP_REGISTRY_AUTH='(.*)'$/m.exec(out) ?? [];
      expect(parseRegistryProof(record)).toBe(record);
      expect(out).not.toContain(pem.split("\n")[1]);

      // The publisher's tool gets the private key in hexadecimal digits, and the registry the public half.
      const listing = readConfig({ MCP_REGISTRY_AUTH: record }).listing;
      const described = await terminalOn(testCore(opened.store), { listing })("registry describe --json");
      const { steps }: { steps: string[] } = JSON.parse(described.out);
      const hex = hexOf(steps.find((step) => step.includes("login")) ?? "", file);
      const key = createPrivateKey(pem);
      const { d = "", x = "" } = key.export({ format: "jwk" });
      expect(hex).toBe(Buffer.from(d, "base64url").toString("hex"));
      const published = Buffer.from(record.split("p=")[1] ?? "", "base64");
      expect(published.subarray(type === "ed25519" ? 0 : 1)).toEqual(Buffer.from(x, "base64url"));
    },
  );

  it("key leaves a file that exists unchanged, and says when it cannot write [listing.commands]", async () => {
    const file = join(folder, "kept.pem");
    writeFileSync(file, "precious");
    for (const [to, reason] of [
      [file, "exists already"],
      [join(folder, "nowhere", "key.pem"), "ENOENT"],
    ]) {
      const { code, err } = await run(`registry key --to ${to}`);
      expect([code, err]).toEqual([1, expect.stringContaining(reason ?? "")]);
    }
    expect(readFileSync(file, "utf8")).toBe("precious");
  });

  it("describe prints the manifest and the commands that publish it [listing.commands]", async () => {
    const { out } = await run("registry describe");
    const [json = "", steps = ""] = out.split("\n\n");
    expect(JSON.parse(json)).toEqual(registryManifest(readConfig({})));
    expect(steps.split("\n").map((step) => step.split(" ").slice(0, 2).join(" "))).toEqual([
      "npm run",
      "curl -fsS",
      "mcp-publisher login",
      "mcp-publisher validate",
      "mcp-publisher publish",
      "",
    ]);
    expect(steps).toContain("registry key");
    const named = readConfig({ SERVER_NAME: "io.github.acme/ar" }).listing;
    expect((await terminalOn(testCore(opened.store), { listing: named })("registry describe")).out).toContain(
      "login github",
    );
  });

  it("check names what the registry would refuse, and fails [listing.commands]", async () => {
    const { code, out, err } = await run("registry check");
    expect([code, err]).toEqual([1, "error: the registry would refuse it\n"]);
    expect(out).toMatch(/^server\.json remotes\.0\.url is not an https address/m);
    expect(out).toMatch(/^MCP_REGISTRY_AUTH is not set/m);
  });
});

describe("what the public address answers", () => {
  let service: RunningService;
  const settings = { MCP_REGISTRY_AUTH: proof, SERVER_NAME: "localhost/ar" };
  beforeAll(async () => {
    service = await startService(A_KIND, { environment: settings });
  });
  afterAll(() => service.close());

  const faultsAt = async (publicUrl: string, environment: Record<string, string> = settings) => {
    const config = { ...readConfig(environment), publicUrl };
    return (await publishedFaults(config, registryManifest(config))).map(({ where, message }) => `${where} ${message}`);
  };

  it("is in order where the service serves what is configured [listing.commands]", async () => {
    expect(await faultsAt(service.url)).toEqual([]);
  });

  it("is compared with the settings: another key, another name [listing.commands]", async () => {
    const other = { ...settings, MCP_REGISTRY_AUTH: newRegistryKey("ed25519").proof };
    expect(await faultsAt(service.url, other)).toEqual([
      `${service.url}/.well-known/mcp-registry-auth answers another proof than MCP_REGISTRY_AUTH`,
    ]);
    expect(await faultsAt(service.url, { ...settings, SERVER_NAME: "localhost/other" })).toEqual([
      `${service.url}/mcp/server.json answers another manifest than this one`,
    ]);
  });

  it("is asked as the registry asks: redirects, errors, floods and silence are faults [listing.commands]", async () => {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    expect(await faultsAt(url)).toEqual([
      `${url}/.well-known/mcp-registry-auth cannot be reached from here`,
      `${url}/mcp/server.json cannot be reached from here`,
    ]);
    const server = createServer((request, response) => {
      if (request.url === "/mcp/server.json") return void response.writeHead(302, { location: "/elsewhere" }).end();
      response.end("x".repeat(1_000_000));
    });
    await new Promise<void>((resolve) => server.listen(port, resolve));
    expect(await faultsAt(url)).toEqual([
      `${url}/.well-known/mcp-registry-auth answers too much`,
      `${url}/mcp/server.json answers 302, and has to answer 200`,
    ]);
    await new Promise((resolve) => server.close(resolve));
  });
});

it("a key made here signs what its published half verifies [listing.proof]", () => {
  const { privateKey, proof: record } = newRegistryKey("ed25519");
  const message = Buffer.from("2026-11-24T00:00:00Z");
  const x = Buffer.from(record.split("p=")[1] ?? "", "base64").toString("base64url");
  const publicKey = { key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" } as const;
  expect(verify(null, message, publicKey, sign(null, message, privateKey))).toBe(true);
});
