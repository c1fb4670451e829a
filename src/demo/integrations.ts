import {
  connectIntegration,
  disconnectIntegration,
  listIntegrations,
} from "../core/payment-integrations/manage-integrations.ts";
import { createStripeSimulator } from "../gateways/payments/stripe-simulator/index.ts";
import { adminOf } from "./actors.ts";
import type { Scene } from "./scene.ts";

const KEYS = { secretKey: "sk_test_demo", webhookSecret: "whsec_demo" };

/** The admin connects the sandbox, with what the workspace can charge. */
export async function connectSandbox(scene: Scene): Promise<void> {
  const { core, tenantId, workspace } = scene;
  if ((await listIntegrations(core, tenantId)).length > 0) return;
  const currencies = [...workspace.currencies];
  await connectIntegration(core, tenantId, { provider: "sandbox", currencies }, await adminOf(scene));
}

/** The admin tries Stripe, a simulated one, and decides against it. */
export async function tryStripe(scene: Scene): Promise<void> {
  const { core, tenantId, workspace } = scene;
  const admin = await adminOf(scene);
  const tried = (await listIntegrations(core, tenantId)).find(({ provider }) => provider === "stripe");
  if (tried === undefined) {
    const stripe = createStripeSimulator({ secretKey: KEYS.secretKey });
    const apiBase = await stripe.listen();
    try {
      const currencies = workspace.currencies.slice(0, 1);
      await connectIntegration(core, tenantId, { provider: "stripe", currencies, keys: KEYS, apiBase }, admin);
    } finally {
      await stripe.close();
    }
  }
  if (tried?.status !== "disconnected") await disconnectIntegration(core, tenantId, { provider: "stripe" }, admin);
}
