/**
 * Persisted values under `<tag>/<name>`. They must survive JSON and fit the schema; `get` returns a copy of the JSON copy:
 * a change in place would be seen until the next restart alone.
 */
import { z } from 'zod';
import { messageOf } from '../../model/errors.ts';
import { plainCopy } from '../../model/plain-data.ts';
import type { StateStore } from '../../model/ports.ts';
import type { StateFactory, StateValue } from './context.ts';
import { strategyErrors } from '../errors.ts';
import { outside } from '../running/scope.ts';

/** Characters: each `set` is a row of the journal. */
const LENGTH_MAX = 1_000_000;

function parsed<Schema extends z.ZodType>(schema: Schema, key: string, json: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(json));
  } catch (thrown) {
    const problem = thrown instanceof z.ZodError ? z.prettifyError(thrown) : messageOf(thrown);
    throw strategyErrors.make(
      'strategy_state_unreadable',
      `state ${key}: the stored value ${json.slice(0, 200)} does not fit: ${problem}`,
      { key },
      thrown,
    );
  }
}

/** The stored text and its value. */
function kept<Schema extends z.ZodType>(
  schema: Schema,
  key: string,
  value: unknown,
  what = 'the value',
): { readonly json: string; readonly back: z.output<Schema> } {
  try {
    const json = JSON.stringify(schema.parse(value));
    if (json.length > LENGTH_MAX)
      throw new RangeError(
        `it has ${json.length} characters as JSON, at most ${LENGTH_MAX} are kept: each set is journalled whole`,
      );
    return { json, back: schema.parse(JSON.parse(json)) };
  } catch (thrown) {
    const problem = thrown instanceof z.ZodError ? z.prettifyError(thrown) : messageOf(thrown);
    throw strategyErrors.make(
      'strategy_state_invalid',
      `state ${key}: ${what} cannot be kept: ${problem}`,
      { key },
      thrown,
    );
  }
}

/** `setupDone`: a name is required, as order is no longer stable. */
export function stateFactory(store: StateStore, tag: string, setupDone: () => boolean): StateFactory {
  const used = new Set<string>();
  let count = 0;
  return <Schema extends z.ZodType>(
    schema: Schema,
    initial: z.output<Schema>,
    name?: string,
  ): StateValue<z.output<Schema>> => {
    if (name === undefined && setupDone()) {
      throw strategyErrors.make(
        'strategy_definition',
        'state() without a name must be called in setup: afterwards give it a name, as in state(schema, initial, "trend")',
      );
    }
    const key = `${tag}/${name ?? `state-${++count}`}`;
    if (used.has(key))
      throw strategyErrors.make(
        'strategy_definition',
        `state ${key} was made twice: keep the value that the first call answered`,
        { key },
      );
    used.add(key);
    const stored = outside(() => store.get(key));
    // JSON has no undefined, which may be an initial value.
    const isUnset = initial === undefined && schema.safeParse(initial).success;
    if (stored === undefined && !isUnset) kept(schema, key, initial, 'initial');
    let current = plainCopy(stored === undefined ? initial : parsed(schema, key, stored));
    return Object.freeze({
      get: () => plainCopy(current),
      set: (value: z.output<Schema>) => {
        const { json, back } = kept(schema, key, value);
        outside(() => store.set(key, json));
        // Later changes of the caller's object are not stored.
        current = back;
      },
    });
  };
}
