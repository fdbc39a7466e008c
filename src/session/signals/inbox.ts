/**
 * The way in of signals, whoever brings them. Each id of a name is delivered once, also after a restart: its receipt is
 * kept before the strategies hear of it.
 */
import { z } from 'zod';
import type { InboundSignal, SignalSource } from '../../model/inbound-signal.ts';
import type { Cancel, StateStore } from '../../model/ports.ts';

/** Ids that are remembered a name; a signal that is repeated later than that is new. */
const IDS_MAX = 100;

const PREFIX = '@signals';
const ids = z.array(z.string());

export class SignalInbox implements SignalSource {
  readonly #state: StateStore;
  readonly #known = new Map<string, string[]>();
  #listeners: readonly ((signal: InboundSignal) => void)[] = [];

  /** @param state where receipts are kept */
  constructor(state: StateStore) {
    this.#state = state;
  }

  readonly listen = (listener: (signal: InboundSignal) => void): Cancel => {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  };

  /** Call it in session time. False: the id was seen before. */
  accept(signal: InboundSignal): boolean {
    const known = this.#idsOf(signal.name);
    if (known.includes(signal.id)) return false;
    known.push(signal.id);
    if (known.length > IDS_MAX) known.shift();
    this.#state.set(`${PREFIX}/ids/${signal.name}`, JSON.stringify(known));
    for (const listener of this.#listeners) listener(signal);
    return true;
  }

  /** What a bringer keeps of its own, such as a place in a file. */
  get(key: string): string | undefined {
    return this.#state.get(`${PREFIX}/${key}`);
  }

  set(key: string, value: string): void {
    this.#state.set(`${PREFIX}/${key}`, value);
  }

  #idsOf(name: string): string[] {
    let known = this.#known.get(name);
    if (known === undefined) {
      known = ids.safeParse(JSON.parse(this.#state.get(`${PREFIX}/ids/${name}`) ?? '[]')).data ?? [];
      this.#known.set(name, known);
    }
    return known;
  }
}
