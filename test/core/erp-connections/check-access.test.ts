import { expect, test } from "vitest";
import { checkErpAccess } from "../../../src/core/erp-access/check-access.ts";
import { answering } from "../../gateways/erp/support.ts";
import { endlessErp } from "../../support/endless-server.ts";

test("the check of an ERP whose schedules have no end ends with the bound [completions.7.bounds]", async () => {
  const { url, requests } = await endlessErp("schedule");
  await expect(check(url)).rejects.toMatchObject({
    details: [{ field: "url", message: expect.stringMatching(/2000 installments of an invoice/) }],
  });
  expect(requests.length).toBeLessThan(10);
});

const check = (baseUrl: string) =>
  checkErpAccess(
    "oracle_fusion",
    { baseUrl, username: "U", password: "P", reach: "any" },
    { check: "refuse", signal: undefined },
  );

test.each([
  ["a page", "<html>"],
  ["an empty object", {}],
])("an address that answers with %s leads to no ERP [completions.7.form]", async (_name, body) => {
  await expect(check(await answering(body))).rejects.toMatchObject({
    details: [
      {
        field: "url",
        message: expect.stringMatching(/^leads to no ERP that answers now: Something other than the ERP/),
      },
    ],
  });
});
