import { Ajv } from "ajv";
import formatsPlugin from "ajv-formats";
import express from "express";
import { describe, expect, it } from "vitest";
import packageManifest from "../../package.json" with { type: "json" };
import manifest from "../../server.json" with { type: "json" };
import { serverManifest } from "../../well-known/server-manifest.ts";
import { listen } from "../support/http.ts";
import schema from "../support/schemas/server.schema.2025-12-11.json" with { type: "json" };

const ajv = new Ajv({ allErrors: true });
ajv.addVocabulary(["example"]);
formatsPlugin.default(ajv);
const validate = ajv.compile(schema);

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

  it("is served with the installation's own address [facts.registry.manifest]", async () => {
    const server = await listen(express().use(serverManifest("https://receivables.example.org/mcp")));
    const response = await fetch(`${server.url}/mcp/server.json`);
    const served: unknown = await response.json();
    await server.close();
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    validate(served);
    expect(validate.errors).toBeNull();
    expect(served).toEqual({
      ...manifest,
      remotes: [{ type: "streamable-http", url: "https://receivables.example.org/mcp" }],
    });
  });
});
