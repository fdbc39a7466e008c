/** The query of a request as text by name. What is doubled or empty says nothing certain, and is refused. */
import { bridgeErrors } from '../errors.ts';

/** `lists`: names that may be empty. Throws `bridge_bad_request`. */
export function queryText(search: string, lists: readonly string[] = []): Readonly<Record<string, string>> {
  const given = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) {
    const wrong = given.has(name) ? 'it is given twice' : value === '' && !lists.includes(name) ? 'it is empty' : null;
    if (wrong !== null) throw bridgeErrors.make('bridge_bad_request', `query: ${name}: ${wrong}`, { field: name });
    given.set(name, value);
  }
  return Object.fromEntries(given);
}
