import type { Door } from "./doors.ts";

const SEEN: Door = ["signin", "200", "200", "200"];
/** For admins of the workspace that is looked at: a stranger's own, where none is named. */
const ADMINS: Door = ["signin", "403", "200", "200"];
/** A mail of a preview that has none. */
const NO_MAIL: Door = ["signin", "403", "404", "404"];
/** A workflow that is on in the one workspace, and off in a stranger's own. */
const ADMINS_WHERE_ON: Door = ["signin", "403", "200", "303"];
/** A form whose address has to name its workspace, which is not named here: doors.test.ts names it. */
const NOWHERE: Door = ["signin", "403", "404", "404"];

/** The pages and forms at which admins say what runs by itself, and what customers are mailed. */
export const RUNNING_DOORS: Readonly<Record<string, Door>> = {
  "GET /workflows": SEEN,
  "GET /workflow-history": SEEN,
  "GET /workflow-history.csv": SEEN,
  "GET /workflows/:type/preview": ADMINS,
  "GET /workflows/:type/preview/mail": NO_MAIL,
  "GET /workflows/:type/disable": ADMINS_WHERE_ON,
  "POST /workflows/:type/enable": NOWHERE,
  "POST /workflows/:type/disable": NOWHERE,
  "POST /customers/:key/email": NOWHERE,
  "POST /customers/:key/mailing": NOWHERE,
  "POST /customers/:key/notes": NOWHERE,
  "POST /customers/:key/notes/:noteId": NOWHERE,
  "POST /customers/:key/notes/:noteId/done": NOWHERE,
};
