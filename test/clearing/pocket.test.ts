import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Accounts } from '../../src/clearing/accounts.ts';
import type { Pocket } from '../../src/clearing/pocket.ts';
import { dec, type Decimal } from '../../src/model/numbers/money.ts';

const amount = fc.integer({ min: 0, max: 1_000 }).map((units) => dec(units).div(8));
const move = fc.constantFrom('receive', 'pay', 'spend', 'moveTo', 'lock', 'unlock', 'hold', 'setAside', 'takeBack');
const part = fc.constantFrom('available', 'margin', 'isolated');

function make(pocket: Pocket, other: Pocket, name: string, value: Decimal): unknown {
  switch (name) {
    case 'receive':
      return pocket.receive(value, 'outside');
    case 'pay':
      return pocket.pay(value, 'fees');
    case 'spend':
      return pocket.spend(value, value, 'market');
    case 'moveTo':
      return pocket.moveTo(other, value);
    case 'lock':
      return pocket.lock(value);
    case 'unlock':
      return pocket.unlock(value);
    case 'hold':
      return pocket.hold(value);
    case 'setAside':
      return pocket.setAside(value);
    default:
      return pocket.takeBack(value);
  }
}

function textOf({ available, locked, margin, isolated }: Pocket): string {
  return [available, locked, margin, isolated].map((value) => value.toFixed()).join(' ');
}

it('clearing/pocket/sums to zero, is never below zero, and what it refuses changes nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(move, amount, part, fc.boolean()), { maxLength: 40 }), (moves) => {
      const accounts = new Accounts(() => {});
      const pockets = ['alice', 'bob'].map((user) => accounts.pocket(user, 'unified-trading', 'USDT'));
      for (const [name, value, from, isFirst] of moves) {
        const [pocket, other] = isFirst ? [pockets[0]!, pockets[1]!] : [pockets[1]!, pockets[0]!];
        const before = textOf(pocket);
        let answer: unknown;
        try {
          answer = make(pocket, other, name, value);
        } catch {
          expect(textOf(pocket)).toBe(before);
        }
        if (answer === false && name !== 'hold') expect(textOf(pocket)).toBe(before);
        pocket.payFrom(from, value.div(2), 'market');
        for (const total of accounts.totals().values()) expect(total.toFixed()).toBe('0');
        for (const { available, locked, margin, isolated } of pockets) {
          for (const value of [available, locked, margin, isolated]) expect(value.isNegative()).toBe(false);
        }
      }
    }),
  );
});

it('clearing/pocket/what a wallet lists is what money went through, whoever looked into it', () => {
  const accounts = new Accounts(() => {});
  accounts.pocket('alice', 'funding', 'ETH');
  accounts.pocket('alice', 'funding', 'USDT').receive(dec('5'), 'outside');
  accounts.pocket('alice', 'funding', 'BTC').receive(dec('1'), 'outside');
  expect(accounts.rows('alice').map(({ currency, total }) => `${total} ${currency}`)).toEqual(['1 BTC', '5 USDT']);
});
