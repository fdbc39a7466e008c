/** Hashes of command keys in the state, in a ring of slots. They outlive their rows, which hold all else. */
import { hash } from 'node:crypto';
import type { StateStore } from '../../model/ports.ts';
import type { StateView } from '../../spine/trading-state.ts';

/** Commands whose keys are remembered. */
export const KEYS_MAX = 10_000;

const PREFIX = '@commands';
const COUNT = `${PREFIX}/count`;

export class KnownKeys {
  readonly #state: StateStore;

  constructor(state: StateStore) {
    this.#state = state;
  }

  add(key: string): void {
    const count = Number(this.#state.get(COUNT) ?? 0);
    this.#state.set(`${PREFIX}/${count % KEYS_MAX}`, hashOf(key));
    this.#state.set(COUNT, String(count + 1));
  }
}

/** By whichever strategy's state they are kept. */
export function knowsKey({ values }: Pick<StateView, 'values'>, key: string): boolean {
  const wanted = hashOf(key);
  for (const [name, value] of values) if (value === wanted && name.includes(`/${PREFIX}/`)) return true;
  return false;
}

function hashOf(key: string): string {
  return hash('sha256', key, 'hex').slice(0, 32);
}
