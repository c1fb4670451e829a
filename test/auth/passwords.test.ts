import { argon2Sync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hashPassword, verifyPassword } from "../../auth/passwords.ts";

describe("passwords", () => {
  it("a hash matches its own password and no other", async () => {
    const hash = await hashPassword("correct horse battery staple");
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword("correct horse battery staple", hash)).toBe(true);
    expect(await verifyPassword("correct horse battery stapl", hash)).toBe(false);
    expect(await verifyPassword("", hash)).toBe(false);
  });

  it("two hashes of one password differ", async () => {
    expect(await hashPassword("same")).not.toBe(await hashPassword("same"));
  });

  it("composed and decomposed letters are the same password", async () => {
    expect(await verifyPassword("cafe\u0301", await hashPassword("caf\u00e9"))).toBe(true);
  });

  it("what is longer than any password is not composed, which would take time by the square of its marks [facts.inputs.bounded]", async () => {
    const matches = async (letters: number) =>
      verifyPassword("e\u0301".repeat(letters), await hashPassword("\u00e9".repeat(letters)));
    expect([await matches(500), await matches(1_001)]).toEqual([true, false]);
  });

  it("a hash made at another cost is checked at the cost it names", async () => {
    const nonce = Buffer.from("0123456789abcdef");
    const cost = { memory: 8192, passes: 1, parallelism: 1, tagLength: 32 };
    const tag = argon2Sync("argon2id", { message: "password", nonce, ...cost });
    const encode = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");
    const hash = `$argon2id$v=19$m=8192,t=1,p=1$${encode(nonce)}$${encode(tag)}`;
    expect(await verifyPassword("password", hash)).toBe(true);
    expect(await verifyPassword("Password", hash)).toBe(false);
  });

  it.each([null, "", "plain", "$argon2id$v=19$m=1$x$y", "$argon2i$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAA"])(
    "nothing matches %s",
    async (hash) => {
      expect(await verifyPassword("", hash)).toBe(false);
      expect(await verifyPassword("plain", hash)).toBe(false);
    },
  );
});
