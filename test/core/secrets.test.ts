import { createHmac, hkdfSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Secrets } from "../../src/core/kernel/secrets.ts";

const secrets = new Secrets(Buffer.alloc(32, 1));

describe("secrets at rest", () => {
  it("come back as they were, and never look the same twice", () => {
    const sealed = [1, 2].map(() => secrets.encrypt("pässword\n", "erp_connections/1"));
    expect(sealed.map((text) => secrets.decrypt(text, "erp_connections/1"))).toEqual(["pässword\n", "pässword\n"]);
    expect(sealed[0]).not.toBe(sealed[1]);
    expect(sealed.join()).not.toContain("ssword");
  });

  it("cannot be read at another place, with another key, or altered", () => {
    const sealed = secrets.encrypt("secret", "erp_connections/1");
    const altered = `${sealed.slice(0, -2)}${sealed.endsWith("AA") ? "BB" : "AA"}`;
    expect(() => secrets.decrypt(sealed, "erp_connections/2")).toThrow();
    expect(() => new Secrets(Buffer.alloc(32, 2)).decrypt(sealed, "erp_connections/1")).toThrow();
    expect(() => secrets.decrypt(altered, "erp_connections/1")).toThrow();
    expect(() => secrets.decrypt("v2.abc", "erp_connections/1")).toThrow();
  });

  it("are read with their whole tag only [contract.operation.sealed-whole]", () => {
    const sealed = Buffer.from(secrets.encrypt("", "place").slice("v1.".length), "base64url");
    const read = (length: number) => secrets.decrypt(`v1.${sealed.subarray(0, length).toString("base64url")}`, "place");
    expect(read(sealed.length)).toBe("");
    for (let length = sealed.length - 1; length >= 0; length -= 1) expect(() => read(length), `${length}`).toThrow();
  });

  it("need a key of 32 bytes", () => {
    expect(() => new Secrets(Buffer.alloc(16))).toThrow(RangeError);
  });

  it("seals with HMAC, a key of its own for it", () => {
    const key = Buffer.alloc(32, 7);
    const own = Buffer.from(hkdfSync("sha256", key, Buffer.alloc(0), "seals", 32));
    const wanted = createHmac("sha256", own).update("cursor\0text").digest("hex");
    expect(new Secrets(key).seal("cursor", "text").toString("hex")).toBe(wanted);
  });
});
