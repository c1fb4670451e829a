import { describe, expect, it } from "vitest";
import { disconnectErp } from "../../src/core/erp-connections/operations/disconnect-erp.ts";
import { listErp } from "../../src/core/erp-connections/operator-connection.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { A_STORE } from "../support/thorough.ts";

const ACCESS = {
  url: "https://pod.fa.example.com",
  user: "AR_SVC",
  password: "the erp's own password",
  unchecked: "on",
};

describe.each(A_STORE)("an ERP that is connected already, on $name", ({ open }) => {
  const site = useAuthApp(open);

  it("is asked about before it is connected again, as any user, and its page says so [contract.pages.erp-twin]", async () => {
    const { tenantId, browser } = await site.app.newcomer();
    const first = await browser.submit(await browser.open("/erp-connections"), "Connect ERP", ACCESS);
    expect(first.text).toContain("Saved. The ERP was not asked");
    const page = await browser.open("/erp-connections");
    const [{ id: connectionId } = { id: "" }] = await operate(site.app.core, tenantId, listErp, {});
    const label = "Connect it again: this user sees other invoices";
    expect(page.text).not.toContain(label);
    const again = { ...ACCESS, url: `${ACCESS.url.toUpperCase()}./`, user: "OTHER" };
    site.clock.advance(1_000);
    const asked = await browser.submit(page, "Connect ERP", again);
    expect(asked.status).toBe(400);
    expect(asked.text).toContain(
      `${label} This ERP is connected already, as AR_SVC: an invoice that both users see would come twice, and its customer be asked twice.`,
    );
    expect(await operate(site.app.core, tenantId, listErp, {})).toHaveLength(1);
    const done = await browser.submit(asked, "Connect ERP", { ...again, same_erp: "on" });
    expect(done.text).toContain("Saved. The ERP was not asked");
    expect(done.text).toContain("This ERP is connected twice, here and as OTHER: an invoice that both users see comes");
    expect(done.text).toContain(
      "This ERP is connected twice, here and as AR_SVC: an invoice that both users see comes",
    );
    await operate(site.app.core, tenantId, disconnectErp, { connectionId });
    const left = await browser.open("/erp-connections");
    expect(left.text).not.toContain("connected twice");
    // The first "Reconnect" of the page is that of the first connection.
    const refused = await browser.submit(left, "Reconnect", ACCESS);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("connected already, as OTHER")]);
    const both = await browser.submit(refused, "Reconnect", { ...ACCESS, same_erp: "on" });
    expect(both.text).toContain("connected twice, here and as OTHER");
  });
});
