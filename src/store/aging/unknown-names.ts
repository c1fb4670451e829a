/** Stands for the currency of an invoice that has none (service.md §4.10). */
export const UNKNOWN_CURRENCY = "UNKNOWN";

/** Stands for a customer without name and number. */
export const UNNAMED_CUSTOMER = "Unassigned";
