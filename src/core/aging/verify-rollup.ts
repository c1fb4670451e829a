import { z } from "zod";
import { type AgingVerification, verifyAging } from "../../store/aging/verify.ts";
import { OPERATORS_READ, operation } from "../gate/operation.ts";

/** Compares a workspace's aging roll-up with its book, and changes nothing. */
export const verifyRollup = operation({
  id: "verifyRollup",
  summary: "Compare the roll-up that aging reports are read from with the book",
  ...OPERATORS_READ,
  input: z.strictObject({}),
  output: z.custom<AgingVerification>(),
  run: ({ tx, actor }) => verifyAging(tx, actor.tenantId),
});
