import { expect, inject, it } from "vitest";
import { removeMember } from "../../auth/members/remove-member.ts";
import { holdFigures } from "../../src/core/collection/collection-queries.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { connectIntegration } from "../../src/core/payment-integrations/operations/connect-integration.ts";
import { Browser } from "../support/browser.ts";
import { rowOf } from "../support/stored.ts";
import { signedIn } from "../support/threats/requests.ts";
import { useThreatSite } from "../support/threats/site.ts";

const site = useThreatSite(inject("postgresUrl") === null ? "embedded" : "postgres");

it("a provider stays connected whose admin is removed while they disconnect it [completions.1.removed-acts]", async ({
  skip,
}) => {
  const { core } = site.service;
  const { store } = core;
  if (store.kind === "embedded") return skip("it has one connection");
  const { id: tenantId } = await site.addWorkspace();
  await site.addPerson(tenantId, { role: "admin" });
  const { email } = await site.addPerson(tenantId, { role: "admin" });
  await operate(core, tenantId, connectIntegration, { provider: "sandbox", currencies: ["USD"] });
  const browser = new Browser(site.origin);
  await signedIn(browser, email);
  const page = await browser.open(`/integrations/${tenantId}/sandbox/disconnect`);
  const [freed, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = store.patient.write(tenantId, async (tx) => {
    await holdFigures(tx, tenantId);
    held.resolve();
    await freed.promise;
  });
  await held.promise;
  const answer = browser.submit(page, "Disconnect");
  // It waits for the figures by then, and the removal for it.
  await new Promise((resolve) => setTimeout(resolve, 700));
  const removed = operate(core, tenantId, removeMember, { member: { email } });
  await new Promise((resolve) => setTimeout(resolve, 700));
  freed.resolve();
  await Promise.all([holder, removed]);
  expect((await answer).text).toContain("This was not done: your access was changed meanwhile.");
  expect(await rowOf(store, tenantId, "payment_integrations")).toMatchObject({ status: "connected" });
});
