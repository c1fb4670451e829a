import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acceptInvitation } from "../../auth/invitations/answer-invitation.ts";
import { removeMember } from "../../auth/members/remove-member.ts";
import { setSignInRules } from "../../auth/sign-in-rules/operations.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Person, type Way } from "../support/credentials.ts";
import { type Issuer, startIssuer } from "../support/issuer.ts";
import { rowsOf } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

const CHOSEN = "chosen by who reads the mailbox";
const SIGN_IN_LINKED = "Your organisation's sign-in leads to your account";

let issuer: Issuer;
beforeAll(async () => {
  issuer = await startIssuer({ claimsInIdToken: true });
});
afterAll(() => issuer.stop());

/** Ways an invitation is answered. */
const WAYS: readonly Way[] = [
  {
    name: "an invitation, by somebody who belongs nowhere: they choose a password",
    opens: ["other"],
    told: ["A password was chosen for your account"],
    async act(one) {
      const who = one.browser();
      const page = await who.open(await one.invited());
      await who.submit(page, "Join", { name: "Ana", password: CHOSEN });
      return who;
    },
  },
  {
    name: "an invitation, by somebody who belongs nowhere any more: their old password ends",
    opens: ["other"],
    told: ["A password was chosen for your account"],
    async act(one) {
      await one.join(one.home, PASSWORD);
      await operate(one.app.core, one.home.id, removeMember, { member: { email: one.email } });
      const old = await one.byPassword(PASSWORD);
      const who = one.browser();
      await who.submit(await who.open(await one.invited()), "Join", { name: "Ana", password: CHOSEN });
      expect((await old.open("/connections")).url.pathname).toBe("/signin");
      expect(await one.opened(await one.byPassword(PASSWORD))).toEqual([]);
      return who;
    },
  },
  {
    name: "the same, by somebody with a second factor: a code is asked for",
    opens: [],
    told: ["Your second factor was switched on", "A password was chosen for your account"],
    async act(one) {
      await one.join(one.home, PASSWORD);
      const { secret } = await one.switchOnFactor(await one.byPassword(PASSWORD));
      await operate(one.app.core, one.home.id, removeMember, { member: { email: one.email } });
      const who = one.browser();
      const asked = await who.submit(await who.open(await one.invited()), "Join", { name: "Ana", password: CHOSEN });
      expect(asked.url.pathname).toBe("/signin/code");
      const signedIn = one.browser();
      const page = await signedIn.submit(await signedIn.open("/signin"), "Sign in", {
        email: one.email,
        password: CHOSEN,
      });
      await signedIn.submit(page, "Sign in", { code: one.codeOf(secret) });
      expect(await one.opened(signedIn)).toEqual(["other"]);
      return who;
    },
  },
  {
    name: "an invitation of another workspace, by a member without a password: the reader of the mail gets nothing",
    opens: [],
    told: [],
    async act(one) {
      await one.join(one.home);
      const who = one.browser();
      const page = await who.open(await one.invited());
      expect(page.text).toContain("You have an account already.");
      expect(page.html).not.toContain('type="password"');
      const token = page.url.pathname.split("/").at(-1) ?? "";
      const forged = acceptInvitation(one.app.core, { token, requestId: "r" }, { name: "Ana", password: CHOSEN });
      await expect(forged).rejects.toMatchObject({ code: "permission_denied" });
      return one.byPassword(CHOSEN, who);
    },
  },
  {
    name: "the same, by the member themselves: signed in at their organisation they join, and it opens its own workspace",
    opens: ["home"],
    told: [SIGN_IN_LINKED],
    async act(one) {
      await one.join(one.home);
      const who = await one.atProvider();
      const page = await who.open(await one.invited());
      expect(page.text).toContain("Your organisation signs you in to its own workspace only.");
      await who.submit(page, "Join");
      const mine = await rowsOf(one.app.core.store, null, "members", { email: one.email });
      expect(mine).toContainEqual(expect.objectContaining({ tenant_id: one.other.id, role: "member" }));
      return who;
    },
  },
  {
    name: "the same, by a member with a password: signed in with it they join",
    opens: ["home", "other"],
    told: [],
    async act(one) {
      await one.join(one.home, PASSWORD);
      const who = await one.byPassword(PASSWORD);
      await who.submit(await who.open(await one.invited()), "Join");
      return who;
    },
  },
  {
    name: "an invitation of a workspace that requires its organisation's sign-in: no password is chosen",
    opens: ["home"],
    told: [SIGN_IN_LINKED],
    async act(one) {
      await operate(one.app.core, one.home.id, setSignInRules, { providerOnly: true });
      const who = one.browser();
      const page = await who.open(await one.invited(one.home));
      expect(page.html).not.toContain('type="password"');
      const start = await who.submit(page, "Join", { name: "Ana" });
      expect(start.url.pathname).toBe("/organisation");
      return one.atProvider({ browser: who, start });
    },
  },
  {
    name: "an invitation of a workspace that requires a second factor: it opens once there is one",
    opens: [],
    told: ["A password was chosen for your account"],
    async act(one) {
      await operate(one.app.core, one.other.id, setSignInRules, { secondFactor: true });
      const who = one.browser();
      const page = await who.submit(await who.open(await one.invited()), "Join", { name: "Ana", password: CHOSEN });
      expect([page.url.pathname, page.url.searchParams.get("next")]).toEqual(["/security", "/?done=joined"]);
      return who;
    },
  },
  {
    name: "an invitation of a workspace whose operator added the person meanwhile: it has ended",
    opens: [],
    told: [],
    async act(one) {
      const link = await one.invited();
      await one.join(one.other);
      expect((await one.browser().open(link)).status).toBe(404);
      return one.byPassword(CHOSEN);
    },
  },
];

describe.each(A_STORE)("what an invitation opens, and who is told, on $name", ({ open }) => {
  const site = useAuthApp(open);

  it.each(WAYS)("$name [completions.11.invitation-vouches]", async (way) => {
    const one = await Person.make(site, issuer);
    const browser = await way.act(one);
    expect(await one.opened(browser)).toEqual(way.opens);
    const subjects = (await one.mails()).map(({ subject }) => subject);
    expect(subjects.filter((subject) => !subject.includes("you are invited")).sort()).toEqual([...way.told].sort());
  });

  it("of two that are accepted at once one gives a password [completions.11.invitation-vouches]", async () => {
    const one = await Person.make(site, issuer);
    const links = [await one.invited(), await one.invited(one.home)];
    const passwords = [CHOSEN, `${CHOSEN}, too`];
    const outcomes = await Promise.allSettled(
      links.map((link, index) => {
        const asked = { token: link.split("/").at(-1) ?? "", requestId: "r" };
        return acceptInvitation(site.app.core, asked, { name: "Ana", password: passwords[index] ?? "" });
      }),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const won = outcomes.findIndex(({ status }) => status === "fulfilled");
    expect(await one.opened(await one.byPassword(passwords[won] ?? ""))).toEqual([won === 0 ? "other" : "home"]);
    expect(await one.opened(await one.byPassword(passwords[1 - won] ?? ""))).toEqual([]);
  });
});
