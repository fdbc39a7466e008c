import { beforeEach, describe, expect, it } from 'vitest';
import { Accounts } from '../../../src/clearing/accounts.ts';
import { flatTiers } from '../../../src/clearing/margin/risk-tiers.ts';
import type { PerpetualMarket } from '../../../src/clearing/perpetual/margin-book.ts';
import { liquidate, settleForced } from '../../../src/clearing/perpetual/liquidation.ts';
import { MarginAccount } from '../../../src/clearing/perpetual/margin-account.ts';
import { admitOrder, orderMarginOf, releaseOrder } from '../../../src/clearing/perpetual/order-margin.ts';
import { PositionRow } from '../../../src/clearing/perpetual/position-row.ts';
import type { PositionSlot } from '../../../src/clearing/perpetual/position-slot.ts';
import { sandboxRules, simulationRules, type PerpetualRules } from '../../../src/clearing/perpetual/rules.ts';
import { payFunding, settleFill } from '../../../src/clearing/perpetual/settlement.ts';
import { Instrument } from '../../../src/model/market/instrument.ts';
import { dec, ZERO, type Decimal } from '../../../src/model/numbers/money.ts';
import type { Side } from '../../../src/model/trading/order.ts';

const instrument = new Instrument({
  symbol: 'BTCUSDTPERP',
  market: 'derivative',
  base: 'BTC',
  quote: 'USDT',
  settle: 'USDT',
  tickSize: '1',
  lotSize: '0.1',
  minQuantity: '0.1',
  maxQuantity: '1000',
  minNotional: '1',
  status: 'trading',
});

interface Order {
  readonly side: Side;
}

let mark: Decimal | null = null;
const market: PerpetualMarket = {
  instrument,
  tiers: flatTiers('0.01', 100),
  get mark() {
    return mark;
  },
  get markNumber() {
    return mark?.toNumber() ?? Number.NaN;
  },
};

function slotOf(rules: PerpetualRules, marginType: 'cross' | 'isolated' = 'cross'): PositionSlot<Order> {
  const wallet = new Accounts(() => {}).wallet('alice', 'unified-trading');
  wallet.pocket('USDT').receive(dec('1000'), 'outside');
  return new MarginAccount<Order>(wallet, rules).holding(market, { leverage: 10, marginType }).slot('both');
}

function fill(slot: PositionSlot<Order>, side: Side, price: string, quantity: string, feeRate = ZERO): void {
  settleFill(slot, { side, price: dec(price), quantity: dec(quantity), feeRate, feeTo: 'fees' }, 1);
}

/** `available margin isolated`. */
function moneyOf({ book: { pocket } }: PositionSlot<Order>): string {
  return [pocket.available, pocket.margin, pocket.isolated].map((part) => part.toFixed()).join(' ');
}

beforeEach(() => {
  mark = dec('100');
});

describe.each([sandboxRules(dec('0.002')), simulationRules(dec('0.002'))])(
  'perpetuals, liquidated at the $bankruptcyPrice price',
  (rules) => {
    it('an order holds what it opens at its limit, and gives it back', () => {
      const slot = slotOf(rules);
      const order: Order = { side: 'buy' };
      const incoming = { side: 'buy', ticks: 90, lots: 10, reduceOnly: false, walk: { cost: ZERO, lots: 0 } } as const;
      expect(admitOrder(slot, order, incoming, orderMarginOf(slot, incoming, ZERO))).toBe(true);
      expect(moneyOf(slot)).toBe('991 9 0');
      releaseOrder(slot, order);
      expect([moneyOf(slot), slot.orders.size]).toEqual(['1000 0 0', 0]);
    });

    it('one that the account cannot back is not kept', () => {
      const slot = slotOf(rules);
      const incoming = {
        side: 'buy',
        ticks: 90,
        lots: 2_000,
        reduceOnly: false,
        walk: { cost: ZERO, lots: 0 },
      } as const;
      expect(admitOrder(slot, { side: 'buy' }, incoming, orderMarginOf(slot, incoming, ZERO))).toBe(false);
      expect([moneyOf(slot), slot.orders.size]).toEqual(['1000 0 0', 0]);
    });

    it('a row stays what it was, and a copy of it has every field', () => {
      const slot = slotOf(rules);
      fill(slot, 'buy', '100', '1');
      const row = new PositionRow(slot);
      const copy = row.copy();
      mark = dec('120');
      fill(slot, 'sell', '120', '1');
      expect(JSON.parse(JSON.stringify(row))).toEqual(copy);
      expect(copy).toMatchObject({
        quantity: '1',
        entryPrice: '100',
        markPrice: '100',
        margin: '10',
        unrealizedPnl: '0',
      });
    });

    it('an isolated position owns its margin, which funding takes from first and is added to', () => {
      const slot = slotOf(rules, 'isolated');
      fill(slot, 'buy', '100', '1');
      expect(moneyOf(slot)).toBe('990 0 10');
      payFunding(slot, dec('0.01'), dec('100'), 2);
      expect(moneyOf(slot)).toBe('990 0 9');
      payFunding(slot, dec('-0.03'), dec('100'), 3);
      expect(moneyOf(slot)).toBe('990 0 12');
      fill(slot, 'sell', '100', '0.4');
      expect(moneyOf(slot)).toBe('994.8 0 7.2');
    });

    it('all that is due is closed, and exactly nothing is left', () => {
      const slot = slotOf(rules);
      fill(slot, 'buy', '100', '50');
      mark = dec('80');
      const prices: string[] = [];
      liquidate([slot.book], {
        cancelOrders: () => {},
        close: (close) => {
          prices.push(close.price.toDecimalPlaces(4).toFixed());
          settleForced(close, 2);
        },
      });
      expect(prices).toEqual([rules.bankruptcyPrice === 'tick' ? '81' : '80.1603']);
      expect(slot.isOpen).toBe(false);
      expect(slot.book.pocket.total.lt(dec('50'))).toBe(true);
      expect(slot.book.pocket.available.isNegative()).toBe(false);
    });
  },
);
