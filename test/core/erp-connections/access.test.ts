import { randomUUID } from "node:crypto";
import { describe, expect, it, test, vi } from "vitest";
import { createApiKey } from "../../../auth/api-keys/create-api-key.ts";
import { addMember } from "../../../auth/members/add-member.ts";
import { checkErpAccess } from "../../../src/core/erp-access/check-access.ts";
import { connectErp } from "../../../src/core/erp-connections/operations/connect-erp.ts";
import { reconnectErp } from "../../../src/core/erp-connections/operations/reconnect-erp.ts";
import { setErp } from "../../../src/core/erp-connections/operations/set-erp.ts";
import { listErp } from "../../../src/core/erp-connections/operator-connection.ts";
import { operate } from "../../../src/core/gate/operator.ts";
import { createPaymentLink } from "../../../src/core/payment-links/operations/create-links.ts";
import { reserveDueRuns } from "../../../src/core/sync-runs/reserve-due-runs.ts";
import { createFusionSimulator, type FusionSimulatorOptions } from "../../../src/simulators/fusion/index.ts";
import { answering } from "../../gateways/erp/support.ts";
import { actAs } from "../../support/acting.ts";
import { callOnce } from "../../support/collecting.ts";
import { endlessErp } from "../../support/endless-server.ts";
import { makeTenant, usePullWorld } from "../../support/pulls.ts";
import { DATASET, erpInvoice, usePushWorld } from "../../support/pushes.ts";
import { served } from "../../support/served.ts";
import { rowsOf } from "../../support/stored.ts";
import { storesOf } from "../../support/stores.ts";

const settings = { provider: "oracle_fusion", username: "integration", password: "password" } as const;

describe.each(storesOf(import.meta.url))("what an ERP's address may lead to on $name", ({ open }) => {
  const world = usePullWorld(open);
  const { core } = world;

  it("[contract.edges.erp.person-address] the internet where a person named it, until an operator names it again", async () => {
    const tenantId = await makeTenant(core);
    const { id: memberId } = await operate(core, tenantId, addMember, {
      email: `${randomUUID()}@acme.example`,
      role: "admin",
    });
    const by = { tenantId, memberId };
    const reach = async (): Promise<string | undefined> =>
      (await operate(core, tenantId, listErp, {}))[0]?.address_reach;
    const url = "https://erp.acme-pod.com/pod";
    const { id: connectionId } = await actAs(core, by, connectErp, { ...settings, url });
    expect(await reach()).toBe("public");
    await expect(actAs(core, by, connectErp, { ...settings, url: "http://127.0.0.1:9" })).rejects.toThrow();
    const again = { connectionId, password: "another" };
    await actAs(core, by, reconnectErp, { ...again, url });
    expect(await reach()).toBe("public");
    await operate(core, tenantId, reconnectErp, again);
    expect(await reach()).toBe("public");
    await operate(core, tenantId, reconnectErp, { ...again, url });
    expect(await reach()).toBe("any");
    await actAs(core, by, reconnectErp, { ...again, url });
    expect(await reach()).toBe("any");
    await actAs(core, by, reconnectErp, { ...again, url: "https://other.acme-pod.com" });
    expect(await reach()).toBe("public");
  });

  it("a demo's people may name this machine", async () => {
    const core = { ...world.core, localErps: true };
    const tenantId = await makeTenant(core);
    const { id: memberId } = await operate(core, tenantId, addMember, {
      email: `${randomUUID()}@acme.example`,
      role: "admin",
    });
    const by = { tenantId, memberId };
    await actAs(core, by, connectErp, { ...settings, url: "http://localhost:4010" });
    expect((await operate(core, tenantId, listErp, {}))[0]?.address_reach).toBe("any");
  });
});

test("the check of an ERP whose schedules have no end ends with the bound [completions.7.bounds]", async () => {
  const { url, requests } = await endlessErp("schedule");
  await expect(check(url)).rejects.toMatchObject({
    details: [{ field: "url", message: expect.stringMatching(/2000 installments of an invoice/) }],
  });
  expect(requests.length).toBeLessThan(10);
});

