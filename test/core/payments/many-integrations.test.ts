import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { connectIntegration } from "../../../src/core/payment-integrations/operations/connect-integration.ts";
import { disconnectIntegration } from "../../../src/core/payment-integrations/operations/disconnect-integration.ts";
import { forgetIntegration } from "../../../src/core/payment-integrations/operations/forget-integration.ts";
import { listIntegrations } from "../../../src/core/payment-integrations/operator-integration.ts";
import { deactivatePaymentLink } from "../../../src/core/payment-links/operations/deactivate-payment-link.ts";
import { call } from "../../support/lists.ts";
import { multiply } from "../../support/multiply.ts";
import { storesOf } from "../../support/stores.ts";
import { useCollecting } from "../../support/use-collecting.ts";

describe.each(storesOf(import.meta.url))("many integrations on $name", ({ open }) => {
  const { app, book, store, act } = useCollecting(open, "stripe");

  it("keep none from its links: one that 60 came after is found by its id [completions.12.same-account]", async () => {
    const { id } = await book.issue();
    await act(disconnectIntegration, { provider: "stripe" });
    await store.write(book.tenantId, (tx) =>
      multiply(tx, "payment_integrations", {
        which: sql`one.payment_integration_id = ${book.integrationId}`,
        count: 60,
        changes: sql`jsonb_build_object('payment_integration_id', gen_random_uuid(), 'account', 'acct_of_others',
          'created_at', one.created_at + n * interval '1 millisecond')`,
      }),
    );
    const keys = { secretKey: "sk_test_1", webhookSecret: "whsec_new" };
    await act(connectIntegration, { ...{ provider: "stripe", currencies: ["USD"], apiBase: app.stripe.url }, keys });
    const listed = await act(listIntegrations, {});
    expect([listed.length, listed.some((one) => one.id === book.integrationId)]).toEqual([51, false]);
    await call(app.core, deactivatePaymentLink, book.admin, { payment_link_id: id });
    expect(await book.links()).toMatchObject([{ state: "deactivated", withdrawal_due: false }]);
    await act(forgetIntegration, { provider: "stripe", integration: book.integrationId });
  });
});
