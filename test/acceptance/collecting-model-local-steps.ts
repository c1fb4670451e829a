import fc from "fast-check";
import { expect } from "vitest";
import { operate } from "../../src/core/gate/operator.ts";
import { createLocalInvoice } from "../../src/core/invoices/operations/create-local-invoice.ts";
import { editLocalInvoice } from "../../src/core/invoices/operations/edit-local-invoice.ts";
import { settleLocalInvoice } from "../../src/core/invoices/operations/settle-local-invoice.ts";
import { voidLocalInvoice } from "../../src/core/invoices/operations/void-local-invoice.ts";
import { MAILED } from "./collecting-model-book.ts";
import { follow } from "./collecting-model-concerns.ts";
import { dueDateOf, type Invoice, inHundredths, localInvoice, localPart, sum } from "./collecting-model-facts.ts";
import { figuresOf } from "./collecting-model-figures.ts";
import { codeOf, latest, pick, step } from "./collecting-model-step.ts";
import type { ModelWorld } from "./collecting-model-world.ts";

const amount = fc.constantFrom(10_000n, 20_000n, 30_000n, 60_000n, 90_000n);
const amounts = fc.array(amount, { minLength: 1, maxLength: 3 });

/** Makes an invoice of the model in the service, whose ids it then knows. */
async function makeLocal({ core, tenantId, ids }: ModelWorld, invoice: Invoice): Promise<void> {
  const made = await operate(core, tenantId, createLocalInvoice, {
    ...{ number: invoice.name, currency: invoice.currency, customerName: "Globex", confirmed: true },
    ...{ customerEmail: MAILED, ...amountsOf(invoice.parts.map(({ original }) => original)) },
  });
  ids.invoices.set(invoice, made.id);
  invoice.parts.forEach((part, index) => void ids.parts.set(part, made.installment_ids[index] ?? ""));
}

/** Amounts with two decimals as an invoice made in the service is told of them, due as the model has them. */
const amountsOf = (amounts: readonly bigint[]) => ({
  amount: inHundredths(sum(amounts)),
  installments: amounts.map((amount, index) => ({ dueDate: dueDateOf(index), amount: inHundredths(amount) })),
});

/** A person makes an invoice that no ERP has. */
export const makeInvoice = amounts.map((given) =>
  step(`make a local invoice of ${given.join(" ")}`, async (world) => {
    const { book } = world;
    const made = localInvoice(`local ${book.locals.length + 1}`, given, book.now);
    await makeLocal(world, made);
    book.locals.push(made);
  }),
);

/** Does something to one of them, the latest being 0. */
const toLocal = (
  words: string,
  which: number,
  run: (world: ModelWorld, own: Invoice, facts: NonNullable<Invoice["local"]>, invoiceId: string) => Promise<void>,
) =>
  step(`${words} local invoice ${which}`, async (world) => {
    const own = pick(world.book.locals, which);
    if (own?.local == null) return;
    await run(world, own, own.local, world.ids.invoices.get(own) ?? "");
    world.book.withdrawBeyondDebt();
    world.book.endTasks();
  });

/** The code an edit is refused with: never after money came, nor into another currency than it was noted in. */
function refusal({ book }: ModelWorld, own: Invoice, currency: string | undefined): string | null {
  if (own.local?.voided === true || figuresOf(book, own).collected > 0n) return "conflict";
  const isOther = currency !== undefined && currency !== own.seen.currency;
  return isOther && own.local?.settled !== 0n ? "validation_failed" : null;
}

/** A person changes its amounts, its currency or both. */
export const editInvoice = fc
  .record({
    which: latest,
    given: fc.option(amounts, { nil: undefined }),
    currency: fc.constantFrom(undefined, undefined, "USD", "EUR"),
  })
  .map(({ which, given, currency }) =>
    toLocal(`edit to ${given?.join(" ")} in ${currency}`, which, async (world, own, _facts, invoiceId) => {
      const { core, tenantId, ids } = world;
      const expected = refusal(world, own, currency);
      const edit = { invoiceId, currency, ...(given === undefined ? {} : amountsOf(given)), confirmed: true };
      const answer = operate(core, tenantId, editLocalInvoice, edit);
      expect(await codeOf(answer)).toBe(expected);
      if (expected !== null) return;
      if (currency !== undefined) own.seen.currency = currency;
      const { installment_ids: installmentIds } = await answer;
      const live = own.parts.filter(({ seen }) => !seen.removed);
      for (const part of live.slice(given?.length ?? live.length)) part.seen.removed = true;
      given?.forEach((one, index) => {
        const part = live[index] ?? localPart(own, index, one);
        part.seen.balance = one;
        if (live[index] === undefined) own.parts.push(part);
        ids.parts.set(part, installmentIds[index] ?? "");
      });
    }),
  );

/** Money for it came another way: so much, or all that is owed. */
export const settleInvoice = fc
  .record({ which: latest, part: fc.option(amount, { nil: null, freq: 3 }) })
  .map(({ which, part }) =>
    toLocal(`note ${part ?? "all that is owed"} elsewhere on`, which, async (world, own, facts, invoiceId) => {
      const owed = sum(own.parts.filter(({ seen }) => !seen.removed).map((one) => world.book.outstanding(one)));
      const noted = part ?? owed;
      const settling = { invoiceId, amount: inHundredths(noted), date: "2026-01-05", reference: "a transfer" };
      const code = await codeOf(operate(world.core, world.tenantId, settleLocalInvoice, settling));
      const expected =
        noted === 0n ? "validation_failed" : facts.voided ? "conflict" : noted > owed ? "validation_failed" : null;
      expect(code).toBe(expected);
      if (code === null) facts.settled += noted;
    }),
  );

export const voidInvoice = latest.map((which) =>
  toLocal("void", which, async ({ core, tenantId, book }, own, facts, invoiceId) => {
    await operate(core, tenantId, voidLocalInvoice, { invoiceId });
    const isNew = !facts.voided;
    facts.voided = true;
    if (isNew) follow(book, own);
  }),
);
