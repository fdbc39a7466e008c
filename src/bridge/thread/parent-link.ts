/** The link to the session of this process, across the thread. */
import type { Clock } from '../../model/ports.ts';
import type { RemoteAnswer, RemoteOrder } from '../../session/remote/remote-order.ts';
import { bridgeErrors } from '../errors.ts';
import type { SessionLink } from '../fleet/session-link.ts';
import type { Asked, Told, ToServer, ToSession, Wanted } from './messages.ts';

const ANSWER_MS = 10_000;

interface Open {
  readonly resolve: (value: RemoteAnswer | Told) => void;
}

export class ParentLink implements SessionLink {
  readonly #post: (message: ToSession) => void;
  readonly #clock: Clock;
  readonly #open = new Map<number, Open>();
  #id = 0;

  constructor(post: (message: ToSession) => void, clock: Clock) {
    this.#post = post;
    this.#clock = clock;
  }

  hear(message: ToServer): void {
    if (message.kind !== 'answer' && message.kind !== 'told') return;
    this.#open.get(message.id)?.resolve(message.kind === 'answer' ? message.answer : message.told);
    this.#open.delete(message.id);
  }

  async order(order: RemoteOrder): Promise<RemoteAnswer> {
    const answer = await this.#say((id) => ({ kind: 'order', id, order }));
    if (answer !== null) return answer as RemoteAnswer;
    const why = `the session did not answer within ${ANSWER_MS / 1000} s`;
    throw bridgeErrors.make('bridge_no_answer', why);
  }

  async ask(asked: Asked): Promise<Told | null> {
    return (await this.#say((id) => ({ kind: 'ask', id, asked }))) as Told | null;
  }

  want(wanted: Wanted): void {
    this.#post({ kind: 'wanted', wanted });
  }

  async #say(message: (id: number) => ToSession): Promise<RemoteAnswer | Told | null> {
    const id = ++this.#id;
    const answer = Promise.withResolvers<RemoteAnswer | Told | null>();
    this.#open.set(id, { resolve: answer.resolve });
    const cancel = this.#clock.after(ANSWER_MS, () => answer.resolve(null));
    this.#post(message(id));
    try {
      return await answer.promise;
    } finally {
      cancel();
      this.#open.delete(id);
    }
  }
}
