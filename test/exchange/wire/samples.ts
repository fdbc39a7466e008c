/**
 * Arbitrary model values for the codec tests, and the instruments they live on.
 */
import fc from 'fast-check';
import type { Balance, VenuePosition } from '../../../src/model/trading/account.ts';
import type { VenueFill } from '../../../src/model/trading/fill.ts';
import { Instruments, type InstrumentSpec } from '../../../src/model/market/instrument.ts';
import type { OrderReport } from '../../../src/model/trading/order.ts';
import { unitsText } from '../../../src/model/numbers/fixed-text.ts';

export const btc: InstrumentSpec = {
  symbol: 'BTCUSDT',
  market: 'spot',
  base: 'BTC',
  quote: 'USDT',
  tickSize: '0.01',
  lotSize: '0.00001',
  minQuantity: '0.00001',
  maxQuantity: '1000',
  minNotional: '5',
  status: 'trading',
};

export const perpetual: InstrumentSpec = {
  ...btc,
  symbol: 'BTCUSDTPERP',
  market: 'derivative',
  settle: 'USDT',
  contractSize: '1',
  maxLeverage: 50,
  fundingIntervalHours: 8,
  maintenanceMarginRate: '0.005',
};

export const instruments = new Instruments([btc, perpetual]);

/** Canonical text of a decimal of zero or above. */
export const amountText = fc
  .tuple(fc.nat({ max: Number.MAX_SAFE_INTEGER }), fc.nat({ max: 15 }))
  .map(([value, scale]) => unitsText(value, scale));
export const positiveText = amountText.filter((text) => text !== '0');
export const decimalText = fc
  .tuple(positiveText, fc.boolean())
  .map(([text, negative]) => (negative ? `-${text}` : text));
const idText = fc.stringMatching(/^[A-Za-z0-9_-]{1,24}$/);
const symbolText = fc.constantFrom('BTCUSDT', 'ETHUSDT', 'BTCUSDTPERP');
const timeMs = fc.nat({ max: 4_000_000_000_000 });
const side = fc.constantFrom('buy' as const, 'sell' as const);
const positionSide = fc.constantFrom('both' as const, 'long' as const, 'short' as const);

function present<T extends object>(value: T): T {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(entries) as T;
}

const orderFields = {
  orderId: idText,
  clientOrderId: fc.option(idText, { nil: undefined }),
  market: fc.constantFrom('spot' as const, 'derivative' as const),
  symbol: symbolText,
  side,
  timeInForce: fc.constantFrom('gtc' as const, 'ioc' as const),
  quantity: positiveText,
  filledQuantity: amountText,
  averagePrice: fc.option(positiveText, { nil: null }),
  status: fc.constantFrom(
    'new' as const,
    'partially_filled' as const,
    'filled' as const,
    'canceled' as const,
    'rejected' as const,
    'expired' as const,
  ),
  positionSide: fc.option(positionSide, { nil: undefined }),
  reduceOnly: fc.option(fc.boolean(), { nil: undefined }),
  reason: fc.option(idText, { nil: undefined }),
  createdAt: timeMs,
  updatedAt: timeMs,
};

export const orderReport: fc.Arbitrary<OrderReport> = fc
  .oneof(
    fc.record({ ...orderFields, type: fc.constant('limit' as const), price: positiveText }),
    fc.record({ ...orderFields, type: fc.constant('market' as const), price: fc.constant(null) }),
  )
  .map(present);

export const venueFill: fc.Arbitrary<VenueFill> = fc
  .record({
    tradeId: idText,
    orderId: idText,
    symbol: symbolText,
    market: fc.constantFrom('spot' as const, 'derivative' as const),
    side,
    price: positiveText,
    quantity: positiveText,
    fee: decimalText,
    feeCurrency: fc.constantFrom('BTC', 'USDT'),
    liquidity: fc.constantFrom('maker' as const, 'taker' as const),
    positionSide: fc.option(positionSide, { nil: undefined }),
    realizedPnl: fc.option(decimalText, { nil: undefined }),
    ts: timeMs,
  })
  .map(present);

export const balance: fc.Arbitrary<Balance> = fc.record({
  account: fc.constantFrom('funding', 'unified-trading', 'p2p', 'referral-program', 'overdraft'),
  currency: fc.constantFrom('BTC', 'USDT', 'RUB'),
  available: decimalText,
  locked: amountText,
  total: decimalText,
});

export const venuePosition: fc.Arbitrary<VenuePosition> = fc.record({
  symbol: symbolText,
  positionSide,
  quantity: decimalText,
  entryPrice: amountText,
  markPrice: amountText,
  leverage: positiveText,
  marginType: fc.constantFrom('isolated' as const, 'cross' as const),
  margin: decimalText,
  liquidationPrice: fc.option(positiveText, { nil: null }),
  unrealizedPnl: decimalText,
  realizedPnl: decimalText,
  updatedAt: timeMs,
});

const overrides = [
  undefined,
  null,
  '',
  'x',
  '1e5',
  'NaN',
  '-1',
  -1,
  1e300,
  Number.MAX_SAFE_INTEGER + 3,
  {},
  [],
  [[]],
  true,
];

/** The same JSON value with one place replaced, removed or the whole of it swapped. */
export function mutated(json: unknown): fc.Arbitrary<unknown> {
  const paths: (string | number)[][] = [[]];
  const walk = (value: unknown, path: (string | number)[]): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const next = [...path, Array.isArray(value) ? Number(key) : key];
      paths.push(next);
      walk(inner, next);
    }
  };
  walk(json, []);
  return fc
    .tuple(fc.constantFrom(...paths), fc.oneof(fc.constantFrom(...overrides), fc.jsonValue()))
    .map(([path, value]) => {
      if (path.length === 0) return value;
      const copy: unknown = structuredClone(json);
      let target: unknown = copy;
      for (const key of path.slice(0, -1)) target = Reflect.get(target as object, key);
      const last = path.at(-1) ?? '';
      if (value === undefined) Reflect.deleteProperty(target as object, last);
      else Reflect.set(target as object, last, value);
      return copy;
    });
}
