/** Stands for the currency of an invoice that has none (service.md §4.10). */
export const UNKNOWN_CURRENCY = "UNKNOWN";

/** Begins the key of an invoice without a customer; its id follows (service.md §2.6). */
export const UNASSIGNED = "unassigned:";

/** Stands for a customer without name and number. */
export const UNNAMED_CUSTOMER = "Unassigned";
