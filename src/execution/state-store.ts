/** Values that a strategy keeps over restarts, under its own names. Each change is an entry. */
import type { StateStore } from '../model/ports.ts';
import type { Core } from './core.ts';

/** Throws `unknown_strategy`. */
export function stateStore(core: Core, tag: string): StateStore {
  const { tag: own } = core.slot(tag);
  const keyOf = (key: string): string => (key.startsWith(`${own}/`) ? key : `${own}/${key}`);
  return {
    get: (key) => core.state.values.get(keyOf(key)),
    set: (key, json) => core.turn.run(() => core.spine.commit({ kind: 'state', key: keyOf(key), value: json })),
  };
}
