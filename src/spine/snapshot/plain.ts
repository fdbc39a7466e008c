/**
 * Converts a state to plain data and back, by one walk over its fields. A value without a JSON form becomes an object
 * whose one key names its kind. Fields with `#` are caches and indexes, which the walk skips.
 */
import { unitsOf } from '../../model/numbers/fixed.ts';
import { Instrument, Instruments } from '../../model/market/instrument.ts';
import type { CreateIntentEntry } from '../../model/entries/journal.ts';
import { Decimal } from '../../model/numbers/money.ts';
import { Position } from '../../model/trading/position.ts';
import { HeardIntents } from '../intent-id.ts';
import { LatchCounts } from '../latch-counts.ts';
import { MoneyState } from '../money/state.ts';
import { OwnOrder } from '../orders/own-order.ts';
import { OwnOrders } from '../orders/own-orders.ts';
import { ChosenRefs, Refs } from '../orders/refs.ts';
import { TradeIds } from '../orders/trade-ids.ts';
import { Positions } from '../positions.ts';
import { Programs } from '../programs/programs.ts';
import { Replay } from '../replay.ts';
import { StrategyTrades } from '../strategy-trades.ts';
import { TradingState } from '../trading-state.ts';
import { Trials } from '../trials.ts';
import { Undivided } from '../undivided.ts';
import type { SpecTable } from './spec-table.ts';

interface Kind {
  readonly tag: string;
  readonly save: (value: never, specs: SpecTable) => unknown;
  readonly load: (saved: never, specs: SpecTable) => unknown;
}

type Filed = Parameters<typeof OwnOrders.of>[0];

const kinds = new Map<unknown, Kind>();
const byTag = new Map<string, Kind>();

function kind<Value extends object, Saved>(
  type: abstract new (...args: never[]) => Value,
  save: (value: Value, specs: SpecTable) => Saved,
  load: (saved: Saved, specs: SpecTable) => unknown,
): void {
  const one = { tag: `$${type.name}`, save, load };
  kinds.set(type, one);
  byTag.set(one.tag, one);
}

/** Keeps the scale, so that later sums are the same. */
kind(
  Decimal,
  ({ units, scale }) => `${units}/${scale}`,
  (text) => {
    const [units = '', scale] = text.split('/');
    return new Decimal(unitsOf(BigInt(units)), Number(scale));
  },
);
kind(
  Map,
  (map) => [...map],
  (entries) => new Map(entries),
);
kind(
  Set,
  (set) => [...set],
  (items) => new Set(items),
);
kind(
  Instrument,
  (instrument, specs) => specs.numberOf(instrument),
  (number, specs) => specs.at(number),
);
kind(
  Instruments,
  (instruments) => instruments.all(),
  (all) => all.reduce((held, instrument) => (held.put(instrument), held), new Instruments()),
);
kind(
  Positions,
  (positions) => positions.saved(),
  (saved) => Positions.of(saved),
);
kind(
  OwnOrders,
  (orders) => ordersAs(orders.saved(), unusual),
  (saved) => OwnOrders.of(ordersAs(saved, whole)),
);
const plainClasses = [
  ChosenRefs,
  HeardIntents,
  LatchCounts,
  MoneyState,
  Position,
  Programs,
  Refs,
  Replay,
  StrategyTrades,
  TradeIds,
  TradingState,
  Trials,
  Undivided,
];
for (const type of plainClasses)
  kind<object, object>(
    type,
    (value) => ({ ...value }),
    (saved) => Object.assign(new type(), saved),
  );

const blank = { order: { side: 'buy', type: 'limit' }, tag: '', reduceOnly: false, postOnly: false };

/** Holds the values that most orders have. A snapshot leaves those out. */
function usualOrder(): OwnOrder {
  const order = new OwnOrder(blank as CreateIntentEntry, null as never, 0, 0, 0, null);
  order.handed = order.progress.sent = true;
  return order;
}

const USUAL = usualOrder();

function ordersAs({ live, closed, forgottenTo }: Filed, as: (order: OwnOrder) => OwnOrder): Filed {
  return {
    live: live.map(([symbol, orders]) => [symbol, orders.map(as)]),
    closed: closed.map(as),
    forgottenTo,
  };
}

function unusual(order: OwnOrder): OwnOrder {
  const { filledAs: _texts, ...saved } = differing(order, USUAL);
  return { ...saved, progress: differing(order.progress, USUAL.progress) } as OwnOrder;
}

function whole({ progress, ...saved }: OwnOrder): OwnOrder {
  const order = Object.assign(usualOrder(), saved);
  Object.assign(order.progress, progress);
  return order;
}

function differing<T extends object>(value: T, usual: T): Partial<T> {
  const entries = Object.entries(value).filter(([name, item]) => item !== Reflect.get(usual, name));
  return Object.fromEntries(entries) as Partial<T>;
}

const NAN = { $NaN: 0 };

export function plainOf(value: unknown, specs: SpecTable): unknown {
  if (Number.isNaN(value)) return NAN;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => plainOf(item, specs));
  const known = kinds.get(value.constructor);
  if (known !== undefined) return { [known.tag]: plainOf(known.save(value as never, specs), specs) };
  const entries = Object.entries(value).map(([name, item]) => [name, plainOf(item, specs)] as const);
  // Escaped, so that it is not read as a kind.
  return tagOf(value) === undefined ? Object.fromEntries(entries) : { $: entries };
}

/** Throws `RangeError` for an unknown kind or instrument. */
export function valueOf(plain: unknown, specs: SpecTable): unknown {
  if (typeof plain !== 'object' || plain === null) return plain;
  if (Array.isArray(plain)) return plain.map((item) => valueOf(item, specs));
  const tag = tagOf(plain);
  if (tag === undefined)
    return Object.fromEntries(Object.entries(plain).map(([name, item]) => [name, valueOf(item, specs)]));
  if (tag in NAN) return Number.NaN;
  const saved = valueOf(Reflect.get(plain, tag), specs);
  if (tag === '$') return Object.fromEntries(saved as readonly (readonly [string, unknown])[]);
  const known = byTag.get(tag);
  if (known === undefined) throw new RangeError(`the snapshot has the unknown kind ${tag}`);
  return known.load(saved as never, specs);
}

function tagOf(plain: object): string | undefined {
  const [name, ...others] = Object.keys(plain);
  return others.length === 0 && name?.startsWith('$') === true ? name : undefined;
}
