import { z } from "zod";
import { ROLLUP_TABLES } from "../../../store/aging/rollup.ts";
import { BOOK_TABLES } from "../../../store/statistics.ts";
import { lockTenantFigures } from "../../collection/collection-queries.ts";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { AcceptDoubtful, LocalInvoiceInput } from "../local-invoice.ts";
import { assertAcceptable, writeLocalInvoice } from "../write-local-invoice.ts";

const Input = z.strictObject({
  ...LocalInvoiceInput,
  invoiceDate: LocalInvoiceInput.invoiceDate.default(null),
  dueDate: LocalInvoiceInput.dueDate.default(null),
  customerEmail: LocalInvoiceInput.customerEmail.default(null),
  installments: LocalInvoiceInput.installments.default([]),
  confirmed: AcceptDoubtful,
});

/**
 * Makes an invoice that exists only in the service (service.md §2.3, origin `local`), without an ERP customer. Where no installments
 * are given it is one. Answers its id and theirs, in the order given. Throws `validation_failed`, for what has to be confirmed too.
 */
export const createLocalInvoice = operation({
  id: "createLocalInvoice",
  summary: "Make an invoice that exists only in the service",
  ...SETTINGS_CHANGE,
  sideEffects: "Workflows look at the invoice as at any other.",
  idempotency: true,
  input: Input,
  output: z.strictObject({ id: Uuid, installment_ids: z.array(Uuid) }),
  /** As after a sync: of hundreds that plans know nothing of, what is read holds everybody up. */
  async prepare({ core, actor: { tenantId } }) {
    const taken = core.store.takeStatistics({ tenantId, tables: [...BOOK_TABLES, ...ROLLUP_TABLES] });
    await taken.catch((err: unknown) => core.log.warn({ tenantId, err }, "invoices.figures.not_ready"));
  },
  async run(context, { confirmed, ...given }) {
    const { tx, actor, core, now, audit } = context;
    await lockTenantFigures(tx, actor.tenantId);
    await assertAcceptable(context, given, { invoiceId: null, confirmed });
    const id = core.newId();
    const at = { invoiceId: id, createdAt: now };
    const installmentIds = await writeLocalInvoice(context, at, given, []);
    audit({ type: "invoice", id });
    return { id, installment_ids: installmentIds };
  },
});
