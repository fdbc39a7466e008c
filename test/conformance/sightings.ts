/**
 * What the raw client really met while a test ran: requests with their answers, pushes, replies, closes, states that
 * things moved between. The raw client notes it here; after each test it goes into the test's `meta`, where the reporter
 * (`matrix/reporter.ts`) sets it against the tables. Lines of text, each once a test:
 *
 *   rest METHOD PATH STATUS CODE       code of `{code}`, the bare text of a key refusal, or nothing
 *   channel NAME ok | ERROR            answer to a subscribe; push NAME
 *   message METHOD ok | ERROR          answer to a client message; login ok | CODE; close CODE
 *   move THING FROM TO BY              BY is the request that did it (`METHOD PATH`), `time` when a look showed it, `push`,
 *                                      `liquidation` when its reason says so
 *   field RESOURCE NAME TYPE · account NAME · permission CATEGORY LEVEL · p2p EVENT · fault KIND
 *   witness ROW                        what only the test itself can tell, said after it was asserted
 */
import { afterEach } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    sightings?: string[];
  }
}

const seen = new Set<string>();

// Of the file that imports this: every test file has modules of its own.
afterEach(({ task }) => {
  task.meta.sightings = [...seen];
  seen.clear();
});

export function saw(...words: readonly (string | number)[]): void {
  seen.add(words.join(' '));
}

/** For rows that no frame shows; call it after what proves the row was asserted. */
export function witness(row: string): void {
  saw('witness', row);
}
