import agingReview from "./aging-review.ts";
import customerStatement from "./customer-statement.ts";
import heldReceipts from "./held-receipts.ts";
import overdueWorklist from "./overdue-worklist.ts";
import type { Prompt } from "./prompt.ts";

/** Every prompt of the assistant route, in the order people are shown them. */
export const prompts: readonly Prompt[] = [overdueWorklist, agingReview, customerStatement, heldReceipts];
