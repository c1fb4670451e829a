import { expect, test } from "vitest";
import { connect, failure, signal, simulator } from "../support.ts";

const FIRST = 300_100_500_000_000_001n;
const account = (index: number, over: Record<string, unknown> = {}) => ({
  PartyId: FIRST + BigInt(index),
  PartyNumber: `P${index}`,
  OrganizationName: "Acme Ltd",
  PrimaryContactName: `Jo Doe ${index}`,
  PrimaryContactEmail: `jo.${index}@customers.example`,
  ...over,
});
const party = (index: number): string => String(FIRST + BigInt(index));

test("contacts are looked up in batches, by party, and only what is needed is asked for", async () => {
  const erp = await simulator({ accounts: [0, 1, 2, 3, 4].map((index) => account(index)) });
  const asked = [0, 1, 2, 3, 9].map(party);
  const contacts = await connect(erp.url, { idsPerQuery: 2 }).readBillingContacts([...asked, party(0), "x"], {
    signal,
  });
  expect([...contacts]).toEqual(
    [0, 1, 2, 3].map((index) => [
      party(index),
      { contactName: `Jo Doe ${index}`, email: `jo.${index}@customers.example` },
    ]),
  );
  expect(erp.requests).toHaveLength(3);
  expect(erp.requests[0]?.path).toBe("/crmRestApi/resources/11.13.18.05/accounts");
  expect(erp.requests[0]?.query).toMatchObject({
    q: `PartyId in (${party(0)},${party(1)})`,
    fields: "PartyId,PrimaryContactName,PrimaryContactEmail",
  });
});

test("a batch larger than a page is read whole", async () => {
  const erp = await simulator({ accounts: Array.from({ length: 25 }, (_, index) => account(index)) });
  const ids = Array.from({ length: 25 }, (_, index) => party(index));
  const contacts = await connect(erp.url, { pageSize: 10 }).readBillingContacts(ids, { signal });
  expect(contacts.size).toBe(25);
});

test.each([
  [null, null],
  ["", null],
  ["  ", null],
  [" n/a", "n/a"],
])("%j is told as %j: what mail can be sent to is not decided here", async (given, email) => {
  const { url } = await simulator({
    accounts: [account(0, { PrimaryContactEmail: given, PrimaryContactName: null })],
  });
  const contacts = await connect(url).readBillingContacts([party(0)], { signal });
  expect(contacts.get(party(0))).toEqual({ contactName: null, email });
});

test("a user who may not read accounts is told apart", async () => {
  const erp = await simulator();
  erp.control({ mode: "403" });
  expect((await failure(connect(erp.url).readBillingContacts([party(0)], { signal }))).kind).toBe(
    "authentication_failed",
  );
});

test("nobody to look up costs no request", async () => {
  const erp = await simulator();
  expect((await connect(erp.url).readBillingContacts([], { signal })).size).toBe(0);
  expect(erp.requests).toEqual([]);
});
