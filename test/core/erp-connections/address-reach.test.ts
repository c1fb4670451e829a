import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { addMember } from "../../../auth/members/add-member.ts";
import { connectErp, listErp, reconnectErp } from "../../../src/core/erp-connections/manage-connections.ts";
import { operate } from "../../../src/core/operator.ts";
import { makeTenant, usePullWorld } from "../../support/pulls.ts";
import { STORES } from "../../support/stores.ts";

const settings = { provider: "oracle_fusion", username: "integration", password: "password" } as const;

describe.each(STORES)("what an ERP's address may lead to on $name", ({ open }) => {
  const world = usePullWorld(open);

  it("[contract.edges.erp.person-address] the internet where a person named it, until an operator names it again", async () => {
    const { core } = world();
    const tenantId = await makeTenant(core);
    const { id: memberId } = await operate(core, tenantId, addMember, {
      email: `${randomUUID()}@acme.example`,
      role: "admin",
    });
    const by = { memberId, requestId: randomUUID() };
    const reach = async (): Promise<string | undefined> => (await listErp(core, tenantId))[0]?.address_reach;
    const url = "https://erp.acme-pod.com/pod";
    const { id: connectionId } = await connectErp(core, tenantId, { ...settings, url }, by);
    expect(await reach()).toBe("public");
    await expect(connectErp(core, tenantId, { ...settings, url: "http://127.0.0.1:9" }, by)).rejects.toThrow();
    const again = { connectionId, password: "another" };
    await reconnectErp(core, tenantId, { ...again, url }, by);
    expect(await reach()).toBe("public");
    await reconnectErp(core, tenantId, again);
    expect(await reach()).toBe("public");
    await reconnectErp(core, tenantId, { ...again, url });
    expect(await reach()).toBe("any");
    await reconnectErp(core, tenantId, { ...again, url }, by);
    expect(await reach()).toBe("any");
    await reconnectErp(core, tenantId, { ...again, url: "https://other.acme-pod.com" }, by);
    expect(await reach()).toBe("public");
  });

  it("a demo's people may name this machine", async () => {
    const core = { ...world().core, localErps: true };
    const tenantId = await makeTenant(core);
    const { id: memberId } = await operate(core, tenantId, addMember, {
      email: `${randomUUID()}@acme.example`,
      role: "admin",
    });
    const by = { memberId, requestId: randomUUID() };
    await connectErp(core, tenantId, { ...settings, url: "http://localhost:4010" }, by);
    expect((await listErp(core, tenantId))[0]?.address_reach).toBe("any");
  });
});
