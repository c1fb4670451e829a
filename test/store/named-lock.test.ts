import { describe, expect, inject, it } from "vitest";
import { holdFigures } from "../../src/core/collection/collection-queries.ts";
import { takeIdempotencyScope } from "../../src/store/idempotency.ts";
import { onOwnDatabase } from "../support/stores.ts";

const [own, other] = ["00000000-0000-4000-8000-000000000002", "00000000-0000-4000-8000-000000000001"];

describe.skipIf(inject("postgresUrl") === null)("a key of a request", () => {
  it("was made to be the name of another workspace's lock, and is not [pages.security.locks]", () =>
    onOwnDatabase(async (store) => {
      // With PostgreSQL's own hash of names it has the number of that workspace's figures.
      const scope = { tenant_id: own, caller: "workspace", idempotency_key: "E5KoncARXLp122YHG@!<D+vdhHWo" };
      await store.directory(async (tx) => {
        expect(await takeIdempotencyScope(tx, scope)).toBe(true);
        await store.brisk.write(other, (theirs) => holdFigures(theirs, other));
        expect(await store.directory((again) => takeIdempotencyScope(again, scope))).toBe(false);
      });
    }));
});
