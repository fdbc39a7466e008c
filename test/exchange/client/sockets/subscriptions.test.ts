import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Subscriptions } from '../../../../src/exchange/client/sockets/subscriptions.ts';
import { readClientMessage, readServerMessage, encodeReply } from '../../../../src/exchange/wire/socket-messages.ts';

/** The exchange's side: a set per connection; subscribing is all or nothing; some channels are never allowed. */
class Server {
  readonly actual = new Set<string>();
  readonly #forbidden: ReadonlySet<string>;
  readonly #namesOffenders: boolean;

  constructor(forbidden: ReadonlySet<string>, namesOffenders: boolean) {
    this.#forbidden = forbidden;
    this.#namesOffenders = namesOffenders;
  }

  /** Answers the reply's text. */
  take(text: string): string {
    const message = readClientMessage(text);
    if (message.kind !== 'subscription') throw new Error(`unexpected ${text}`);
    const { id, method, channels } = message;
    const bad = channels.filter((channel) => this.#forbidden.has(channel));
    if (method === 'subscribe' && bad.length > 0) {
      return encodeReply(id, method, this.#namesOffenders ? bad : [], 'insufficient_permissions');
    }
    for (const channel of channels) {
      if (method === 'subscribe') this.actual.add(channel);
      else this.actual.delete(channel);
    }
    return encodeReply(id, method, channels);
  }
}

function settle(subscriptions: Subscriptions, server: Server, refused: Set<string>): void {
  let messages = subscriptions.difference();
  for (let round = 0; messages.length > 0; round++) {
    if (round > 50) throw new Error('does not settle');
    for (const message of messages) {
      const reply = readServerMessage(server.take(message));
      if (reply.kind !== 'reply') throw new Error('not a reply');
      for (const channel of subscriptions.replied(reply).refused) refused.add(channel);
    }
    messages = subscriptions.difference();
  }
}

const name = fc.constantFrom(...Array.from({ length: 12 }, (_, index) => `S${index}@depth`));
const step = fc.oneof(
  fc.record({ kind: fc.constantFrom('want' as const, 'unwant' as const, 'renew' as const), channel: name }),
  fc.record({ kind: fc.constant('reconnect' as const), channel: name }),
);

describe('subscriptions', () => {
  it('end in exactly the desired set, less what is refused, after any steps and reconnects', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.uniqueArray(name, { maxLength: 3 }),
        fc.boolean(),
        (steps, forbiddenList, names) => {
          const forbidden = new Set(forbiddenList);
          const subscriptions = new Subscriptions();
          const desired = new Set<string>();
          let server = new Server(forbidden, names);
          let refused = new Set<string>();
          for (const { kind, channel } of steps) {
            if (kind === 'want') {
              subscriptions.want([channel]);
              desired.add(channel);
            } else if (kind === 'unwant') {
              subscriptions.unwant([channel]);
              desired.delete(channel);
            } else if (kind === 'renew') {
              for (const message of subscriptions.renew(channel)) server.take(message);
            } else {
              server = new Server(forbidden, names);
              refused = new Set();
              subscriptions.reset();
            }
          }
          settle(subscriptions, server, refused);
          expect([...server.actual].toSorted()).toEqual(
            [...desired].filter((channel) => !forbidden.has(channel)).toSorted(),
          );
          for (const channel of refused) expect(forbidden.has(channel)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('asks for nothing twice', () => {
    const subscriptions = new Subscriptions();
    subscriptions.want(['A@depth', 'B@depth']);
    expect(subscriptions.difference()).toHaveLength(1);
    expect(subscriptions.difference()).toEqual([]);
  });

  it('is bounded', () => {
    const subscriptions = new Subscriptions();
    const channels = Array.from({ length: 3000 }, (_, index) => `S${index}@depth`);
    expect(subscriptions.want(channels)).toHaveLength(3000 - 2048);
    expect(subscriptions.difference().length).toBe(21);
  });
});
