/**
 * `node browser.ts URL`: what a client opens when it opens a browser. Signs in as PERSON_EMAIL with PERSON_PASSWORD,
 * allows, and goes on to the client's own address.
 */
import { approveInBrowser } from "../support/person.ts";

const { PERSON_EMAIL: email = "", PERSON_PASSWORD: password = "" } = process.env;
const [url = ""] = process.argv.slice(2);
const answer = await fetch(await approveInBrowser(url, { email, password }));
await answer.text();
if (!answer.ok) throw new Error(`the client answered its person ${answer.status}`);
