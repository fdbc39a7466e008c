import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ledger, LedgerError, type Entry } from '../../src/model/ledger.ts';
import { dec, decimalText } from '../../src/model/money.ts';
import { decimalTexts } from './decimal-texts.ts';

const accounts = fc.constantFrom('alice', 'bob', 'market', 'outside');
const assets = fc.constantFrom('USDT', 'BTC');
const transfers = fc.array(fc.record({ from: accounts, to: accounts, asset: assets, amount: decimalTexts }), {
  maxLength: 30,
});

describe('the ledger', () => {
  it('sums to zero per asset after any transfers', () => {
    fc.assert(
      fc.property(transfers, (list) => {
        const ledger = new Ledger();
        for (const { from, to, asset, amount } of list) {
          ledger.transfer(from, to, asset, dec(amount));
          for (const total of ledger.totals().values()) expect(decimalText(total)).toBe('0');
        }
      }),
    );
  });

  it('holds for each account what went in less what went out', () => {
    fc.assert(
      fc.property(transfers, (list) => {
        const ledger = new Ledger();
        for (const { from, to, asset, amount } of list) ledger.transfer(from, to, asset, dec(amount));
        const net = list.reduce((sum, { from, to, asset, amount }) => {
          const signed = (to === 'alice' ? 1 : 0) - (from === 'alice' ? 1 : 0);
          return asset === 'BTC' ? sum.plus(dec(amount).times(signed)) : sum;
        }, dec(0));
        expect(decimalText(ledger.balance('alice', 'BTC'))).toBe(decimalText(net));
      }),
    );
  });

  it('posts a balanced set whole and an unbalanced one not at all', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ account: accounts, asset: assets, amount: decimalTexts }), {
          minLength: 1,
          maxLength: 10,
        }),
        decimalTexts,
        (rows, off) => {
          const given: Entry[] = rows.map(({ account, asset, amount }) => ({ account, asset, amount: dec(amount) }));
          const entries = [
            ...given,
            ...given.map(({ asset, amount }) => ({ account: 'outside', asset, amount: amount.neg() })),
          ];
          const ledger = new Ledger();
          ledger.post(entries);
          for (const total of ledger.totals().values()) expect(total.isZero()).toBe(true);
          if (dec(off).isZero()) return;
          const untouched = new Ledger();
          expect(() => untouched.post([...entries, { account: 'alice', asset: 'BTC', amount: dec(off) }])).toThrow(
            LedgerError,
          );
          expect(untouched.accounts()).toEqual([]);
        },
      ),
    );
  });
});
