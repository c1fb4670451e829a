/**
 * Every clause of the spec that can be tested: an id, and what it demands in one line. A test proves a clause by
 * naming its id in brackets in its title; test/requirements.test.ts fails on a clause no test names.
 */
export interface Requirements {
  readonly [id: string]: string;
}
