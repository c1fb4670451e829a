import { createRequire } from "node:module";
import type Stripe from "stripe";

const load = createRequire(import.meta.url);

/** Stripe's own library, two hundred files of it: loaded when a workspace that has Stripe first asks for something. */
export function stripeSdk(): typeof Stripe {
  return load("stripe");
}
