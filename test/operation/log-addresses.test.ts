import { expect, it, vi } from "vitest";
import { inviteMember } from "../../auth/invitations/invite-member.ts";
import { serviceLog } from "../../src/telemetry/log.ts";
import { refusal, smtpServer } from "../gateways/mail/support.ts";
import { actAs } from "../support/acting.ts";
import { openBook } from "../support/book.ts";
import { peopleOf } from "../support/people.ts";
import { startService } from "../support/service.ts";
import { A_KIND } from "../support/stores.ts";

it("the log holds no address of a member that a mail server repeats [contract.operation.log-redaction]", async () => {
  const mailServer = await smtpServer({
    onRcptTo: ({ address }, _session, answer) => answer(refusal(550, `5.1.1 <${address}>: ${address}\u001b unknown`)),
  });
  const lines: string[] = [];
  const refused = await startService(A_KIND, {
    log: serviceLog("trace", { write: (line) => void lines.push(line) }),
    environment: { SMTP_URL: `smtp://127.0.0.1:${mailServer.port}` },
  });
  try {
    const { tenantId } = await openBook(refused.core.store, { name: "Acme" });
    const { memberId } = await peopleOf(refused.core).addPerson(tenantId);
    await actAs(refused.core, { tenantId, memberId }, inviteMember, {
      email: "j.o'neil@example.com",
      role: "member",
    });
    await vi.waitFor(() => expect(lines.join("")).toContain("mail.failed"), { timeout: 30_000 });
  } finally {
    await refused.close();
  }
  const told = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === "mail.failed");
  expect(told).toMatchObject({ kind: "invitation", workspace: "Acme" });
  expect(told.err.message).toContain("5.1.1 <[email]>: [email]");
  lines.length = 0;
  serviceLog("info", { write: (line) => void lines.push(line) }).info(
    { url: "/users?q=jo%40example.com&limit=1" },
    "erp",
  );
  expect(lines.join("")).toContain('[email]&limit=1"');
  expect(lines.join("")).not.toMatch(/neil|example\.com/);
});
