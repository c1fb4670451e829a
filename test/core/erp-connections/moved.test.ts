import { describe, expect, it } from "vitest";
import { createApiKey } from "../../../auth/api-keys/create-api-key.ts";
import { connectErp } from "../../../src/core/erp-connections/operations/connect-erp.ts";
import { reconnectErp } from "../../../src/core/erp-connections/operations/reconnect-erp.ts";
import { setErp } from "../../../src/core/erp-connections/operations/set-erp.ts";
import { createPaymentLink } from "../../../src/core/payment-links/operations/create-links.ts";
import { reserveDueRuns } from "../../../src/core/sync-runs/reserve-due-runs.ts";
import { createFusionSimulator, type FusionSimulatorOptions } from "../../../src/simulators/fusion/index.ts";
import { callOnce } from "../../support/collecting.ts";
import { DATASET, erpInvoice, usePushWorld } from "../../support/pushes.ts";
import { rowsOf } from "../../support/stored.ts";
import { storesOf } from "../../support/stores.ts";

describe.each(storesOf(import.meta.url))(
  "an ERP connection that was moved to another address, on $name",
  ({ open }) => {
    const world = usePushWorld(open);
    const { core, clock, pull, connection, invoice, act } = world;

    async function moved(dataset: FusionSimulatorOptions = { invoices: [erpInvoice("far", [500n])] }) {
      const { connectionId } = world;
      clock.advance(60_000);
      await pull();
      const { base_url: home } = await connection();
      const other = createFusionSimulator(dataset);
      const url = await other.listen();
      await act(reconnectErp, { connectionId, password: "x", url });
      return { home, other };
    }

    it("is asked about when the ERP it left is connected again, until it was synced [contract.pages.erp-left]", async () => {
      const { home, other } = await moved();
      const given = { provider: "oracle_fusion", url: home, username: "integration", password: "p" } as const;
      const message = expect.stringContaining(`the connection ${world.connectionId}`);
      const refusal = { code: "validation_failed", details: [{ field: "sameErp", message }] };
      await expect(act(connectErp, given)).rejects.toMatchObject(refusal);
      clock.advance(60_000);
      expect(await pull()).toMatchObject({ status: "succeeded" });
      await act(connectErp, given);
      await other.close();
    });

    it("is synced at once, not after its interval [completions.7.first-sync]", async () => {
      const { connectionId } = world;
      await act(setErp, { connectionId, autoSync: true, intervalMinutes: 1440 });
      const { other } = await moved();
      await reserveDueRuns(core);
      const running = await rowsOf(core.store, world.tenantId, "sync_runs", { connection_id: connectionId });
      expect(running.map(({ status }) => status)).toContain("running");
      await other.close();
    });

    it("has no links made on its invoices until it was synced, as another ERP may give their ids to others [contract.pages.erp-moved]", async () => {
      const { other } = await moved(DATASET);
      const { invoice_id, installments } = await invoice("one");
      const { id: keyId } = await act(createApiKey, { name: "admin", permission: "admin" });
      const admin = { kind: "api_key", tenantId: world.tenantId, keyId, permission: "admin" } as const;
      const issue = () =>
        callOnce(core, createPaymentLink, admin, { invoice_id, installment_id: installments[0]?.installment_id });
      const message = expect.stringContaining("has yet to be synced there");
      const details = [{ field: "invoice_id", message }];
      await expect(issue()).rejects.toMatchObject({ code: "conflict", message, details });
      clock.advance(60_000);
      await pull();
      // What is asked after it: no provider takes payments for this service.
      await expect(issue()).rejects.toMatchObject({ code: "integration_unavailable" });
      await other.close();
    });
  },
);
