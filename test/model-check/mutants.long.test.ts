/**
 * The checker can fail: the exchange is made wrong in one place, behind the models' back, and the search has to notice
 * and to name a short sequence that shows it.
 */
import { describe, expect, it } from 'vitest';
import { accountTypes } from '../../src/clearing/accounts.ts';
import type { Pocket } from '../../src/clearing/pocket.ts';
import { ZERO } from '../../src/model/numbers/money.ts';
import type { Exchange } from '../../src/sandbox/core/exchange.ts';
import type { AreaName } from './areas.ts';
import { search } from './search.ts';
import { play } from './session.ts';

interface Mutant {
  readonly name: string;
  readonly area: AreaName;
  readonly make: (exchange: Exchange) => void;
  /** What the mismatch is about. */
  readonly says: RegExp;
  readonly commandsMax: number;
}

/** On a machine that has other things to do. */
const BUSY_MS = 120_000;

/** Makes the pockets of all users wrong. */
function changePockets({ accounts, users, identity }: Exchange, change: (pocket: Pocket) => void): void {
  for (const { login } of users) {
    for (const account of accountTypes) {
      const wallet = accounts.wallet(identity.userByLogin(login)!.userId, account);
      const pocketOf = wallet.pocket.bind(wallet);
      const changed = new Set<Pocket>();
      wallet.pocket = (currency) => {
        const pocket = pocketOf(currency);
        if (!changed.has(pocket)) change(pocket);
        changed.add(pocket);
        return pocket;
      };
    }
  }
}

const mutants: readonly Mutant[] = [
  {
    name: 'a fill that is settled twice',
    area: 'spot',
    make: (exchange) =>
      changePockets(exchange, (pocket) => {
        const receive = pocket.receive.bind(pocket);
        pocket.receive = (amount, from) => {
          receive(amount, from);
          if (from === 'market') receive(amount, from);
        };
      }),
    says: /balance/,
    commandsMax: 3,
  },
  {
    name: 'a transfer that credits without debiting',
    area: 'money',
    make: (exchange) =>
      changePockets(exchange, (pocket) => {
        pocket.moveTo = (other, amount) => {
          other.receive(amount, 'outside');
          return true;
        };
      }),
    says: /balance of|accepted, though/,
    commandsMax: 2,
  },
  {
    name: 'a code that can be redeemed twice',
    area: 'money',
    make({ money: { codes } }) {
      const redeem = codes.redeem.bind(codes);
      codes.redeem = (user, secret, now) => {
        const code = redeem(user, secret, now);
        if ('status' in code) code.status = 'active';
        return code;
      };
    },
    says: /codes of|code |redeem/,
    commandsMax: 3,
  },
  {
    name: 'an order event that is not pushed',
    area: 'spot',
    make({ outbox }) {
      const order = outbox.order.bind(outbox);
      outbox.order = (record) => {
        if (record.status !== 'canceled') order(record);
      };
    },
    says: /events \(first\)|order-history/,
    commandsMax: 2,
  },
  {
    name: 'a balance event that is not pushed',
    area: 'money',
    make({ outbox }) {
      const add = outbox.balances.add.bind(outbox.balances);
      outbox.balances.add = (pocket) => (pocket.owner.account === 'p2p' ? outbox.balances : add(pocket));
    },
    says: /events \(first\) and REST/,
    commandsMax: 1,
  },
  {
    name: 'orders of one price that trade newest first',
    area: 'spot',
    make({ markets }) {
      for (const { book } of markets.values()) {
        const rest = book.rest.bind(book);
        book.rest = (owner, side, ticks, lots) => {
          const order = rest(owner, side, ticks, lots);
          const level = order.level!;
          if (order.previous === null || level.first === null) return order;
          order.previous.next = null;
          level.last = order.previous;
          order.previous = null;
          order.next = level.first;
          level.first.previous = order;
          level.first = order;
          return order;
        };
      }
    },
    says: /order|balance/,
    commandsMax: 3,
  },
  {
    name: 'a P2P trade whose ten minutes are eleven',
    area: 'p2p',
    make({ timers }) {
      const at = timers.at.bind(timers);
      timers.at = (dueMs, run) => at(dueMs + 60_000, run);
    },
    says: /P2P trades of|balance of/,
    commandsMax: 3,
  },
  {
    name: 'a P2P event that is not pushed',
    area: 'p2p',
    make({ money: { p2p } }) {
      const { announce } = p2p;
      p2p.announce = (change) => {
        if (change.kind !== 'trade' || change.trade.status !== 'cancel') announce(change);
      };
    },
    says: /events/,
    commandsMax: 3,
  },
  {
    name: 'a key that lives on after its deletion',
    area: 'keys',
    make({ identity: { keys } }) {
      keys.delete = (userId, publicKey) => keys.find(publicKey)?.userId === userId;
    },
    says: /keys of/,
    commandsMax: 3,
  },
  {
    name: 'funding that longs and shorts both receive',
    area: 'futures',
    make: (exchange) =>
      changePockets(exchange, (pocket) => {
        const payFrom = pocket.payFrom.bind(pocket);
        pocket.payFrom = (part, amount, to) => {
          if (to !== 'market' || amount.isZero()) return payFrom(part, amount, to);
          pocket.receive(amount, to);
          return ZERO;
        };
      }),
    says: /total USDT of|balance|sum/,
    commandsMax: 5,
  },
  {
    name: 'positions that are never liquidated',
    area: 'futures',
    make({ futures }) {
      futures.check = () => {
        for (const data of futures.perpetuals.values()) data.refresh();
      };
    },
    says: /maintenance margin|locked USDT/,
    commandsMax: 8,
  },
  {
    name: 'a position event that is not pushed',
    area: 'futures',
    make({ outbox }) {
      outbox.positions.set = () => outbox.positions;
    },
    says: /events \(first\) and REST \(second\) of positions/,
    commandsMax: 3,
  },
];

describe('the model check notices', () => {
  it.each(mutants)('$name', { timeout: BUSY_MS }, ({ area, make, says, commandsMax }) => {
    const tamper = ({ sandbox: { exchange } }: { readonly sandbox: { readonly exchange: Exchange } }): void =>
      make(exchange);
    const { failure } = search({ area, sequences: 200, seed: 1, tamper });
    expect(failure?.message).toMatch(says);
    const steps = failure?.steps ?? [];
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.length).toBeLessThanOrEqual(commandsMax);
    // What it prints replays the failure, and without the mutation nothing is wrong with it.
    const again = JSON.parse(JSON.stringify(steps)) as typeof steps;
    expect(() => play(again, new Map(), tamper)).toThrow(says);
    expect(() => play(again, new Map())).not.toThrow();
  });
});
