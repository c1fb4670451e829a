import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addMember } from "../../auth/members/add-member.ts";
import { listMembers } from "../../auth/members/member.ts";
import { analyze, startDatabase } from "../../bench/database.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { connectIntegration } from "../../src/core/payment-integrations/operations/connect-integration.ts";
import { businessDate } from "../../src/core/shared/calendar.ts";
import { createWorkspace } from "../../src/core/workspace/operations/create-workspace.ts";
import { advanceAging } from "../../src/store/aging/rollup.ts";
import { type Book, openService, type Workspace } from "./book.ts";
import { writeAftermath } from "./large-aftermath.ts";
import { writeLedger } from "./large-ledger.ts";
import { tellStory } from "./large-story.ts";
import { plantHostileInvoices } from "./planted.ts";

const NAME = "Great Lakes Supply";
const TIMEZONE = "America/Chicago";
const CURRENCIES = ["USD", "CAD", "EUR", "GBP", "JPY"];

/** A book of 100,000 installments on a PostgreSQL server; null, and said, without a server. */
export async function openLarge(): Promise<Book | null> {
  const database = await startDatabase();
  if (database === null) return null;
  const dataDir = mkdtempSync(join(tmpdir(), "receivables-questions-"));
  const clear = async () => {
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const key = randomBytes(32).toString("base64");
    const service = await openService({ DATABASE_URL: database.url, DATA_DIR: dataDir, ENCRYPTION_KEY: key });
    const workspace = await fill({ ...service.core, store: service.core.store.patient });
    await analyze(database.url);
    return {
      name: "100,000 installments on PostgreSQL",
      url: service.url,
      store: service.core.store,
      main: workspace,
      held: workspace,
      async close() {
        await service.close();
        await clear();
      },
    };
  } catch (error) {
    await clear();
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
  const memberId = (await listMembers(core, tenantId)).find(({ email }) => email === admin.email)?.id ?? "";
  await writeAftermath(core.store, { ...place, timezone: TIMEZONE, memberId, connections });
  await plantHostileInvoices(core, NAME);
  await core.store.write(tenantId, (tx) => advanceAging(tx, tenantId, place.today));
  return { name: NAME, admin, member };
}
