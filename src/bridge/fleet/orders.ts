/** Commands to one session: a key is carried out once, also across a restart, because its row stands in the journal. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../model/ports.ts';
import type { RemoteAnswer, RemoteOrder } from '../../session/remote/remote-order.ts';
import { bridgeErrors } from '../errors.ts';
import type { KnownCommand } from '../replica/digest.ts';
import type { Replica } from '../replica/replica.ts';
import type { BridgeCommand } from '../schemas/command.ts';
import type { SessionLink } from './session-link.ts';

export interface OrdersDeps {
  readonly clock: Clock;
  readonly link: () => SessionLink | null;
  readonly replica: () => Replica | null;
}

const SAME: readonly (keyof RemoteOrder)[] = ['command', 'strategy', 'symbol', 'ref', 'limit', 'value', 'decision'];

export class Orders {
  readonly #deps: OrdersDeps;
  /** Under way, by key. */
  readonly #open = new Map<string, { readonly order: RemoteOrder; readonly answer: Promise<RemoteAnswer> }>();

  constructor(deps: OrdersDeps) {
    this.#deps = deps;
  }

  /**
   * `who`: for the journal, such as `dashboard 127.0.0.1`; `key`: null for one of its own. Throws `bridge_key_reused`,
   * `bridge_not_commandable`, `bridge_no_answer`; what the session refuses is an answer.
   */
  async give(command: BridgeCommand, who: string, key: string | null): Promise<RemoteAnswer> {
    const order = { ...defined(command), key: key ?? randomUUID(), who } as RemoteOrder;
    const before = this.#known(order.key);
    if (before !== undefined) {
      requireSame(order, before.data);
      return { kind: 'done', seq: before.seq, ts: before.ts };
    }
    const open = this.#open.get(order.key);
    if (open !== undefined) {
      requireSame(order, open.order as unknown as Readonly<Record<string, unknown>>);
      return open.answer;
    }
    const link = this.#deps.link();
    if (link === null)
      throw bridgeErrors.make('bridge_not_commandable', 'the session does not run, or not in reach of this server');
    const answer = link.order(order);
    this.#open.set(order.key, { order, answer });
    try {
      return await answer;
    } finally {
      this.#open.delete(order.key);
    }
  }

  #known(key: string): KnownCommand | undefined {
    const replica = this.#deps.replica();
    replica?.catchUp();
    return replica?.digest.command(key);
  }
}

function defined(command: BridgeCommand): object {
  return Object.fromEntries(Object.entries(command).filter(([, value]) => value !== undefined));
}

function requireSame(order: RemoteOrder, before: Readonly<Record<string, unknown>>): void {
  if (SAME.every((field) => order[field] === before[field])) return;
  const message = `this key was used for ${String(before['command'])} before`;
  throw bridgeErrors.make('bridge_key_reused', message, { field: 'Idempotency-Key' });
}
