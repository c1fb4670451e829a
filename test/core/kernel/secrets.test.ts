import { expect, it } from "vitest";
import { Secrets } from "../../../src/core/kernel/secrets.ts";

it("an encrypted value is read with its whole tag only [contract.operation.sealed-whole]", () => {
  const secrets = new Secrets(Buffer.alloc(32, 1));
  const sealed = Buffer.from(secrets.encrypt("", "place").slice("v1.".length), "base64url");
  expect(secrets.decrypt(`v1.${sealed.toString("base64url")}`, "place")).toBe("");
  for (let length = sealed.length - 1; length >= 0; length -= 1)
    expect(
      () => secrets.decrypt(`v1.${sealed.subarray(0, length).toString("base64url")}`, "place"),
      `${length}`,
    ).toThrow();
});
