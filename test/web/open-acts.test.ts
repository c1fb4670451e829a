import { type ErrorRequestHandler, Router } from "express";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { removeMember } from "../../auth/members/remove-member.ts";
import { setMemberRole } from "../../auth/members/set-member-role.ts";
import { operation } from "../../src/core/gate/operation.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { members } from "../../src/web/kit/doors.ts";
import { sendFailure } from "../../src/web/kit/error-page.ts";
import { stopActs } from "../../src/web/kit/open-acts.ts";
import { serving } from "../../src/web/kit/routes.ts";
import { Site } from "../../src/web/kit/site.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { rowOf } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

const ACT = "/test/act";
let begun = 0;

/** Changes the workspace, and goes on with it until it is stopped, for ten seconds at most. */
const longAct = operation({
  id: "longAct",
  tag: "Workspace",
  summary: "Test",
  description: "Test",
  callers: ["person"],
  permission: "admin",
  scope: null,
  sideEffects: "Test",
  input: z.strictObject({}),
  output: z.strictObject({}),
  errors: [],
  async run({ tx, actor, audit }) {
    await tx.updateTable("tenants").set({ name: "Changed" }).where("tenant_id", "=", actor.tenantId).execute();
    begun += 1;
    for (let step = 0; step < 200; step += 1) await sql`select pg_sleep(0.05)`.execute(tx);
    audit(null);
    return {};
  },
});

describe.each(A_STORE)("an act on a page, on $name", ({ open }) => {
  const site = useAuthApp(open, {
    beside(core, publicOrigin) {
      // As the service does.
      core.store.subscribe(stopActs);
      const act = members.get(ACT, async (visit) => {
        await visit.call(longAct, {});
        visit.show({ title: "Done", body: "done" });
      });
      const failed: ErrorRequestHandler = (error, _request, response, _next) =>
        sendFailure(response, error, { log: core.log, event: "test.failed", title: "Failed" });
      return Router().use(serving(new Site(core, publicOrigin), [{ routes: [act] }]), failed);
    },
  });

  it.each([
    ["removed", removeMember, {}],
    ["no admin any more", setMemberRole, { role: "member" }],
  ] as const)(
    "is not waited for and commits nothing once its member is %s [completions.1.removed-acts]",
    async (_, end, more) => {
      const { core } = site.app;
      if (core.store.kind === "embedded") return;
      const [{ tenantId, browser, email }, before] = [await site.app.newcomer("admin"), begun];
      await site.app.addPerson(tenantId, { role: "admin" });
      const answer = browser.open(ACT);
      await expect.poll(() => begun).toBe(before + 1);
      const asked = performance.now();
      await operate(core, tenantId, end, { member: { email }, ...more });
      expect(performance.now() - asked).toBeLessThan(3_000);
      expect((await answer).text).toContain("This was not done: your access was changed meanwhile.");
      expect(await rowOf(core.store, tenantId, "tenants")).not.toMatchObject({ name: "Changed" });
    },
  );

  it("commits nothing once its session has ended [completions.1.removed-acts]", async () => {
    const { core } = site.app;
    if (core.store.kind === "embedded") return;
    const [{ tenantId, browser, email }, before] = [await site.app.newcomer("admin"), begun];
    const own = await site.app.signedIn(email);
    const answer = browser.open(ACT);
    await expect.poll(() => begun).toBe(before + 1);
    await own.submit(await own.open("/security"), "Sign out all others");
    expect((await answer).text).toContain("This was not done: your access was changed meanwhile.");
    expect(await rowOf(core.store, tenantId, "tenants")).not.toMatchObject({ name: "Changed" });
    expect((await own.open("/security")).status).toBe(200);
  });
});
