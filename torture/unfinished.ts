import type { Core } from "../src/core/gate/dependencies.ts";
import type { Load } from "./load.ts";
import type { Mailing } from "./mailing.ts";
import { paidAt, type Rows, rowsOf } from "./rows.ts";
import type { Tenant } from "./tenant.ts";

/** What the service has left to do for a tenant. */
export function unfinished({ links, payments, runs }: Rows, tenant: Tenant, { beside }: Load): string[] {
  const done = ["applied", "not_required"];
  return [
    ...links
      .filter((row) => row.state === "reserved" || row.withdrawal_due)
      .map((row) => `link ${row.payment_link_id}`),
    ...payments
      .filter((row) => !done.includes(row.erp_push_status ?? "not_required"))
      .map((row) => `payment ${row.payment_id} is ${row.erp_push_status}: ${row.erp_push_error?.code ?? ""}`),
    ...runs.filter((row) => row.status === "running").map((row) => `run ${row.sync_run_id}`),
    ...paidAt(tenant)
      .filter((id) => payments.every((row) => row.provider_payment_id !== id))
      .map((id) => `payment ${id} of the provider`),
    ...payments
      .filter(
        ({ provider_payment_id: id, refunded_minor }) =>
          BigInt(refunded_minor) !== (beside.refunded.get(id ?? "") ?? 0n),
      )
      .map((row) => `payment ${row.payment_id}: refunded ${row.refunded_minor}`),
    ...payments
      .filter(({ provider_payment_id: id, disputed }) => disputed !== (beside.disputed.get(id ?? "") ?? false))
      .map((row) => `payment ${row.payment_id}: disputed ${row.disputed}`),
  ];
}

/** Emails that were to go out at the first time, and have not. */
export async function unsentMails(core: Core, { tenant, firstAt }: Mailing): Promise<string[]> {
  const { links } = await rowsOf(core, tenant);
  const isWaiting = (row: Rows["links"][number]): boolean =>
    row.state === "active" && row.email_status === "scheduled" && (row.email_send_at ?? firstAt) <= firstAt;
  return links.filter(isWaiting).map((row) => `the email of ${row.payment_link_id}`);
}
