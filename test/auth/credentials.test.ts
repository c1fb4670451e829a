import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeMember } from "../../auth/members/remove-member.ts";
import { setSignInRules } from "../../auth/sign-in-rules/operations.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Person, type Way } from "../support/credentials.ts";
import { type Issuer, startIssuer } from "../support/issuer.ts";
import { A_STORE } from "../support/thorough.ts";

const CHOSEN = "chosen by who reads the mailbox";
const SIGN_IN_LINKED = "Your organisation's sign-in leads to your account";

let issuer: Issuer;
beforeAll(async () => {
  issuer = await startIssuer({ claimsInIdToken: true });
});
afterAll(() => issuer.stop());

/** Other ways by which what opens workspaces is made, changed or used. */
const WAYS: readonly Way[] = [
  {
    name: "a reset, by somebody who never had a password, in several workspaces: nothing is mailed",
    opens: [],
    told: [],
    async act(one) {
      await one.join(one.home);
      await one.join(one.other);
      await one.reset(CHOSEN);
      return one.byPassword(CHOSEN);
    },
  },
  {
    name: "a reset, of a password: it opens what takes passwords",
    opens: ["other"],
    told: ["Choose a new password", "Your password was reset"],
    async act(one) {
      await one.join(one.home, PASSWORD);
      await one.join(one.other);
      await operate(one.app.core, one.home.id, setSignInRules, { providerOnly: true });
      await one.reset(CHOSEN);
      return one.byPassword(CHOSEN);
    },
  },
  {
    name: "a reset that was asked for before the password changed another way: its link has ended",
    opens: [],
    told: ["Choose a new password", "Your password was replaced"],
    async act(one) {
      await one.join(one.home, PASSWORD);
      const link = await one.resetLink();
      await one.join(one.home, "given by the operator");
      expect((await one.browser().open(link)).status).toBe(404);
      return one.byPassword(PASSWORD);
    },
  },
  {
    name: "an operator's `member add --password-stdin`, for somebody new",
    opens: ["other"],
    told: [],
    async act(one) {
      await one.join(one.other, PASSWORD);
      return one.byPassword(PASSWORD);
    },
  },
  {
    name: "the same, for a member of another workspace who had no password",
    opens: ["home", "other"],
    told: ["Your account has a password"],
    async act(one) {
      await one.join(one.home);
      await one.join(one.other, PASSWORD);
      return one.byPassword(PASSWORD);
    },
  },
  {
    name: "the first sign-in at the workspace's provider: its subject is linked, here only",
    opens: ["home"],
    told: [SIGN_IN_LINKED],
    async act(one) {
      await one.join(one.home);
      await one.join(one.other);
      await one.atProvider();
      return one.atProvider();
    },
  },
  {
    name: "a member who is removed and added again: what the provider vouched for before opens nothing",
    opens: [],
    told: [SIGN_IN_LINKED],
    async act(one) {
      await one.join(one.home);
      const who = await one.atProvider();
      await operate(one.app.core, one.home.id, removeMember, { member: { email: one.email } });
      await one.join(one.home);
      return who;
    },
  },
];

describe.each(A_STORE)("what opens workspaces, and who is told, on $name", ({ open }) => {
  const site = useAuthApp(open);

  it.each(WAYS)("$name [completions.11.credentials-told]", async (way) => {
    const one = await Person.make(site.app, issuer);
    const browser = await way.act(one);
    expect(await one.opened(browser)).toEqual(way.opens);
    const subjects = (await one.mails()).map(({ subject }) => subject);
    expect(subjects.filter((subject) => !subject.includes("you are invited"))).toEqual(way.told);
  });
});
