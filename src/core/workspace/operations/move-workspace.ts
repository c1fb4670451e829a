import { z } from "zod";
import { type Move, moveTenant } from "../../../store/placement/move-tenant.ts";
import { preparedOperation } from "../../gate/prepared-operation.ts";
import { ServiceError } from "../../kernel/error.ts";
import { Uuid } from "../../kernel/wire-types.ts";

const ONE_SERVER = "All workspaces lie on one server: there are no workers to move them between.";
const BUSY = "Another workspace is being moved: one at a time.";

/** Moves a workspace to another worker of a distributed store, while it goes on working. Throws `conflict` and `validation_failed`. */
export const moveWorkspace = preparedOperation({
  id: "moveWorkspace",
  summary: "Move a workspace to another worker",
  errors: ["conflict"],
  callers: ["operator"],
  permission: "admin",
  scope: null,
  sideEffects: "Writers of the workspace wait for a moment; nothing of it changes.",
  input: z.strictObject({ to: z.string() }),
  output: z.strictObject({ workspace_id: Uuid, from: z.string(), to: z.string() }),
  prepare: async ({ actor: { tenantId }, core }, { to }) => moved(await moveTenant(core.store, tenantId, to), to),
  async run({ actor: { tenantId: id }, audit }, _, { outcome, from, to }) {
    audit(outcome === "moved" ? { type: "workspace", id, details: { from, to } } : null);
    return { workspace_id: id, from, to };
  },
});

function moved(move: Move, to: string): Extract<Move, { readonly from: string }> {
  switch (move.outcome) {
    case "moved":
    case "there_already":
      return move;
    case "one_server":
      throw new ServiceError("conflict", ONE_SERVER);
    case "busy":
      throw new ServiceError("conflict", BUSY);
    case "unknown_worker":
      throw new ServiceError("validation_failed", `There is no worker ${to}; there are: ${move.workers.join(", ")}.`);
    case "unready":
      throw new ServiceError("conflict", `Workers need settings to move what is in use: ${lackingOf(move.lacking)}.`);
  }
}

const lackingOf = (lacking: readonly { readonly worker: string; readonly setting: string }[]): string =>
  lacking.map(({ worker, setting }) => `${worker} lacks ${setting}`).join("; ");
