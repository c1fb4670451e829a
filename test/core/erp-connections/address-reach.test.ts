import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { addMember } from "../../../auth/members/add-member.ts";
import { connectErp } from "../../../src/core/erp-connections/operations/connect-erp.ts";
import { reconnectErp } from "../../../src/core/erp-connections/operations/reconnect-erp.ts";
import { listErp } from "../../../src/core/erp-connections/operator-connection.ts";
import { operate } from "../../../src/core/gate/operator.ts";
import { actAs } from "../../support/acting.ts";
import { makeTenant, usePullWorld } from "../../support/pulls.ts";
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
