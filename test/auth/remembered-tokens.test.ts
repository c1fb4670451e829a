import { expect, it } from "vitest";
import type { AccessToken, TokenCheck } from "../../auth/access-token.ts";
import { rememberTokens } from "../../auth/remembered-tokens.ts";
import { TestClock } from "../support/core.ts";

const token: AccessToken = {
  personId: "p",
  clientId: "c",
  connectionId: "k",
  tenantId: "t",
  scopes: [],
  narrowed: false,
};
const clock = new TestClock("2026-03-10T15:00:00.000Z");

/** A token that expires so many seconds from now; whether it is genuine is the verifier's to say. */
function jwt(seconds: number, name = "a"): string {
  const exp = clock.now().getTime() / 1_000 + seconds;
  return `${name}.${Buffer.from(JSON.stringify({ exp })).toString("base64url")}.s`;
}

function counted(check: TokenCheck) {
  const asked: string[] = [];
  const verify = rememberTokens(async (given) => {
    asked.push(given);
    return check;
  }, clock);
  return { verify: (given: string) => verify(given, "127.0.0.1"), asked };
}

it("checks the signature of a token once until it expires [facts.oauth.remembered]", async () => {
  const { verify, asked } = counted({ token });
  const first = jwt(600);
  for (let call = 0; call < 3; call += 1) expect(await verify(first)).toEqual({ token });
  expect(asked).toEqual([first]);
  const second = jwt(600, "b");
  await verify(second);
  expect(asked).toEqual([first, second]);
  clock.advance(605_000);
  await verify(first);
  expect(asked).toEqual([first, second, first]);
});

it("remembers no token that was refused [facts.oauth.remembered]", async () => {
  const { verify, asked } = counted({ refused: "invalid" });
  const given = jwt(600);
  expect(await verify(given)).toEqual({ refused: "invalid" });
  expect(await verify(given)).toEqual({ refused: "invalid" });
  expect(asked).toEqual([given, given]);
});
