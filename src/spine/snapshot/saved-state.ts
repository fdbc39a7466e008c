/** Saves and loads each field of the state. A field of `TradingState` without a row here does not compile. */
import type { TradingState } from '../trading-state.ts';
import type { Positions } from '../positions.ts';
import { loadDecimals, savedDecimals, type SavedDecimals } from './saved-decimal.ts';
import { filedOrders, savedOrders, type SavedOrders } from './saved-orders.ts';
import { heldPosition, savedPosition, type SavedPosition } from './saved-positions.ts';
import type { SpecTable } from './spec-table.ts';
import type { Decimal } from '../../model/money.ts';

type FieldOf<T> = { [Name in keyof T]: T[Name] extends (...args: never[]) => unknown ? never : Name }[keyof T];
/** What was heard is of one process. */
type Field = Exclude<FieldOf<TradingState>, 'heard'>;

/** `load` returns the field's value: `held`, filled, where the state keeps one object. */
interface Part<Value, Saved = never> {
  readonly save: (value: Value, specs: SpecTable) => unknown;
  readonly load: (saved: Saved, held: Value, specs: SpecTable) => Value;
}

interface Own {
  saved(): unknown;
  load(saved: never): void;
}

const plain = { save: (value: unknown) => value, load: (saved: never) => saved };

const texts = {
  save: (values: ReadonlySet<string>) => [...values],
  load: (saved: readonly string[], values: Set<string>) => {
    for (const text of saved) values.add(text);
    return values;
  },
};

const decimals = {
  save: (values: ReadonlyMap<string, Decimal>) => savedDecimals(values),
  load: (saved: SavedDecimals, values: Map<string, Decimal>) => {
    loadDecimals(saved, values);
    return values;
  },
};

function mapOf<Value>(): Part<Map<string, Value>, readonly (readonly [string, Value])[]> {
  return {
    save: (values) => [...values],
    load: (saved, values) => {
      for (const [key, value] of saved) values.set(key, value);
      return values;
    },
  };
}

/** For a class with private fields. */
const own = {
  save: (value: Own) => value.saved(),
  load: <Value extends Own>(saved: never, held: Value) => {
    held.load(saved);
    return held;
  },
};

const orders: Part<TradingState['orders'], SavedOrders> = {
  save: (held, specs) => savedOrders(held.saved(), specs),
  load: (saved, held, specs) => {
    held.load(filedOrders(saved, specs));
    return held;
  },
};

const positions: Part<Positions, readonly SavedPosition[]> = {
  save: (held, specs) => held.all().map((position) => savedPosition(position, specs)),
  load: (saved, held, specs) => {
    for (const position of saved) held.load(heldPosition(position, specs));
    return held;
  },
};

const PARTS: { readonly [Name in Field]: Part<TradingState[Name]> } = {
  acknowledgedAt: plain,
  adjustments: decimals,
  booked: texts,
  bornAt: plain,
  boot: plain,
  cleanStop: plain,
  controls: plain,
  day: plain,
  disowned: texts,
  effects: decimals,
  flattening: mapOf(),
  halts: mapOf<string>(),
  intentCount: plain,
  intents: own,
  killReason: plain,
  lastTs: plain,
  latches: mapOf<string>(),
  marks: mapOf<string>(),
  money: own,
  movedByOthers: mapOf<number>(),
  opened: mapOf<number>(),
  orders,
  overrides: mapOf(),
  owner: plain,
  pauses: mapOf<string>(),
  positions,
  programs: own,
  readTo: plain,
  refs: own,
  restored: plain,
  resumedFrom: plain,
  sessions: texts,
  stopping: mapOf(),
  toldLost: texts,
  trades: own,
  trials: own,
  undivided: own,
  values: mapOf<string>(),
};

const FIELDS = Object.keys(PARTS) as readonly Field[];

export type SavedState = Readonly<Record<string, unknown>>;

export function savedState(state: TradingState, specs: SpecTable): SavedState {
  return Object.fromEntries(FIELDS.map((name) => [name, partOf(name).save(state[name], specs)]));
}

/** `state` must be new. An absent field was undefined. */
export function loadState(saved: SavedState, state: TradingState, specs: SpecTable): void {
  for (const name of FIELDS) {
    const value = saved[name];
    if (value === undefined) continue;
    const held: unknown = state[name];
    const loaded = partOf(name).load(value, held, specs);
    if (loaded !== held) Reflect.set(state, name, loaded);
  }
}

/** `PARTS` has checked the types of each row. */
function partOf(name: Field): Part<unknown, unknown> {
  return PARTS[name] as Part<unknown, unknown>;
}
