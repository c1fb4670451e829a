import { describe, expect, it } from "vitest";
import { checkAuthorizationServer } from "../conformance/suites.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { approveInBrowser } from "../support/person.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("the official conformance suite for authorization servers", ({ open }) => {
  const site = useAuthApp(open);

  it("passes [facts.mcp.authorization-conformance]", async () => {
    const { email } = await site.app.addPerson((await site.app.addWorkspace()).id);
    const person = { email, password: PASSWORD };
    const { ok, printed } = await checkAuthorizationServer(site.app.origin, (url) => approveInBrowser(url, person));
    expect(printed).toContain("Total: 2 passed, 0 failed");
    expect(ok).toBe(true);
  });
});
