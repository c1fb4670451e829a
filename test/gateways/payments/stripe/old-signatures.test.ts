import { expect, it } from "vitest";
import { connect, failure } from "../support.ts";

it("a notification that is too old is refused before its body is looked at, and an HMAC made of it [completions.7.stripe-webhook]", async () => {
  const gateway = connect("http://localhost:1");
  let looks = 0;
  const look = () => {
    looks += 1;
    return "{}";
  };
  const body = Object.assign(Buffer.from("{}"), { toString: look });
  const signedBefore = (seconds: number) => `t=${Math.floor(Date.now() / 1000) - seconds},v1=${"0".repeat(64)}`;
  expect((await failure(() => gateway.verifyEvents(body, signedBefore(310)))).kind).toBe("signature_invalid");
  expect(looks).toBe(0);
  expect((await failure(() => gateway.verifyEvents(body, signedBefore(0)))).kind).toBe("signature_invalid");
  expect(looks).toBe(1);
});
