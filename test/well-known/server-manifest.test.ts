import { Ajv } from "ajv";
import formatsPlugin from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import packageManifest from "../../package.json" with { type: "json" };
import manifest from "../../server.json" with { type: "json" };
import { readConfig } from "../../src/config.ts";
import { registryManifest } from "../../src/listing/manifest.ts";
import { manifestFaults } from "../../src/listing/manifest-check.ts";
import schema from "../support/schemas/server.schema.2025-12-11.json" with { type: "json" };

const ajv = new Ajv({ allErrors: true });
ajv.addVocabulary(["example"]);
formatsPlugin.default(ajv);
const validate = ajv.compile(schema);

/** The manifest of an installation with these settings. */
const manifestOf = (environment: Record<string, string>) => registryManifest(readConfig(environment));
const PUBLIC = { PUBLIC_URL: "https://receivables.example.org" };

describe("the registry manifest", () => {
  it("is valid against the registry's schema, and what the schema does not catch holds too [facts.registry.manifest]", () => {
    validate(manifest);
    expect(validate.errors).toBeNull();
    expect(manifest.version).toMatch(/^\d+\.\d+\.\d+$/);
    const known = ["$schema", "name", "title", "description", "version", "remotes"];
    expect(Object.keys(manifest).filter((key) => !known.includes(key))).toEqual([]);
    expect(manifest.remotes.map(({ type }) => type)).toEqual(["streamable-http"]);
  });

  it("has the version of the package", () => {
    expect(manifest.version).toBe(packageManifest.version);
  });

  it("has the installation's own name, address and icons [facts.registry.manifest] [listing.name]", () => {
    const own = manifestOf(PUBLIC);
    validate(own);
    expect(validate.errors).toBeNull();
    expect(own).toEqual({
      ...manifest,
      name: "org.example.receivables/receivables",
      websiteUrl: "https://receivables.example.org/mcp",
      icons: [
        { src: "https://receivables.example.org/icon.svg", mimeType: "image/svg+xml", sizes: ["any"] },
        { src: "https://receivables.example.org/icon.png", mimeType: "image/png", sizes: ["48x48"] },
      ],
      remotes: [{ type: "streamable-http", url: "https://receivables.example.org/mcp" }],
    });
  });

  it.each([
    ["https://AR.Example.co.uk", "uk.co.example.ar/receivables"],
    ["https://ar.example.com:8443", "com.example.ar/receivables"],
    ["https://bücher.example", "example.xn--bcher-kva/receivables"],
    ["http://localhost:3000", manifest.name],
    ["http://receivables.localhost", manifest.name],
    ["https://10.0.0.7", manifest.name],
    ["https://[2001:db8::7]", manifest.name],
    ["http://receivables:3000", manifest.name],
    ["https://under_score.example.com", manifest.name],
    [`https://${"a23456789.".repeat(20)}example.com`, manifest.name],
  ])("of an installation at %s is named %s [listing.name]", (url, name) => {
    const own = manifestOf({ PUBLIC_URL: url });
    expect(own.name).toBe(name);
    validate(own);
    expect(validate.errors).toBeNull();
  });

  it("is named as configured [listing.name]", () => {
    expect(manifestOf({ ...PUBLIC, SERVER_NAME: "org.example/ar" }).name).toBe("org.example/ar");
    for (const name of ["receivables", "org.example/a/b", "org example/ar", `org.example/${"a".repeat(200)}`])
      expect(() => manifestOf({ SERVER_NAME: name })).toThrow(/^SERVER_NAME: must/);
  });
});

describe("the check of a manifest", () => {
  it("passes an installation's own on a public host, under its host's name or that of a domain above it [listing.manifest-check]", () => {
    for (const name of ["", "org.example.receivables/ar", "org.example/ar", "io.github.acme/ar"])
      expect(manifestFaults(manifestOf({ ...PUBLIC, SERVER_NAME: name }))).toEqual([]);
  });

  it.each([
    [{ PUBLIC_URL: "http://localhost:3000" }, "remotes.0.url"],
    [{ PUBLIC_URL: "https://localhost" }, "remotes.0.url"],
    [{ PUBLIC_URL: "https://10.0.0.7" }, "remotes.0.url"],
    [{ PUBLIC_URL: "http://receivables.example.org" }, "remotes.0.url"],
    [{ ...PUBLIC, SERVER_NAME: "com.example/ar" }, "name"],
    [{ ...PUBLIC, SERVER_NAME: "org.ample/ar" }, "name"],
  ])("finds fault with %j: %s [listing.manifest-check]", (environment, field) => {
    expect(manifestFaults(manifestOf(environment)).map((fault) => fault.field)).toContain(field);
  });

  it("finds what the schema lets pass: misspelled fields and ranges of versions [listing.manifest-check]", () => {
    const own = manifestOf(PUBLIC);
    for (const wrong of [
      { ...own, web_site: "x" },
      { ...own, version: "^1.0.0" },
      { ...own, version: "latest" },
    ]) {
      expect(validate(wrong)).toBe(true);
      expect(manifestFaults(wrong)).not.toEqual([]);
    }
  });

  it("passes nothing that the registry's schema refuses [listing.manifest-check]", () => {
    const own = manifestOf(PUBLIC);
    const any = fc.oneof(fc.string(), fc.constant(null), fc.integer(), fc.string({ minLength: 95, maxLength: 105 }));
    /** Mostly one of these, so that many candidates differ from a valid manifest in one place only. */
    const mostly = (...values: fc.Arbitrary<unknown>[]) =>
      fc.oneof({ weight: 12, arbitrary: fc.oneof(...values) }, { weight: 1, arbitrary: any });
    const urls = mostly(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.string({ unit: "grapheme-ascii" }).map((path) => `https://receivables.example.org/${path}`),
    );
    const name = fc.stringMatching(/^[a-zA-Z0-9._-]{0,5}$/).map((last) => `org.example/${last}`);
    const mimeType = mostly(fc.constantFrom("image/png", "image/svg+xml", "image/gif"));
    const sizes = fc.array(mostly(fc.constantFrom("any", "48x48", "48")), { maxLength: 2 });
    const icon = fc.record({ src: urls, mimeType, sizes });
    const change = fc.record(
      {
        name: mostly(name),
        title: mostly(fc.string({ minLength: 1, maxLength: 100 })),
        description: mostly(fc.string({ minLength: 1, maxLength: 100 })),
        version: mostly(fc.constantFrom("1.2.3", "1.2.3-rc.1", "1.x")),
        websiteUrl: urls,
        icons: fc.array(icon, { maxLength: 2 }),
      },
      { requiredKeys: [] },
    );
    let passed = 0;
    fc.assert(
      fc.property(change, (changed) => {
        const candidate: unknown = JSON.parse(JSON.stringify({ ...own, ...changed }));
        const faults = manifestFaults(candidate);
        if (faults.length > 0) return true;
        passed += 1;
        validate(candidate);
        expect(validate.errors).toBeNull();
        return true;
      }),
      { numRuns: 2_000 },
    );
    expect(passed).toBeGreaterThan(50);
  });
});
