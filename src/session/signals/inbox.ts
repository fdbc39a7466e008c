/**
 * Entry of signals from all sources. Each id of a name is delivered once, also after a restart: its receipt and the
 * strategies' immediate actions become durable together, or not at all.
 */
import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Executor } from '../../execution/executor.ts';
import type { InboundSignal, SignalSource } from '../../model/inbound-signal.ts';
import type { Cancel, StateStore } from '../../model/ports.ts';

/** A flood by one way does not make the other forget. */
export type SignalWay = 'file' | 'network';

/**
 * Remembered ids per name and way. A later repeat counts as new. For the network: twice the number that can arrive
 * while a signed signal is valid, once before and once after a restart.
 */
const IDS_MAX: Readonly<Record<SignalWay, number>> = { file: 100, network: 128 };
const KEYS: Readonly<Record<SignalWay, string>> = { file: 'ids', network: 'network-ids' };
const WAYS: readonly SignalWay[] = ['file', 'network'];

/** Of what is kept of signals in the state of a strategy. */
export const PREFIX = '@signals';
const ids = z.array(z.string());

export interface Receipts {
  readonly state: StateStore;
  readonly together: (work: () => void) => void;
}

/** `tag`: of the strategy whose state they are. */
export function receiptsOf(executor: Pick<Executor, 'stateStore' | 'together'>, tag: string): Receipts {
  return { state: executor.stateStore(tag), together: (work) => executor.together(work) };
}

export class SignalInbox implements SignalSource {
  readonly #state: StateStore;
  readonly #together: Receipts['together'];
  readonly #known = new Map<string, string[]>();
  #listeners: readonly ((signal: InboundSignal) => void)[] = [];

  constructor({ state, together }: Receipts) {
    this.#state = state;
    this.#together = together;
  }

  readonly listen = (listener: (signal: InboundSignal) => void): Cancel => {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  };

  /** Call it in session time. False: the id was seen before, by whichever way. */
  accept(signal: InboundSignal, way: SignalWay = 'file'): boolean {
    const { name, id } = signal;
    if (WAYS.some((other) => this.#idsOf(name, other).includes(receiptOf(id, other)))) return false;
    const known = this.#idsOf(name, way);
    known.push(receiptOf(id, way));
    if (known.length > IDS_MAX[way]) known.shift();
    this.#together(() => {
      this.#state.set(keyOf(name, way), JSON.stringify(known));
      for (const listener of this.#listeners) listener(signal);
    });
    return true;
  }

  /** Whether ids of the network are remembered. */
  knows(name: string): boolean {
    return this.#state.get(networkKeyOf(name)) !== undefined;
  }

  /** `kept`: as another inbox has kept them. Before the first signal. */
  inherit(name: string, kept: string): void {
    this.#state.set(networkKeyOf(name), kept);
  }

  /** What a bringer keeps of its own, such as a place in a file. */
  get(key: string): string | undefined {
    return this.#state.get(`${PREFIX}/${key}`);
  }

  set(key: string, value: string): void {
    this.#state.set(`${PREFIX}/${key}`, value);
  }

  #idsOf(name: string, way: SignalWay): string[] {
    const key = keyOf(name, way);
    let known = this.#known.get(key);
    if (known === undefined) {
      known = ids.safeParse(JSON.parse(this.#state.get(key) ?? '[]')).data ?? [];
      this.#known.set(key, known);
    }
    return known;
  }
}

export function networkKeyOf(name: string): string {
  return keyOf(name, 'network');
}

function keyOf(name: string, way: SignalWay): string {
  return `${PREFIX}/${KEYS[way]}/${name}`;
}

/** Short, since all of them are journalled with each signal. */
function receiptOf(id: string, way: SignalWay): string {
  return way === 'file' ? id : hash('sha256', id, 'hex').slice(0, 16);
}
