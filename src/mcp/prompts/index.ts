import agingReview from "./aging-review.ts";
import customerStatement from "./customer-statement.ts";
import dailyChanges from "./daily-changes.ts";
import dueSoon from "./due-soon.ts";
import heldReceipts from "./held-receipts.ts";
import monthEndCollections from "./month-end-collections.ts";
import overdueWorklist from "./overdue-worklist.ts";
import type { Prompt } from "./prompt.ts";
import whyNotCollectible from "./why-not-collectible.ts";

/** Every prompt of the assistant route, in the order people are shown them. */
export const prompts: readonly Prompt[] = [
  overdueWorklist,
  dueSoon,
  dailyChanges,
  monthEndCollections,
  agingReview,
  customerStatement,
  whyNotCollectible,
  heldReceipts,
];
