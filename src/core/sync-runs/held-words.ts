import type { WouldRetire } from "../../store/tables/erp.ts";
import { counted } from "../kernel/counted.ts";
import { formatStored } from "../kernel/money.ts";

/** Business units that a message names. */
const MAX_NAMED = 5;

/** A business unit's missing invoices, or those without one. */
interface MissingUnit {
  readonly unit: string | null;
  readonly invoices: number;
  readonly amounts: readonly { currency: string | null; outstanding: string }[];
}

/** What is missing by business unit, each with what its invoices owe by currency. */
export function missingByUnit({ missing }: WouldRetire): MissingUnit[] {
  return [...Map.groupBy(missing, (part) => part.business_unit)].map(([unit, parts]) => ({
    unit,
    invoices: parts.reduce((sum, { invoices }) => sum + invoices, 0),
    amounts: parts
      .filter(({ owing }) => owing > 0)
      .map(({ currency, outstanding }) => ({ currency, outstanding: formatStored(outstanding, currency) })),
  }));
}

/** When the first of the missing invoices was not found any more. */
export const missingSince = ({ missing }: WouldRetire): string => missing.map(({ since }) => since).sort()[0] ?? "";

/** What a held run found, as every caller reads it. */
export function heldInWords(wouldRetire: WouldRetire): string {
  const sum = (count: "invoices" | "owing"): number => wouldRetire.missing.reduce((all, part) => all + part[count], 0);
  const units = missingByUnit(wouldRetire);
  const named = units.slice(0, MAX_NAMED).map(({ unit, invoices, amounts }) => {
    const sums = amounts.map(({ currency, outstanding }) => `${outstanding} ${currency ?? "of an unknown currency"}`);
    return `${unit ?? "no business unit"}: ${[counted(invoices, "invoice"), ...sums].join(", ")}`;
  });
  const more = units.length - named.length;
  const all = [...named, ...(more > 0 ? [`${counted(more, "more business unit")}`] : [])].join("; ");
  return `The ERP no longer shows ${counted(sum("invoices"), "invoice")}, ${sum("owing")} of the ${wouldRetire.owing} that still owe (${all}). None was retired: an admin confirms that they are gone, or has the ERP show them again.`;
}
