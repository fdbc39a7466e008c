/**
 * Keys of the newest commands from outside, as hashes: each command is carried out once, over any number of rows and restarts.
 * Their rows say the rest.
 */
import { hash } from 'node:crypto';
import type { Json } from '../model/text/json.ts';

/** Name of the journal's `record` row that says who ordered what, and its `key`. */
export const REMOTE_COMMAND = 'remote-command';

/** Commands whose keys are remembered. */
export const KEYS_MAX = 10_000;

/** `data`: of a row `remote-command`. */
export function rememberKey(keys: Set<string>, data: Json): void {
  const key = typeof data === 'object' && data !== null && 'key' in data ? data['key'] : undefined;
  if (typeof key !== 'string') return;
  keys.add(hashOf(key));
  const [oldest] = keys;
  if (keys.size > KEYS_MAX && oldest !== undefined) keys.delete(oldest);
}

export function knowsKey({ commandKeys }: { readonly commandKeys: ReadonlySet<string> }, key: string): boolean {
  return commandKeys.has(hashOf(key));
}

function hashOf(key: string): string {
  return hash('sha256', key, 'hex').slice(0, 32);
}
