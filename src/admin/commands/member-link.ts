import { z } from "zod";
import { linkMember } from "../../../auth/identities/link-member.ts";
import { listLinks } from "../../../auth/identities/member-link.ts";
import { unlinkMember } from "../../../auth/identities/unlink-member.ts";
import { Email } from "../../../auth/members/member.ts";
import { operate } from "../../core/gate/operator.ts";
import { findWorkspace } from "../../core/workspace/workspaces.ts";
import { IssuerUrl } from "../../settings.ts";
import { type Command, command, flags } from "../command.ts";
import { WorkspaceOption } from "../inputs.ts";

const Issuer = IssuerUrl.clone().register(flags, { value: "URL", description: "who knows the person, to the letter" });
const Subject = z
  .string()
  .min(1)
  .max(255)
  .register(flags, { value: "SUB", description: "what the issuer calls the person (the claim sub)" });

export const memberLinkCommands: readonly Command[] = [
  command({
    noun: "member",
    verb: "link",
    summary: "tell who a member is to an OpenID provider or external issuer",
    input: z.strictObject({
      workspace: WorkspaceOption,
      email: Email.clone().register(flags, { value: "EMAIL", description: "the member's email address" }),
      issuer: Issuer,
      subject: Subject,
    }),
    async run({ core }, { workspace, ...link }) {
      return operate(core, (await findWorkspace(core, workspace)).id, linkMember, link);
    },
  }),
  command({
    noun: "member",
    verb: "unlink",
    summary: "take that back: sessions and connections that came through it end at once",
    input: z.strictObject({ workspace: WorkspaceOption, issuer: Issuer, subject: Subject }),
    async run({ core }, { workspace, ...identity }) {
      return operate(core, (await findWorkspace(core, workspace)).id, unlinkMember, identity);
    },
  }),
  command({
    noun: "member",
    verb: "links",
    summary: "the members whom an OpenID provider or external issuer knows",
    input: z.strictObject({ workspace: WorkspaceOption }),
    async run({ core }, { workspace }) {
      return listLinks(core, (await findWorkspace(core, workspace)).id);
    },
  }),
];
