import type { Email } from "postal-mime";
import { describe, expect, it } from "vitest";
import { useAuthApp } from "../support/auth-app.ts";
import { register } from "../support/oauth-client.ts";
import { connectPerson } from "../support/oauth-person.ts";
import { mailsIn } from "../support/outbox.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("the mail to whoever approves an assistant, on $name", ({ open }) => {
  const site = useAuthApp(open);

  const sent = (): Promise<Email[]> => mailsIn(site.app);

  it("tells what was connected, what it may do, and where to revoke it [completions.11.approval-mail]", async () => {
    const person = await connectPerson(site.app, { scope: "receivables:read tasks:write" });
    const [mail, ...more] = await sent();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      subject: `${person.workspace.name}: an assistant was connected`,
      to: [{ address: person.email }],
    });
    for (const words of [
      "calls itself “Test assistant”",
      "It may: read receivables and dismiss tasks",
      "Its answer went to: a program on the computer that approved it",
      "(Europe/Berlin)",
      `${site.app.origin}/connections`,
      "If this was not you, revoke it now and change your password.",
    ])
      expect(mail?.text).toContain(words);
  });

  it("tells of more that was given, by a page or a step-up [completions.11.approval-mail]", async () => {
    const person = await connectPerson(site.app, { scope: "receivables:read" });
    await sent();
    const page = await person.browser.open(`/connections/${person.connectionId}/permissions`);
    await person.browser.submit(page, "Save permissions", { "tasks:write": "on" });
    const [mail, ...more] = await sent();
    expect(more).toEqual([]);
    expect(mail?.subject).toBe(`${person.workspace.name}: an assistant may do more`);
    expect(mail?.text).toContain("It may: read receivables and dismiss tasks");
    const less = await person.browser.open(`/connections/${person.connectionId}/permissions`);
    await person.browser.submit(less, "Save permissions", { "tasks:write": null });
    expect(await sent()).toEqual([]);
  });

  it("is not sent of what was revoked meanwhile [completions.11.approval-mail]", async () => {
    const person = await connectPerson(site.app);
    await person.browser.submit(await person.browser.open("/connections"), "Revoke");
    expect(await sent()).toEqual([]);
  });

  it("carries a hostile name as text that leads nowhere [completions.11.approval-mail]", async () => {
    const name = "Account locked: https://evil.example.com/x call ana@evil.example <b>now</b>\r\nBcc: all@example.com";
    const client = await register(site.app.origin, { client_name: name });
    await connectPerson(site.app, { client });
    const [mail] = await sent();
    expect(mail?.bcc).toBeUndefined();
    for (const part of [mail?.text, mail?.html, mail?.subject]) {
      expect(part).not.toMatch(/evil\.example|https?:\/\/evil|@evil|<b>/);
      expect(part).not.toContain("\u202E");
    }
    expect(mail?.text).toContain("Account locked: https evil example com/x call ana evil example b now /b Bcc");
  });
});
