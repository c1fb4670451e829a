import { z } from "zod";
import { Instant, Uuid } from "../shared/validation.ts";

/** completions §4. */
export const PaymentIntegration = z.strictObject({
  id: Uuid,
  provider: z.enum(["stripe", "sandbox"]),
  status: z.enum(["connected", "disconnected"]),
  currencies: z.array(z.string().length(3)).describe("ISO 4217"),
  created_at: Instant,
  livemode: z.boolean().describe("Real money"),
});
