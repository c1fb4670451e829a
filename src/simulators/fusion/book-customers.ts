import type { Random } from "./random.ts";
import type { FusionItem } from "./records.ts";

/** A made-up party to bill. */
export interface BookCustomer {
  readonly partyId: bigint;
  readonly number: string;
  readonly name: string;
}

/** Names that are easy to get wrong somewhere: wildcards, quotes, markup, other scripts, one name twice. */
export const trickyNames = [
  "100% Natural_Foods",
  "O'Brien & Söhne",
  '"Quoted" Trading',
  "<b>Bold</b> & Partners",
  "株式会社ひかり",
  "شركة النور للتجارة",
  "Северный Ветер",
  "Ελληνική Ναυτιλία",
  "C:\\Freight\\Lines",
  "Meridian Supplies",
  "Meridian Supplies",
] as const;

const FIRST = [
  "Alder",
  "Birch",
  "Cobalt",
  "Delta",
  "Ember",
  "Fjord",
  "Granite",
  "Harbor",
  "Indigo",
  "Juniper",
] as const;
const LAST = ["Logistics", "Textiles", "Foods", "Metals", "Optics", "Paper"] as const;

/** Ordinary company names, enough of them for a book of some hundred invoices. */
export const plainNames: readonly string[] = FIRST.flatMap((first) => LAST.map((last) => `${first} ${last}`));

/** One customer a name, numbered from `firstPartyId` on. */
export function makeCustomers(names: readonly string[], firstPartyId: bigint): BookCustomer[] {
  return names.map((name, index) => ({ partyId: firstPartyId + BigInt(index), number: String(1001 + index), name }));
}

/**
 * Account records. Of every ten customers one has a contact without email, one an invalid email, and the last has no record at
 * all. The first three always have a valid email.
 */
export function makeAccounts(customers: readonly BookCustomer[], random: Random): FusionItem[] {
  return customers.flatMap(({ partyId, number, name }, index) => {
    const kind = index % 10;
    if (kind === 9) return [];
    const contact = random.pick(["Jo Doe", "Ann-Marie O'Neil", "Łukasz Żak", "Accounts payable"]);
    const email = kind === 7 ? null : kind === 8 && index > 10 ? "n/a" : `ap.${number}@customers.example`;
    return [
      {
        PartyId: partyId,
        PartyNumber: number,
        OrganizationName: name,
        PrimaryContactName: kind === 6 ? null : contact,
        PrimaryContactEmail: email,
      },
    ];
  });
}
