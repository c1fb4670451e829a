import { inviteMember } from "../../auth/invitations/invite-member.ts";
import { addMember } from "../../auth/members/add-member.ts";
import { setSignInRules } from "../../auth/sign-in-rules/operations.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { actAs } from "./acting.ts";
import type { AuthApp, useAuthApp } from "./auth-app.ts";
import { Browser, type BrowserPage } from "./browser.ts";
import type { TestClock } from "./core.ts";
import type { Issuer } from "./issuer.ts";
import { addOrganisation, type Organisation, signInAtProvider } from "./organisation.ts";
import { mailsIn } from "./outbox.ts";
import { codeAt, proof, recoveryCodesOn, secretOn } from "./second-factor.ts";

/** A way by which a credential is made, changed or used. */
export interface Way {
  readonly name: string;
  /** Which of the two workspaces what was got by it opens. */
  readonly opens: readonly ("home" | "other")[];
  /** Subjects of the mails that its person gets, besides invitations. */
  readonly told: readonly string[];
  /** Goes that way; answers the browser that ends up with the credential. */
  act(one: Person): Promise<Browser>;
}

type Site = ReturnType<typeof useAuthApp>;

/** Somebody whose emails' domain leads to the provider of the workspace `home`; another one, `other`, has one too. */
export class Person {
  readonly home: Organisation;
  readonly other: Organisation;
  readonly email: string;
  readonly app: AuthApp;
  readonly #clock: TestClock;
  readonly #issuer: Issuer;
  readonly #mails: { subject: string; text: string }[] = [];

  private constructor({ app, clock }: Site, issuer: Issuer, home: Organisation, other: Organisation) {
    [this.app, this.#clock, this.#issuer, this.home, this.other] = [app, clock, issuer, home, other];
    this.email = `ana@${home.domain}`;
  }

  /** With both workspaces, and a member of neither. */
  static async make(site: Site, issuer: Issuer): Promise<Person> {
    const home = await addOrganisation(site.app, issuer);
    return new Person(site, issuer, home, await addOrganisation(site.app, issuer));
  }

  browser(): Browser {
    return new Browser(this.app.origin);
  }

  /** As an operator adds them. */
  join(workspace: Organisation, password?: string) {
    return operate(this.app.core, workspace.id, addMember, { email: this.email, role: "admin", password });
  }

  /** As a member of both, without a password, for whom the first takes none. */
  async joinBoth() {
    await this.join(this.home);
    await this.join(this.other);
    await operate(this.app.core, this.home.id, setSignInRules, { providerOnly: true });
  }

  async atProvider(way: { browser?: Browser; start?: BrowserPage; sub?: string } = {}): Promise<Browser> {
    return (await signInAtProvider(this.app, this.#issuer, { ...way, email: this.email })).browser;
  }

  async byPassword(password: string, browser = this.browser()): Promise<Browser> {
    await browser.submit(await browser.open("/signin"), "Sign in", { email: this.email, password });
    return browser;
  }

  /** What was mailed to them so far. */
  async mails() {
    for (const { to, subject = "", text = "" } of await mailsIn(this.app))
      if (to?.some(({ address }) => address === this.email)) this.#mails.push({ subject, text });
    return this.#mails;
  }

  /** The path in a mail to them that begins so. */
  async linkTo(path: string): Promise<string> {
    const paths = (await this.mails()).map(({ text }) => new RegExp(`${path}/[\\w-]{43}`).exec(text)?.[0]);
    return paths.findLast((found) => found !== undefined) ?? `${path}/none`;
  }

  /** The link of an invitation as a member. */
  async invited(workspace = this.other): Promise<string> {
    const { memberId } = await this.app.addPerson(workspace.id);
    const input = { email: this.email, role: "member" } as const;
    await actAs(this.app.core, { tenantId: workspace.id, memberId }, inviteMember, input);
    return this.linkTo("/invitations");
  }

  /** The link of a reset that they ask for. */
  async resetLink(): Promise<string> {
    const browser = this.browser();
    await browser.submit(await browser.open("/password/forgotten"), "Send the link", { email: this.email });
    return this.linkTo("/password/reset");
  }

  /** Follows that link, where it was mailed. */
  async reset(password: string): Promise<void> {
    const browser = this.browser();
    const page = await browser.open(await this.resetLink());
    if (page.status === 200) await browser.submit(page, "Change password", { new_password: password });
  }

  /** As somebody who is signed in, switches a second factor on; answers it, and a recovery code. */
  async switchOnFactor(browser: Browser): Promise<{ secret: string; recoveryCode: string }> {
    const page = await browser.open("/security/factor");
    const secret = secretOn(page);
    const [recoveryCode = "none"] = recoveryCodesOn(
      await browser.submit(page, "Switch it on", proof(this.codeOf(secret))),
    );
    return { secret, recoveryCode };
  }

  /** A code of the app that was not used before. */
  codeOf(secret: string): string {
    this.#clock.advance(30_000);
    return codeAt(this.#clock, secret);
  }

  /** Which of the two workspaces a browser shows. */
  async opened(browser: Browser): Promise<string[]> {
    const { html } = await browser.open("/connections");
    const isOpen = (name: string) => html.includes(`<h2>${name}</h2>`);
    return [...(isOpen(this.home.name) ? ["home"] : []), ...(isOpen(this.other.name) ? ["other"] : [])];
  }
}
