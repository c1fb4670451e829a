import { describe, expect, it } from "vitest";
import type { Role } from "../../src/core/gate/actor.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { A_STORE } from "../support/thorough.ts";

const FOR_ALL = ["/workflows", "/sync-runs", "/mcp", "/connections", "/mails-to-you", "/password", "/security"];
const FOR_ADMINS = [
  ...["/workflows", "/mails", "/integrations", "/erp-connections", "/sync-runs", "/mcp", "/connections"],
  ...["/api-keys", "/docs", "/members", "/sign-in-rules", "/audit", "/mails-to-you", "/password", "/security"],
];

/** The links between two marks of a page. */
const linksIn = (html: string, from: string, to: string): string[] =>
  [...(html.split(from)[1]?.split(to)[0] ?? "").matchAll(/href="([^"]+)"/g)].map(([, path = ""]) => path);

describe.each(A_STORE)("the settings, $name", ({ open }) => {
  const site = useAuthApp(open);

  const signedIn = async (role: Role) => (await site.app.newcomer(role)).browser;

  it.each([
    { role: "admin" as const, paths: FOR_ADMINS },
    { role: "member" as const, paths: FOR_ALL },
  ])(
    "list each page that a $role has, and name it beside each of them [pages.look.settings]",
    async ({ role, paths }) => {
      const browser = await signedIn(role);
      const index = await browser.open("/settings");
      expect(linksIn(index.html, '<div class="index">', "</main>")).toEqual(paths);
      expect(index.html).not.toContain('aria-label="Settings"');
      for (const path of paths.filter((one) => one !== "/docs" && one !== "/mcp")) {
        const { html } = await browser.open(path);
        expect(linksIn(html, '<nav class="pages"', "</nav>"), path).toEqual(["/settings", ...paths]);
        expect(html, path).toContain(`<a href="${path}" aria-current="page">`);
      }
    },
  );

  it("say on the pages below one which it is, and are not beside pages of no setting [pages.look.settings]", async () => {
    const browser = await signedIn("admin");
    for (const [path, within] of [
      ["/workflow-history", "/workflows"],
      ["/workflows/auto_generate/preview", "/workflows"],
      ["/security/factor", "/security"],
    ])
      expect((await browser.open(path ?? "")).html, path).toContain(`<a href="${within}" aria-current="true">`);
    for (const path of ["/", "/invoices", "/signout", "/nowhere"])
      expect((await browser.open(path)).html, path).not.toContain('<nav class="pages"');
  });
});
