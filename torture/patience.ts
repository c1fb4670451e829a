/** How long what was not answered is sent again: the longest hold of a request that died is a minute. */
export const LAST_ANSWERS_MS = 100_000;
/** The pause before that. */
export const AGAIN_MS = 700;
/** Requests at once, once the load is over. */
export const AT_ONCE_LAST = 8;
