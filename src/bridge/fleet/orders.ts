/** Commands to one session: a key is carried out once, also across a restart, because its row stands in the journal. */
import { randomUUID } from 'node:crypto';
import { canonicalJson } from '../../model/text/canonical.ts';
import type { Clock } from '../../model/ports.ts';
import { termsOf, type RemoteAnswer, type RemoteOrder } from '../../session/remote/remote-order.ts';
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

/** Of the API's `commands`, or of an operation that goes through the session. */
export type WantedCommand = BridgeCommand | Omit<RemoteOrder, 'key' | 'who'>;

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
  async give(command: WantedCommand, who: string, key: string | null): Promise<RemoteAnswer> {
    const order = { ...defined(command), key: key ?? randomUUID(), who } as RemoteOrder;
    const before = this.#known(order.key);
    if (before !== undefined) {
      const { id: _id, confirmed: _confirmed, ...terms } = before.data;
      requireSame(order, terms as unknown as RemoteOrder);
      return before.failure ?? { kind: 'done', seq: before.seq, ts: before.ts };
    }
    const open = this.#open.get(order.key);
    if (open !== undefined) {
      requireSame(order, open.order);
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

  /** It was given before: `give` answers it from there. */
  knows(key: string | null): boolean {
    return key !== null && (this.#open.has(key) || this.#known(key) !== undefined);
  }

  #known(key: string): KnownCommand | undefined {
    const replica = this.#deps.replica();
    replica?.catchUp();
    return replica?.command(key);
  }
}

function defined(command: WantedCommand): object {
  return Object.fromEntries(Object.entries(command).filter(([, value]) => value !== undefined));
}

function requireSame(order: RemoteOrder, before: RemoteOrder): void {
  if (canonicalJson(termsOf(order)) === canonicalJson(termsOf(before))) return;
  const message = `this key was used for another ${before.command} before`;
  throw bridgeErrors.make('bridge_key_reused', message, { field: 'Idempotency-Key' });
}
