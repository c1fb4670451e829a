import { randomUUID } from "node:crypto";
import { addMember } from "../../auth/members/add-member.ts";
import { hashPassword } from "../../auth/passwords.ts";
import type { Role } from "../../src/core/gate/actor.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { createWorkspace } from "../../src/core/workspace/operations/create-workspace.ts";
import { setRows } from "./stored.ts";

export const PASSWORD = "correct horse battery staple";
/** Hashing is slow on purpose, and a hash names its own cost: this one has nothing to protect. */
const passwordHash = await hashPassword(PASSWORD, { memory: 8, passes: 1, parallelism: 1 });

/** Makes the people of a test. */
export interface People {
  /** A workspace with assistants, under a name of its own. */
  addWorkspace(options?: { name?: string; assistantAccess?: boolean }): Promise<{ id: string; name: string }>;
  /** A person in a workspace, who signs in with {@link PASSWORD}; a new one unless `email` is somebody's. */
  addPerson(
    workspaceId: string,
    options?: { role?: Role; email?: string },
  ): Promise<{ email: string; memberId: string }>;
}

export function peopleOf(core: Core): People {
  return {
    async addWorkspace({ name = `Workspace ${randomUUID().slice(0, 8)}`, assistantAccess = true } = {}) {
      const tier = { api_access: true, assistant_access: assistantAccess };
      const { id } = await operate(core, core.newId(), createWorkspace, { name, timezone: "Europe/Berlin", ...tier });
      return { id, name };
    },
    async addPerson(workspaceId, { role = "admin", email = `${randomUUID()}@example.com` } = {}) {
      const { id } = await operate(core, workspaceId, addMember, { email, role });
      await setRows(core.store, null, "people", { password_hash: passwordHash }, { email });
      return { email, memberId: id };
    },
  };
}
