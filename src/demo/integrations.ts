import { operate } from "../core/gate/operator.ts";
import { connectIntegration } from "../core/payment-integrations/operations/connect-integration.ts";
import { disconnectIntegration } from "../core/payment-integrations/operations/disconnect-integration.ts";
import { listIntegrations } from "../core/payment-integrations/operator-integration.ts";
import { createStripeSimulator } from "../simulators/stripe/index.ts";
import { adminOf } from "./actors.ts";
import type { Scene } from "./scene.ts";

const KEYS = { secretKey: "sk_test_demo", webhookSecret: "whsec_demo" };

/** The admin connects the sandbox, with what the workspace can charge. */
export async function connectSandbox(scene: Scene): Promise<void> {
  const { core, tenantId, workspace } = scene;
  if ((await operate(core, tenantId, listIntegrations, {})).length > 0) return;
  const currencies = [...workspace.currencies];
  const request = { core, requestId: core.newId() };
  await connectIntegration.call(await adminOf(scene), { provider: "sandbox", currencies, confirmed: true }, request);
}

/** The admin tries Stripe, a simulated one, and decides against it. */
export async function tryStripe(scene: Scene): Promise<void> {
  const { core, tenantId, workspace } = scene;
  const admin = await adminOf(scene);
  const request = { core, requestId: core.newId() };
  const tried = (await operate(core, tenantId, listIntegrations, {})).find(({ provider }) => provider === "stripe");
  if (tried === undefined) {
    const stripe = createStripeSimulator({ secretKey: KEYS.secretKey });
    const apiBase = await stripe.listen();
    try {
      const currencies = workspace.currencies.slice(0, 1);
      await connectIntegration.call(
        admin,
        { provider: "stripe", currencies, keys: KEYS, apiBase, confirmed: true },
        request,
      );
    } finally {
      await stripe.close();
    }
  }
  if (tried?.status !== "disconnected") await disconnectIntegration.call(admin, { provider: "stripe" }, request);
}