test("ERPs of a workspace are asked two at a time, and another workspace's beside them [completions.7.bounds]", async () => {
  const { promise: all, resolve: answerAll } = Promise.withResolvers<void>();
  const asked: string[] = [];
  const url = await served(async ({ url: path }, response) => {
    asked.push(path?.split("/")[1] ?? "");
    await all;
    response.end("<html>");
  });
  const checks = Promise.allSettled(["a", "a", "a", "b"].map((workspace) => check(`${url}/${workspace}`, workspace)));
  await vi.waitFor(() => expect(asked.toSorted()).toEqual(["a", "a", "b"]));
  answerAll();
  await checks;
  expect(asked.toSorted()).toEqual(["a", "a", "a", "b"]);
});

const check = (baseUrl: string, tenantId: string = randomUUID()) =>
  checkErpAccess(
    tenantId,
    "oracle_fusion",
    { baseUrl, username: "U", password: "P", reach: "any" },
    { check: "refuse", signal: undefined },
  );

test.each([
  ["a page", "<html>"],
  ["an empty object", {}],
])("an address that answers with %s leads to no ERP [completions.7.form]", async (_name, body) => {
  await expect(check(await answering(body))).rejects.toMatchObject({
    details: [
      {
        field: "url",
        message: expect.stringMatching(/^leads to no ERP that answers now: Something other than the ERP/),
      },
    ],
  });
});

describe.each(storesOf(import.meta.url))(
  "an ERP connection that was moved to another address, on $name",
  ({ open }) => {
    const world = usePushWorld(open);
    const { core, clock, pull, connection, invoice, act } = world;

    async function moved(dataset: FusionSimulatorOptions = { invoices: [erpInvoice("far", [500n])] }) {
      const { connectionId } = world;
      clock.advance(60_000);
      await pull();
      const { base_url: home } = await connection();
      const other = createFusionSimulator(dataset);
      const url = await other.listen();
      await act(reconnectErp, { connectionId, password: "x", url });
      return { home, other };
    }

    it("is asked about when the ERP it left is connected again, until it was synced [contract.pages.erp-left]", async () => {
      const { home, other } = await moved();
      const given = { provider: "oracle_fusion", url: home, username: "integration", password: "p" } as const;
      const message = expect.stringContaining(`the connection ${world.connectionId}`);
      const refusal = { code: "validation_failed", details: [{ field: "sameErp", message }] };
      await expect(act(connectErp, given)).rejects.toMatchObject(refusal);
      clock.advance(60_000);
      expect(await pull()).toMatchObject({ status: "succeeded" });
      await act(connectErp, given);
      await other.close();
    });

    it("is synced at once, not after its interval [completions.7.first-sync]", async () => {
      const { connectionId } = world;
      await act(setErp, { connectionId, autoSync: true, intervalMinutes: 1440 });
      const { other } = await moved();
      await reserveDueRuns(core);
      const running = await rowsOf(core.store, world.tenantId, "sync_runs", { connection_id: connectionId });
      expect(running.map(({ status }) => status)).toContain("running");
      await other.close();
    });

    it("has no links made on its invoices until it was synced, as another ERP may give their ids to others [contract.pages.erp-moved]", async () => {
      const { other } = await moved(DATASET);
      const { invoice_id, installments } = await invoice("one");
      const { id: keyId } = await act(createApiKey, { name: "admin", permission: "admin" });
      const admin = { kind: "api_key", tenantId: world.tenantId, keyId, permission: "admin" } as const;
      const issue = () =>
        callOnce(core, createPaymentLink, admin, { invoice_id, installment_id: installments[0]?.installment_id });
      const message = expect.stringContaining("has yet to be synced there");
      const details = [{ field: "invoice_id", message }];
      await expect(issue()).rejects.toMatchObject({ code: "conflict", message, details });
      clock.advance(60_000);
      await pull();
      // What is asked after it: no provider takes payments for this service.
      await expect(issue()).rejects.toMatchObject({ code: "integration_unavailable" });
      await other.close();
    });
  },
);
