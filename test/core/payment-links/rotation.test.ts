import { beforeEach, describe, expect, it } from "vitest";
import { revokeApiKey } from "../../../auth/api-keys/revoke-api-key.ts";
import { ask, askOverRest, linkIn, type Owing, refusedBy } from "../../support/collecting.ts";
import { newKey } from "../../support/rest-app.ts";
import { A_STORE } from "../../support/thorough.ts";
import { useCollecting } from "../../support/use-collecting.ts";

describe.each(A_STORE)("payment links asked for again with the next API key on $name", ({ open }) => {
  const { app, book, act } = useCollecting(open, "stripe");
  let owing: Owing;
  let madeBefore = 0;

  beforeEach(async () => {
    owing = await book.owing("100.00");
    madeBefore = app.stripe.links.length;
  });

  const asked = () => ask(owing, 0, 1_000);

  it.each(["hang", "hang_after"] as const)(
    "are the one that a request with the key before was cut off at (%s) [completions.10.idempotency-workspace]",
    async (mode) => {
      app.stripe.control({ mode, times: 1 });
      expect(refusedBy(await askOverRest(app, book, asked(), "order-1"))).toMatchObject({ status: 500 });
      expect((await book.links()).map(({ state }) => state)).toEqual(["reserved"]);
      const key = await newKey(app.core, book.tenantId);
      await act(revokeApiKey, { id: book.admin.keyId });
      const again = await askOverRest(app, { key }, asked(), "order-1");
      expect(again.status).toBe(201);
      expect((await book.links()).map(({ state, url }) => [state, url])).toEqual([["active", linkIn(again.body).url]]);
      expect(app.stripe.links.slice(madeBefore).map(({ active }) => active)).toEqual([true]);
      expect((await askOverRest(app, { key }, asked(), "order-1")).text).toBe(again.text);
    },
  );
});
