import type { Membership } from "../../../auth/connections.ts";
import type { Invitation } from "../../../auth/invitations/list-invitations.ts";
import type { Member } from "../../../auth/members/member.ts";
import type { Role } from "../../core/gate/actor.ts";
import { buttonForm, confirmation, type FormField, input, select } from "../kit/fields.ts";
import { emailAddress, type Html, html } from "../kit/html.ts";
import { ROLE_NAMES, timeElement } from "../kit/words.ts";

/** A workspace's people as its admin sees them. */
interface MembersView {
  /** The admin's own membership. */
  workspace: Membership;
  members: readonly Member[];
  invitations: readonly Invitation[];
  /** The hidden field of a form with this action. */
  formField: (action: string) => Html;
  /** The hidden field that names the form to invite. */
  once: Html;
  /** A form to invite that was not accepted: what was typed, and why. */
  refused: { email: string; role: Role; problem: string } | null;
}

/** The section of a workspace: who is in it, who is invited, and the form to invite. */
export function membersSection(view: MembersView): Html {
  const { workspace, members, invitations } = view;
  return html`<section>
<h2>${workspace.name}</h2>
<p class="quiet">Times are in ${workspace.timezone}.</p>
<div class="wide"><table class="people">
<caption class="unseen">Members of ${workspace.name}</caption>
<thead><tr><th scope="col">Member</th><th scope="col">Role</th><th scope="col">Since</th><th scope="col">Change</th></tr></thead>
<tbody>${members.map((member) => memberRow(member, view))}</tbody>
</table></div>
${invitations.length > 0 && invitationTable(view)}
${inviteForm(view)}
</section>`;
}

function memberRow(member: Member, { workspace, members, formField }: MembersView): Html {
  const { id, email, name, role, created_at: since } = member;
  const path = `/members/${workspace.tenantId}/${id}`;
  const other: Role = role === "admin" ? "member" : "admin";
  const isLastAdmin = role === "admin" && members.filter((one) => one.role === "admin").length === 1;
  return html`<tr>
<th scope="row" id="member-${id}">${name ?? emailAddress(email)}${id === workspace.memberId && " (you)"}${name !== null && html`<br><span class="quiet">${emailAddress(email)}</span>`}</th>
<td data-label="Role">${ROLE_NAMES[role]}</td>
<td data-label="Since">${timeElement(since, workspace.timezone)}</td>
<td>${
    isLastAdmin
      ? html`<span class="quiet">The only admin: stays until there is another.</span>`
      : html`${buttonForm(formField, `${path}/role`, html`<input type="hidden" name="role" value="${other}"><button class="plain" aria-describedby="member-${id}">Make ${other}</button>`)}
<a class="danger" href="${path}/remove" aria-describedby="member-${id}">${id === workspace.memberId ? "Leave" : "Remove"}</a>`
  }</td>
</tr>`;
}

function invitationTable({ workspace, invitations, formField }: MembersView): Html {
  return html`<h3>Invited</h3>
<div class="wide"><table class="people">
<caption class="unseen">Invitations to ${workspace.name} that wait for an answer</caption>
<thead><tr><th scope="col">Email</th><th scope="col">Role</th><th scope="col">Invited by</th><th scope="col">Good until</th><th scope="col">Withdraw</th></tr></thead>
<tbody>${invitations.map(({ id, email, role, invitedBy, expiresAt }) => {
    const action = `/members/${workspace.tenantId}/invitations/${id}/withdraw`;
    return html`<tr>
<th scope="row" id="invitation-${id}">${email}</th>
<td data-label="Role">${ROLE_NAMES[role]}</td>
<td data-label="Invited by">${invitedBy}</td>
<td data-label="Good until">${timeElement(expiresAt, workspace.timezone)}</td>
<td>${buttonForm(formField, action, html`<button class="danger" aria-describedby="invitation-${id}">Withdraw</button>`)}</td>
</tr>`;
  })}</tbody>
</table></div>`;
}

function inviteForm({ workspace: { tenantId, name }, formField, once, refused }: MembersView): Html {
  const action = `/members/${tenantId}`;
  return html`<h3 id="invite-${tenantId}">Invite somebody to ${name}</h3>
<form class="card" method="post" action="${action}" aria-labelledby="invite-${tenantId}">${formField(action)}${once}
${input(
  {
    id: `email-${tenantId}`,
    name: "email",
    label: "Email",
    hint: "They get a link by mail that works once, for seven days.",
    problem: refused?.problem,
  },
  html`type="email" value="${refused?.email}" required maxlength="254" autocomplete="off"`,
)}
${select(
  { id: `role-${tenantId}`, name: "role", label: "Role" },
  [
    { value: "member", label: "Member: reads everything, changes nothing" },
    { value: "admin", label: "Admin: also acts, and manages members, keys and connections" },
  ],
  refused?.role ?? "member",
)}
<div class="actions"><button>Invite</button></div></form>`;
}

/** Asks an admin to confirm that a member is to be removed. */
export function removeView({ tenantId, name, memberId }: Membership, member: Member, formField: FormField): Html {
  const path = `/members/${tenantId}/${member.id}/remove`;
  const back = { path: "/members" };
  if (member.id === memberId)
    return confirmation({
      question: `Leave ${name}?`,
      consequences: [
        `Every assistant you have connected to ${name} stops at once.`,
        `You see nothing of ${name} any more, and the invitations you sent end.`,
        "What you did stays in the audit trail. To come back you have to be invited again.",
      ],
      ...{ action: path, formField, button: "Leave", back: { ...back, words: "Stay" } },
    });
  return confirmation({
    question: `Remove ${member.name ?? member.email} from ${name}?`,
    consequences: [
      `Every assistant they have connected to ${name} stops at once.`,
      `They see nothing of ${name} any more, and the invitations they sent end.`,
      "What they did stays in the audit trail. To come back they have to be invited again.",
    ],
    action: path,
    formField,
    button: "Remove",
    back: { ...back, words: "Keep them" },
  });
}
