import type { Requirements } from "../requirements.ts";

export default {
  "pages.run.syncs": "the sync history tells each run's trigger, status, start, duration, figures and error in words",
  "pages.run.live": "a run that is under way is followed by a script; without it the page is read again",
  "pages.run.foreign": "another workspace's ids look like missing ones on the pages that run a workspace",
} satisfies Requirements;
