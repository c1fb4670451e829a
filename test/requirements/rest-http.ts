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
} satisfies Requirements;
