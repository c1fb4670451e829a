import { stampRenamed, tenantsWithRenamed } from "../../store/renamed-members.ts";
import { workStep } from "../gate/work-step.ts";

/** Stamps what names members who were changed while their workspace was busy, for callers who poll. */
export const stampRenamedMembers = workStep({
  name: "stampRenamedMembers",
  find: ({ tx, shards }) => tenantsWithRenamed(tx, shards),
  run: ({ tx, tenantId }) => stampRenamed(tx, tenantId),
});
