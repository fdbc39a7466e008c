/**
 * Persisted values of a strategy: `state(schema, initial)`. A value is told from the next by its name, or by the order
 * of the calls in `setup`; it is journalled by the `StateStore` under `<tag>/<name>`. What is set must come back from JSON
 * and fit the schema, so that a restart never meets a value that it cannot read; `get` answers what came back.
 */
import { z } from 'zod';
import { messageOf } from '../model/errors.ts';
import type { StateStore } from '../model/ports.ts';
import type { StateFactory, StateValue } from './context.ts';
import { strategyErrors } from './errors.ts';
import { outside } from './scope.ts';

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

/** The text that is kept, and what comes back of it. */
function kept<Schema extends z.ZodType>(
  schema: Schema,
  key: string,
  value: unknown,
): { readonly json: string; readonly back: z.output<Schema> } {
  try {
    const json = JSON.stringify(schema.parse(value));
    return { json, back: schema.parse(JSON.parse(json)) };
  } catch (thrown) {
    const problem = thrown instanceof z.ZodError ? z.prettifyError(thrown) : messageOf(thrown);
    throw strategyErrors.make(
      'strategy_state_invalid',
      `state ${key}: the value cannot be kept: ${problem}`,
      { key },
      thrown,
    );
  }
}

/** `setupDone` tells when values without a name are no longer allowed: their order would not be sure. */
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
    let current = stored === undefined ? initial : parsed(schema, key, stored);
    return Object.freeze({
      get: () => current,
      set: (value: z.output<Schema>) => {
        const { json, back } = kept(schema, key, value);
        outside(() => store.set(key, json));
        // Not the caller's own object: a restart would not find what is changed in that afterwards.
        current = back;
      },
    });
  };
}
