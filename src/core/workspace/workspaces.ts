import { z } from "zod";
import type { Transaction } from "../../store/store.ts";
import { ASSISTANT_MODES } from "../gate/actor.ts";
import type { ByOperator } from "../gate/operator.ts";
import { workStep } from "../gate/work-step.ts";
import { canonicalTimezone } from "../kernel/calendar.ts";
import { orNotFound, ServiceError } from "../kernel/error.ts";
import { lineOf, Uuid } from "../kernel/wire-types.ts";
import { isNameTaken, selectWorkspace, selectWorkspaces, type WorkspaceRecord } from "./workspace-queries.ts";

/** Topic of the notice that a workspace's assistants lost access; the payload is its id. Their requests are stopped. */
export const ASSISTANTS_STOPPED = "assistants_stopped";

/** Topic of the notice that a workspace's assistants may only read now; the payload is its id. Their writes are stopped. */
export const ASSISTANTS_ONLY_READ = "assistants_only_read";

/** Schemas of a workspace's settings. */
export const WorkspaceInput = {
  name: lineOf(200).describe("what people see"),
  timezone: z
    .string()
    .transform(canonicalTimezone)
    .pipe(z.string("must be an IANA time zone name such as America/New_York"))
    .describe("IANA name, such as Europe/Zurich; its calendar says what is overdue"),
  api_access: z.boolean().describe("whether API keys of the workspace work"),
  assistant_access: z.boolean().describe("whether assistants reach the workspace"),
  assistants: z
    .enum(ASSISTANT_MODES)
    .describe("whether assistants may only read, regardless of their scopes, or also write"),
};

/**
 * A workspace (tenant) as operators see it; what its tier grants is `api_access` and `assistant_access` (completions §1).
 * `assistants` is what assistants may do at most, regardless of their scopes (completions §11).
 */
export const WorkspaceSchema = z.strictObject({
  id: Uuid,
  name: z.string(),
  timezone: z.string(),
  api_access: z.boolean(),
  assistant_access: z.boolean(),
  assistants: z.enum(ASSISTANT_MODES),
  created_at: z.string(),
});
export type Workspace = z.output<typeof WorkspaceSchema>;

/** Every workspace, by name. */
export const listWorkspaces = ({ core }: ByOperator) => allWorkspaces(core);

const allWorkspaces = workStep({
  in: "all workspaces",
  run: async ({ tx, shards }) => (await selectWorkspaces(tx, shards)).map(asWorkspace),
});

/** The workspace of that id or exact name. Throws `not_found`. */
export const findWorkspace = ({ core }: ByOperator, nameOrId: string) => workspaceNamed(core, nameOrId);

const workspaceNamed = workStep({
  in: "directory",
  run: async ({ tx }, nameOrId: string) =>
    asWorkspace(
      orNotFound(
        await selectWorkspace(tx, nameOrId),
        "workspace",
        `named ${JSON.stringify(nameOrId)}: workspace list shows all`,
      ),
    ),
});

/** Operators name workspaces by their names, so that these are unique. Throws `conflict`. */
export async function assertNameIsFree(tx: Transaction, name: string, workspaceId: string) {
  if (await isNameTaken(tx, name, workspaceId))
    throw new ServiceError("conflict", "There is a workspace of this name already.");
}

export function asWorkspace({ tenant_id: id, created_at, ...rest }: WorkspaceRecord): Workspace {
  return { id, ...rest, created_at };
}
