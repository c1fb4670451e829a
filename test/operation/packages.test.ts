import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { findAdvisories } from "../../dev/packages/advisories.ts";
import { checkLicences } from "../../dev/packages/licences.ts";
import { makeSbom } from "../../dev/packages/sbom.ts";
import { compareVersions } from "../../dev/packages/versions.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const Locked = z.object({
  ...{ name: z.string().optional(), version: z.string(), license: z.string(), integrity: z.string() },
  ...{ resolved: z.string().optional(), link: z.boolean().optional() },
  ...{ dev: z.boolean().optional(), optional: z.boolean().optional(), devOptional: z.boolean().optional() },
});
const Lock = z.object({ packages: z.looseObject({ "": z.unknown() }).transform(({ "": _, ...rest }) => rest) });
const lock = Object.entries(Lock.parse(JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"))).packages).map(
  ([place, value]) => ({ place, ...Locked.parse(value) }),
);
const Bom = z.looseObject({
  bomFormat: z.literal("CycloneDX"),
  metadata: z.looseObject({ component: z.looseObject({ name: z.string(), version: z.string() }) }),
  components: z.array(
    z.looseObject({
      purl: z.string(),
      scope: z.enum(["required", "excluded"]),
      hashes: z.tuple([z.object({ alg: z.literal("SHA-512"), content: z.string() })]),
      licenses: z.tuple([
        z.union([z.object({ expression: z.string() }), z.object({ license: z.object({ id: z.string() }) })]),
      ]),
    }),
  ),
});
const nameOf = ({ place, name }: { place: string; name?: string | undefined }): string =>
  name ?? place.replace(/^.*node_modules\//, "");

describe("the packages", () => {
  it("come from the registry, each with the hash of what it holds [contract.operation.locked]", () => {
    const registry = "https://registry.npmjs.org/";
    expect(lock.filter(({ integrity }) => !/^sha512-[\w+/]{86}==$/.test(integrity))).toEqual([]);
    expect(lock.filter(({ resolved = registry, link }) => link || !resolved.startsWith(registry))).toEqual([]);
  });

  it("are those of the bill of materials, whose bytes follow from the lock [contract.operation.sbom]", () => {
    const bom = Bom.parse(JSON.parse(makeSbom()));
    expect(bom.metadata.component).toMatchObject({ name: "receivables-assistant-server", type: "library" });
    const listed = bom.components.map(({ purl, scope, hashes: [hash], licenses: [licence] }) =>
      [purl, scope, hash.content, "license" in licence ? licence.license.id : licence.expression].join(" "),
    );
    const locked = lock.map((entry) => {
      const purl = `pkg:npm/${nameOf(entry).replace("@", "%40")}@${entry.version}`;
      const scope = entry.dev || entry.optional || entry.devOptional ? "excluded" : "required";
      return [purl, scope, Buffer.from(entry.integrity.slice(7), "base64").toString("hex"), entry.license].join(" ");
    });
    expect(listed.sort()).toEqual([...new Set(locked)].sort());
    expect(makeSbom()).toBe(makeSbom());
  });

  it("have licences that are accepted, the same in the lock and in the package [contract.operation.licences]", () => {
    expect(checkLicences().refused).toEqual([]);
    const Manifest = z.object({ license: z.string().optional() });
    for (const { place, license } of lock) {
      let manifest = "";
      try {
        manifest = readFileSync(join(ROOT, place, "package.json"), "utf8");
      } catch {
        // For another system: not installed here.
        continue;
      }
      expect({ place, license: Manifest.parse(JSON.parse(manifest)).license ?? license }).toEqual({ place, license });
    }
  });

  it.each([
    ["MIT", true, true],
    ["(MIT OR GPL-3.0-only)", true, true],
    ["MIT AND ISC", true, true],
    ["MPL-2.0", false, true],
    ["MIT AND GPL-3.0-only", false, false],
    ["AGPL-3.0-only", false, false],
    ["SEE LICENSE IN LICENSE.md", false, false],
    ["", false, false],
  ])(
    "with the licence %j are accepted in the image: %s, for development: %s [contract.operation.licences]",
    (licence, image, other) => {
      const accepted = (isInImage: boolean): boolean =>
        checkLicences([{ name: "one", version: "1.0.0", licence, integrity: "", isInImage }]).refused.length === 0;
      expect([accepted(true), accepted(false)]).toEqual([image, other]);
    },
  );
});

describe("versions", () => {
  it("come in the order of Semantic Versioning [contract.operation.advisories]", () => {
    // semver.org §11, and a number that a double does not hold.
    const order =
      "0.9.0 1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 2.0.0 2.1.0 2.1.1 2.1.9007199254740993 2.1.9007199254740994".split(
        " ",
      );
    for (const [at, one] of order.entries())
      for (const [place, other] of order.entries())
        expect(Math.sign(compareVersions(one, other)), `${one} ${other}`).toBe(Math.sign(at - place));
    expect(compareVersions("1.0.0+one", "1.0.0+two")).toBe(0);
    expect(() => compareVersions("1.x", "1.0.0")).toThrow('"1.x" is not a version');
  });
});

describe("advisories of a database that is given", () => {
  const folder = mkdtempSync(join(tmpdir(), "receivables-advisories-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const NOW = Date.parse("2026-11-26T12:00:00Z");
  const MODIFIED = "2026-11-25T09:00:00.123456Z";
  const packages = [{ name: "one", version: "1.2.3", licence: "MIT", integrity: "", isInImage: true }];
  const advisory = (affected: object, more: object = {}) => ({
    ...{ schema_version: "1.7.0", id: "GHSA-0000", modified: MODIFIED, summary: "It is open." },
    ...{ affected: [{ package: { ecosystem: "npm", name: "one" }, ...affected }], ...more },
  });
  const range = (...events: object[]) => ({ ranges: [{ type: "SEMVER", events }] });
  const keep = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const find = (place: string) => findAdvisories(place, { maxAgeDays: 7, now: NOW, packages });
  const findIn = (...advisories: object[]) => find(keep("one.json", JSON.stringify(advisories)));
  const FOUND = ["one@1.2.3\tGHSA-0000\tIt is open."];
  const introduced = "0";

  it.each([
    ["a version of its list", { versions: ["1.2.2", "1.2.3"] }, true],
    ["other versions of its list", { versions: ["1.2.2"] }, false],
    ["all since the first", range({ introduced }), true],
    ["those before the mend", range({ introduced }, { fixed: "1.2.4" }), true],
    ["those before a mend that we have", range({ introduced }, { fixed: "1.2.3" }), false],
    ["those after a version", range({ introduced: "1.2.4" }), false],
    ["those up to ours", range({ introduced }, { last_affected: "1.2.3" }), true],
    ["those up to one before ours", range({ introduced }, { last_affected: "1.2.2" }), false],
    ["a second stretch", range({ introduced }, { fixed: "1.0.0" }, { introduced: "1.2.0" }, { fixed: "1.3.0" }), true],
    ["a gap between stretches", range({ introduced }, { fixed: "1.2.0" }, { introduced: "1.3.0" }), false],
    ["stretches in any order", range({ fixed: "1.3.0" }, { introduced: "1.2.0" }), true],
    ["those below a limit", range({ introduced }, { limit: "1.2.3" }), false],
    ["nothing that can be compared", { ranges: [{ type: "GIT", events: [{ introduced }] }] }, true],
    ["versions that cannot be read", range({ introduced: "1.x" }), true],
    ["no version at all", {}, true],
  ])("concern us, where they are about %s: %s %s [contract.operation.advisories]", async (_, affected, isAffected) => {
    expect((await findIn(advisory(affected))).findings).toEqual(isAffected ? FOUND : []);
  });

  it("leave alone what is withdrawn, and packages of other names and ecosystems [contract.operation.advisories]", async () => {
    const affected = [{ package: { ecosystem: "PyPI", name: "one" } }, { package: { ecosystem: "npm", name: "two" } }];
    const { findings, read } = await findIn(
      advisory({}, { affected }),
      advisory({}, { withdrawn: "2026-11-01T00:00:00Z" }),
    );
    expect({ findings, read }).toEqual({ findings: [], read: 2 });
  });

  it("are read from a folder, a file by lines, and an address [contract.operation.advisories]", async () => {
    const text = JSON.stringify(advisory({}));
    mkdirSync(join(folder, "osv"));
    keep("osv/GHSA-0000.json", JSON.stringify(advisory({}), null, 2));
    const server = createServer((request, response) =>
      response.writeHead(request.url === "/osv" ? 200 : 503).end(text),
    );
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const address = server.address();
    const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    try {
      for (const place of [join(folder, "osv"), keep("lines", `${text}\n${text}\n`), `${origin}/osv`])
        expect((await find(place)).findings).toEqual(FOUND);
      await expect(find(`${origin}/gone`)).rejects.toThrow("answered 503");
    } finally {
      server.close();
    }
    await expect(find(`${origin}/osv`)).rejects.toThrow();
  });

  it.each([
    ["has none", "[]", "no advisory about npm"],
    ["has none about npm", JSON.stringify(advisory({}, { affected: [] })), "no advisory about npm"],
    ["is empty", "", "no advisory about npm"],
    ["is cut off", `${JSON.stringify(advisory({}))}\n{"id": "GHSA`, "not hold advisories"],
    ["is something else", "<html></html>", "not hold advisories"],
    ["has one without its date", JSON.stringify(advisory({}, { modified: null })), "not hold advisories"],
    ["is old", JSON.stringify(advisory({}, { modified: "2026-11-19T11:59:59Z" })), "of the last 7 days"],
    [
      "is dated tomorrow alone",
      JSON.stringify(advisory({}, { modified: "2026-11-27T12:00:00Z" })),
      "of the last 7 days",
    ],
  ])("are refused where the database %s [contract.operation.advisories]", async (_, text, words) => {
    await expect(find(keep("refused", text))).rejects.toThrow(words);
  });

  it("are refused where no database is there [contract.operation.advisories]", async () => {
    await expect(find(join(folder, "none"))).rejects.toThrow("ENOENT");
    mkdirSync(join(folder, "empty"));
    await expect(find(join(folder, "empty"))).rejects.toThrow("no advisory about npm");
  });

  it("end the command with 1, and 0 where nothing concerns us [contract.operation.advisories]", () => {
    const modified = new Date(Date.now() - 1000).toISOString();
    const run = (name: string, ...more: string[]): string => {
      const affected = [{ package: { ecosystem: "npm", name }, versions: [], ranges: [] }];
      const place = keep("now.json", JSON.stringify(advisory({}, { modified, affected })));
      try {
        const args = ["dev/packages/run.ts", "advisories", place, ...more];
        return execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8", stdio: "pipe" });
      } catch (error) {
        return z.object({ status: z.literal(1), stderr: z.string() }).parse(error).stderr;
      }
    };
    expect(run("a-package-of-nobody")).toContain("0 concern us");
    expect(run("express")).toMatch(/^express@[\d.]+\tGHSA-0000\tIt is open\.$/m);
    expect(run("a-package-of-nobody", "--max-age-days", "never")).toContain("npm run packages");
  });
});
