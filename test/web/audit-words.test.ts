import { describe, expect, it } from "vitest";
import { connectErp } from "../../src/core/erp-connections/operations/connect-erp.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { disableWorkflow, enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import { register, signInAndApprove } from "../support/oauth-client.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("the words of the audit trail on $name", ({ open }) => {
  const site = useAuthApp(open);

  it("are the pages': which workflow, which ERP, what was allowed [completions.1.audit.labels] [pages.look.names]", async () => {
    const { core, origin } = site.app;
    const { id: tenantId } = await site.app.addWorkspace();
    const { email } = await site.app.addPerson(tenantId);
    await operate(core, tenantId, enableWorkflow, { type: "auto_generate" });
    // While it is on, no ERP is connected whose invoices nobody has seen.
    await operate(core, tenantId, disableWorkflow, { type: "auto_generate" });
    const access = { url: "https://pod.fa.example.com/x", username: "SVC", password: "p", autoSync: false };
    await operate(core, tenantId, connectErp, { provider: "oracle_fusion", ...access });
    await signInAndApprove(origin, { email, password: PASSWORD, client: await register(origin) });
    const browser = new Browser(origin);
    await browser.submit(await browser.open("/signin"), "Sign in", { email, password: PASSWORD });
    const { text } = await browser.open("/audit");
    const erp = "Oracle Fusion at pod.fa.example.com (SVC)";
    expect(text).toContain("Enable workflow Workflow Auto Generate");
    expect(text).toContain(`Connect ERP ERP connection ${erp}`);
    expect((await browser.open("/erp-connections")).text).toContain(erp);
    expect(text).toContain("Connect assistant Permissions: Read receivables; Issue and withdraw payment links");
    expect(text).not.toContain("payment_links:write");
  });
});
