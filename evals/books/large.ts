import { randomBytes, randomUUID } from "node:crypto";
import { addMember } from "../../auth/members/add-member.ts";
import { listMembers } from "../../auth/members/member.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { businessDate } from "../../src/core/kernel/calendar.ts";
import { connectIntegration } from "../../src/core/payment-integrations/operations/connect-integration.ts";
import { createWorkspace } from "../../src/core/workspace/operations/create-workspace.ts";
import { advanceAging } from "../../src/store/aging/rollup.ts";
import { type Book, openService, type Workspace } from "./book.ts";
import { writeAftermath } from "./large-aftermath.ts";
import { writeLedger } from "./large-ledger.ts";
import { tellStory } from "./large-story.ts";
import { openPlace, PLACES, type PlaceName } from "./place.ts";
import { plantHostileInvoices } from "./planted.ts";

const NAME = "Great Lakes Supply";
const TIMEZONE = "America/Chicago";
const CURRENCIES = ["USD", "CAD", "EUR", "GBP", "JPY"];

/** A book of 100,000 installments; null, and said, without a server where it needs one. */
export async function openLarge(store: PlaceName = "postgresql"): Promise<Book | null> {
  const place = await openPlace(store);
  if (place === null) return null;
  try {
    const service = await openService(place.environment);
    const workspace = await fill({ ...service.core, store: service.core.store.patient });
    await place.settle(service.core.store);
    return {
      name: `100,000 installments on ${PLACES[store]}`,
      url: service.url,
      store: service.core.store,
      main: workspace,
      held: workspace,
      async close() {
        await service.close();
        await place.clear();
      },
    };
  } catch (error) {
    await place.clear();
    throw error;
  }
}

async function fill(core: Core): Promise<Workspace> {
  const tenantId = randomUUID();
  const place = { tenantId, today: businessDate(core.clock.now(), TIMEZONE) };
  await operate(core, tenantId, createWorkspace, {
    name: NAME,
    timezone: TIMEZONE,
    api_access: true,
    assistant_access: true,
  });
  const login = (role: string) => ({ email: `${role}@lakes.example`, password: randomBytes(15).toString("base64url") });
  const [admin, member] = [login("admin"), login("member")];
  await operate(core, tenantId, addMember, { ...admin, name: "Ada Olsen", role: "admin" });
  await operate(core, tenantId, addMember, { ...member, name: "Mel Ray", role: "member" });
  const connections = await writeLedger(core.store, place);
  // What customers can pay in is known now, and with it every figure of the ledger is computed.
  await operate(core, tenantId, connectIntegration, { provider: "sandbox", currencies: CURRENCIES, confirmed: true });
  await tellStory(core, place);
  const memberId =
    (await operate(core, tenantId, listMembers, {})).find(({ email }) => email === admin.email)?.id ?? "";
  await writeAftermath(core.store, { ...place, timezone: TIMEZONE, memberId, connections });
  await plantHostileInvoices(core, NAME);
  await core.store.write(tenantId, (tx) => advanceAging(tx, tenantId, place.today));
  return { name: NAME, admin, member };
}
