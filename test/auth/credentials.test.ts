import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkMember } from "../../auth/identities/link-member.ts";
import { unlinkMember } from "../../auth/identities/unlink-member.ts";
import { removeMember } from "../../auth/members/remove-member.ts";
import { removeSecondFactor } from "../../auth/second-factor/remove-second-factor.ts";
import { setSignInRules } from "../../auth/sign-in-rules/operations.ts";
import { removeSignIn } from "../../auth/upstream-sign-in/remove-sign-in.ts";
import { readyAccountNotice } from "../../src/core/accounts/notice-mail.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { ACCOUNT_NOTICES } from "../../src/store/tables/mail.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Person, type Way } from "../support/credentials.ts";
import { type Issuer, startIssuer } from "../support/issuer.ts";
import { A_STORE } from "../support/thorough.ts";

const CHOSEN = "chosen by who reads the mailbox";
const FACTOR_ON = "Your second factor was switched on";
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
  ...["has no provider", "has one that does not know them"].map(
    (why): Way => ({
      name: `a reset, by somebody without a password, where another workspace ${why}: it opens that one`,
      opens: ["other"],
      told: ["Choose a new password", "A password was chosen for your account"],
      async act(one) {
        await one.joinBoth();
        if (why === "has no provider") await operate(one.app.core, one.other.id, removeSignIn, {});
        await one.reset(CHOSEN);
        return one.byPassword(CHOSEN);
      },
    }),
  ),
  {
    name: "the same, where the other takes passwords before the link is used: the link has ended",
    opens: [],
    told: ["Choose a new password"],
    async act(one) {
      await one.joinBoth();
      await operate(one.app.core, one.other.id, removeSignIn, {});
      const link = await one.resetLink();
      await operate(one.app.core, one.home.id, setSignInRules, { providerOnly: false });
      expect((await one.browser().open(link)).status).toBe(404);
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
    name: "a new password, by the current one",
    opens: ["home"],
    told: ["Your password was changed"],
    async act(one) {
      await one.join(one.home, PASSWORD);
      const who = await one.byPassword(PASSWORD);
      const form = { current_password: PASSWORD, new_password: CHOSEN };
      await who.submit(await who.open("/password"), "Change password", form);
      return who;
    },
  },
  {
    name: "a second factor that is switched on: the password opens nothing by itself",
    opens: [],
    told: [FACTOR_ON],
    async act(one) {
      await one.join(one.home, PASSWORD);
      await one.switchOnFactor(await one.byPassword(PASSWORD));
      return one.byPassword(PASSWORD);
    },
  },
  {
    name: "a recovery code in place of the app's",
    opens: ["home"],
    told: [FACTOR_ON, "A recovery code was used"],
    async act(one) {
      await one.join(one.home, PASSWORD);
      const { recoveryCode } = await one.switchOnFactor(await one.byPassword(PASSWORD));
      const who = await one.byPassword(PASSWORD);
      await who.submit(await who.open("/signin/code"), "Sign in", { code: recoveryCode });
      return who;
    },
  },
  {
    name: "new recovery codes, and a second factor that is switched off",
    opens: ["home"],
    told: [FACTOR_ON, "Your recovery codes were replaced", "Your second factor was switched off"],
    async act(one) {
      await one.join(one.home, PASSWORD);
      const who = await one.byPassword(PASSWORD);
      const { secret } = await one.switchOnFactor(who);
      for (const button of ["Make new recovery codes", "Switch off the second factor"]) {
        const given = { code: one.codeOf(secret), current_password: PASSWORD };
        await who.submit(await who.open("/security/factor"), button, given);
        await one.mails();
      }
      return one.byPassword(PASSWORD);
    },
  },
  {
    name: "an operator's removal of a second factor",
    opens: ["home"],
    told: [FACTOR_ON, "Your second factor was removed"],
    async act(one) {
      await one.join(one.home, PASSWORD);
      await one.switchOnFactor(await one.byPassword(PASSWORD));
      await one.mails();
      await operate(one.app.core, one.home.id, removeSecondFactor, { member: { email: one.email } });
      return one.byPassword(PASSWORD);
    },
  },
  {
    name: "an operator's link to a subject of the provider, and its end",
    opens: [],
    told: [SIGN_IN_LINKED, "Your organisation's sign-in no longer leads to your account"],
    async act(one) {
      await one.join(one.home);
      const identity = { issuer: issuer.url, subject: one.email };
      await operate(one.app.core, one.home.id, linkMember, { ...identity, email: one.email });
      const who = await one.atProvider();
      expect(await one.opened(who)).toEqual(["home"]);
      await one.mails();
      await operate(one.app.core, one.home.id, unlinkMember, identity);
      return who;
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
    const one = await Person.make(site, issuer);
    const browser = await way.act(one);
    expect(await one.opened(browser)).toEqual(way.opens);
    const subjects = (await one.mails()).map(({ subject }) => subject);
    expect(subjects.filter((subject) => !subject.includes("you are invited")).sort()).toEqual([...way.told].sort());
  });

  it("a notice says whose account it is and how to react, and no password [contract.security.notices]", async () => {
    const one = await Person.make(site, issuer);
    await one.join(one.home, PASSWORD);
    const who = await one.byPassword(PASSWORD);
    for (const current_password of ["wrong", PASSWORD])
      await who.submit(await who.open("/password"), "Change password", { current_password, new_password: CHOSEN });
    const [mail, ...more] = await one.mails();
    expect([mail?.subject, more]).toEqual(["Your password was changed", []]);
    for (const words of [
      ...[`${site.app.origin}/security`, `${site.app.origin}/password/forgotten`, `Account: ${one.email}`],
      "an admin of your workspace or the operator",
    ])
      expect(mail?.text).toContain(words);
    expect(mail?.text).not.toContain(CHOSEN);
  });

  it("every notice is told on a way above [completions.11.credentials-told]", () => {
    const subjects = ACCOUNT_NOTICES.map((kind) => {
      const mail = { kind, recipient: "ana@example.com", created_at: "2026-03-10T15:00:00.000Z" };
      return readyAccountNotice(mail, "https://receivables.example").compose().subject;
    });
    const told = new Set(WAYS.flatMap((way) => way.told));
    expect(subjects.filter((subject) => !told.has(subject))).toEqual([]);
  });
});
