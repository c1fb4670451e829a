import { z } from "zod";
import { listSigningKeys, rotateSigningKey } from "../../../auth/signing-keys.ts";
import { type Command, command } from "../command.ts";

export const signingKeyCommands: readonly Command[] = [
  command("signing-key rotate", {
    summary: "sign access tokens with a new key; the old one checks its own until they have expired",
    note: "Nobody has to sign in again. The new key signs in a few seconds, once every process knows it.",
    input: z.strictObject({}),
    run: ({ core }) => rotateSigningKey(core),
  }),
  command("signing-key list", {
    summary: "the keys that access tokens are signed and checked with, and those that were",
    input: z.strictObject({}),
    run: ({ core }) => listSigningKeys(core),
  }),
];
