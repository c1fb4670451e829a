import type { Selectable } from "kysely";
import type { Core } from "../src/core/gate/dependencies.ts";
import { verifyAging } from "../src/store/aging/verify.ts";
import type { SyncRunRow } from "../src/store/tables/erp.ts";
import type { InstallmentRow } from "../src/store/tables/invoices.ts";
import type { PaymentRow } from "../src/store/tables/payments.ts";
import { type EmailedLink, emailedLinks } from "../test/support/emailed-links.ts";
import type { Tenant } from "./tenant.ts";

/** What the store has of a tenant in the end. */
export interface Rows {
  links: EmailedLink[];
  payments: Selectable<PaymentRow>[];
  installments: Selectable<InstallmentRow>[];
  runs: Selectable<SyncRunRow>[];
  /** Installments whose invoice is no longer in the ERP. */
  retired: Set<string>;
  /** Rows by which the aging roll-up and the book differ. */
  agingDifferences: number;
}

export function rowsOf({ store }: Core, { id: tenantId }: Tenant): Promise<Rows> {
  return store.read(tenantId, async (tx) => ({
    links: await emailedLinks(tx, tenantId),
    payments: await tx.selectFrom("payments").selectAll().where("tenant_id", "=", tenantId).execute(),
    installments: await tx.selectFrom("installments").selectAll().where("tenant_id", "=", tenantId).execute(),
    runs: await tx.selectFrom("sync_runs").selectAll().where("tenant_id", "=", tenantId).execute(),
    retired: new Set(
      (
        await tx
          .selectFrom("installments")
          .innerJoin("invoices", (join) =>
            join
              .onRef("invoices.invoice_id", "=", "installments.invoice_id")
              .onRef("invoices.tenant_id", "=", "installments.tenant_id"),
          )
          .select("installments.installment_id")
          .where("installments.tenant_id", "=", tenantId)
          .where("invoices.retired_at", "is not", null)
          .execute()
      ).map((row) => row.installment_id),
    ),
    agingDifferences: (await verifyAging(tx, tenantId)).differences,
  }));
}

/** The provider's ids of everything customers have paid. */
export function paidAt({ stripe }: Tenant): string[] {
  const paid = stripe.events.filter(({ type }) => type === "payment_intent.succeeded");
  return paid.map(({ payload }) => JSON.parse(payload).data.object.id);
}
