import type { Requirements } from "../requirements.ts";

export default {
  "service.2.9.request-id": "request_id echoes X-Request-Id, which every response carries",
  "service.4.headers": "every response carries RateLimit-* headers, errors too",
  "service.7.paths": "unknown paths are 404 not_found",
  "service.7.method": "a path without that method is 405 with Allow",
  "service.7.validation":
    "schema violations and unknown parameters are validation_failed with details naming each field",
  "service.7.media-type": "a body of another type is 415",
  "service.8.body-size": "a body over 64 KiB is 413",
  "completions.13.etag":
    "single reads and aging answer an ETag, and 304 without a body where If-None-Match names it by weak comparison (RFC 9110 §13.1.2); lists and refusals have none",
  "completions.13.etag-fields":
    "the ETag of an aging report is another one whenever a field of it is, and the same while none is",
  "completions.13.etag-cost": "an aging report that the caller has is not computed",
  "service.7.conflict-retry": "a conflict has Retry-After where a retry helps, which the description says and declares",
} satisfies Requirements;
