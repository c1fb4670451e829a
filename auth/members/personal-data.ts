import { z } from "zod";
import { operation } from "../../src/core/gate/operation.ts";
import { orNotFound, ServiceError } from "../../src/core/kernel/error.ts";
import type { Transaction } from "../../src/store/store.ts";
import { Email } from "./member.ts";
import { eraseAccount, eraseInWorkspace, findWhom, keptInDirectory } from "./personal-data-queries.ts";

/** Both are an operator's, of members, earlier members and people who were invited. */
const OPERATORS = { callers: ["operator"], permission: "admin", scope: null, allTenants: true } as const;
const input = z.strictObject({ email: Email });

async function known(tx: Transaction, tenantId: string, email: string) {
  const found = orNotFound(await findWhom(tx, tenantId, email), "person", `with the email ${email} is known here`);
  return found;
}

const audited = (memberIds: readonly string[], tenantId: string) => {
  const [id] = memberIds;
  return id === undefined ? { type: "workspace", id: tenantId } : { type: "member", id };
};

const Rows = z.record(z.string(), z.array(z.record(z.string(), z.string().nullable())));

/** All that is kept about a person in a workspace, and of their account; by table, without secrets. Throws `not_found`. */
export const exportMember = operation({
  id: "exportMember",
  summary: "Export what is kept about a person",
  ...OPERATORS,
  sideEffects: "None, but for its audit entry.",
  input,
  output: z.strictObject({ workspace: Rows, account: Rows }),
  async run({ tx, actor: { tenantId }, audit }, { email }) {
    const { whom, kept } = await known(tx, tenantId, email);
    audit(audited(whom.memberIds, tenantId));
    return { workspace: kept, account: whom.personId === null ? {} : await keptInDirectory(tx, whom.personId) };
  },
});

/**
 * Takes the name and addresses of a person who is no member any more out of a workspace, and their account with the last one. What
 * they did stays, by nobody's name. Throws `not_found`, and `conflict` for a member.
 */
export const eraseMember = operation({
  id: "eraseMember",
  summary: "Erase a person",
  errors: ["conflict"],
  ...OPERATORS,
  sideEffects: "Cannot be undone. Their account, sessions and second factor go with the last workspace.",
  input,
  output: z.strictObject({ account: z.enum(["erased", "kept", "none"]) }),
  async run({ tx, actor: { tenantId }, audit, now }, { email }) {
    const { whom, isLive } = await known(tx, tenantId, email);
    if (isLive) throw new ServiceError("conflict", `${email} is a member: remove them first.`);
    await eraseInWorkspace(tx, whom, now);
    audit(audited(whom.memberIds, tenantId));
    return { account: whom.personId === null ? ("none" as const) : await eraseAccount(tx, whom.personId) };
  },
});
