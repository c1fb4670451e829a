import type { BillingContact } from "../gateway.ts";
import type { FusionHttp } from "./http.ts";
import { readRows } from "./paging.ts";
import { Account, checked } from "./schema.ts";

/** Customers' account records live beside the financials, on the CRM's base path. */
export const ACCOUNTS = "/crmRestApi/resources/11.13.18.05/accounts";

const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/** The billing contacts of some parties; what is plainly no mail address is taken for none. */
export async function readContacts(
  http: FusionHttp,
  partyIds: readonly string[],
  pageSize: number,
  signal: AbortSignal,
): Promise<Map<string, BillingContact>> {
  const listing = {
    path: ACCOUNTS,
    query: {
      q: `PartyId in (${partyIds.join(",")})`,
      fields: "PartyId,PrimaryContactName,PrimaryContactEmail",
    },
    idAttribute: "PartyId",
    pageSize,
    toRow: (item: unknown) => checked(Account, item, "an account"),
    idOf: (account: { PartyId: string }) => account.PartyId,
  };
  const contacts = new Map<string, BillingContact>();
  for await (const accounts of readRows(http, listing, signal)) {
    for (const { PartyId, PrimaryContactName, PrimaryContactEmail } of accounts) {
      const email = PrimaryContactEmail !== null && ADDRESS.test(PrimaryContactEmail) ? PrimaryContactEmail : null;
      contacts.set(PartyId, { contactName: PrimaryContactName, email });
    }
  }
  return contacts;
}
