import { describe, expect, it } from "vitest";
import { taskAssignedMail } from "../../../src/core/tasks/task-mail.ts";
import { HOSTILE, tagsOf } from "./support.ts";

describe("the mail about a task", () => {
  const URL_OF_TASK = "https://receivables.example.test/tasks/00000000-0000-4000-8000-000000000001";
  const TASK = {
    workspace_name: "Acme Ltd",
    invoice_number: "INV-7",
    customer_name: "Globex",
    collection_outstanding: "1250.5",
    currency: "USD",
    collection_due_date: "2026-03-31",
    task_id: "00000000-0000-4000-8000-000000000001",
  };

  it("names the invoice, who owes it and how much [completions.7.mail-task]", () => {
    const { subject, text, html } = taskAssignedMail(TASK, URL_OF_TASK);
    expect(subject).toBe("Acme Ltd: Invoice INV-7 needs a payment arrangement");
    for (const part of ["Customer: Globex", "Outstanding: 1,250.50 USD", "Earliest due date: 31 Mar 2026", URL_OF_TASK])
      expect(text).toContain(part);
    expect(html).toContain("1,250.50 USD");
    expect(html).toContain(`<a href="${URL_OF_TASK}"`);
    expect(
      taskAssignedMail({ ...TASK, invoice_number: null, customer_name: null, collection_due_date: null }, URL_OF_TASK)
        .text,
    ).not.toMatch(/null|Customer:|due date:/);
  });

  it.each(HOSTILE)("shows %j as the text it is [completions.7.mail-escaped]", (name) => {
    const mail = taskAssignedMail(
      { ...TASK, workspace_name: name, customer_name: name, invoice_number: name },
      URL_OF_TASK,
    );
    expect(tagsOf(mail.html)).toEqual(tagsOf(taskAssignedMail(TASK, URL_OF_TASK).html));
    expect(mail.subject).not.toMatch(/[\r\n]/);
  });
});
