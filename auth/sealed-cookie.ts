import type { z } from "zod";
import type { Core } from "../src/core/gate/dependencies.ts";

/** What a browser keeps for us for `seconds`: encrypted, so that nobody else can read or make one. */
export function sealedCookie<V extends { expiresAt: number }>(place: string, seconds: number, Kept: z.ZodType<V>) {
  return {
    seal({ clock, secrets }: Pick<Core, "clock" | "secrets">, kept: Omit<V, "expiresAt">) {
      return secrets.encrypt(JSON.stringify({ ...kept, expiresAt: clock.now().getTime() + seconds * 1_000 }), place);
    },
    /** Null for one after its time, or that is not ours. */
    open({ clock, secrets }: Pick<Core, "clock" | "secrets">, cookie: string | undefined): V | null {
      try {
        const kept = Kept.parse(JSON.parse(secrets.decrypt(cookie ?? "", place)));
        return kept.expiresAt > clock.now().getTime() ? kept : null;
      } catch {
        return null;
      }
    },
  };
}
