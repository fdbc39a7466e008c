/**
 * `pair`: legs that fill together. All cross at once. A lagging leg is pursued for `within`, or until it is given up.
 * Then the unhedged part beyond `maxUnhedged` is undone on the legs that are ahead.
 */
import type { PairAction } from '../model/trading/program.ts';
import type { Side } from '../model/trading/order.ts';
import { over, type ProgramRule, type ProgramView, type Step, type Want } from './rule.ts';
import { durationOf, lotsOf, numberOf, opposite, refuse, signOf, whole } from './terms.ts';

interface Leg {
  readonly symbol: string;
  readonly side: Side;
  readonly lots: number;
}

interface Spec {
  readonly legs: readonly Leg[];
  /** Fraction of the whole that may stay unhedged. */
  readonly unhedged: number;
  readonly within: number;
}

interface Data {
  /** From here on the legs that are ahead are undone. */
  readonly isUndone: boolean;
  /** By leg, where the strategy held the opposite at the start: undoing it reduces nothing. Absent: nowhere. */
  readonly against?: readonly boolean[];
}

const nameOf = (index: number): string => `leg:${index + 1}`;

function step(view: ProgramView<Spec, Data>): Step<Data> {
  const { spec, now, startedAt, leg } = view;
  const legs = spec.legs.map((one, index) => {
    const name = nameOf(index);
    const [forth, back] = [leg(name), leg(`${name}:undo`)];
    const { isGivenUp } = forth;
    const held = forth.filled - back.filled;
    return { ...one, name, forth, back, held, isOpen: forth.isOpen || back.isOpen, isGivenUp };
  });
  const most: Record<string, number> = {};
  for (const { name, lots, forth } of legs) {
    most[name] = lots;
    most[`${name}:undo`] = forth.filled;
  }
  const shares = legs.map(({ held, lots }) => held / lots);
  const least = Math.min(...shares);
  const isOpen = legs.some((one) => one.isOpen);
  const deadline = startedAt + spec.within;
  const isOver = now >= deadline || legs.some(({ isGivenUp }) => isGivenUp);
  const data = !view.data.isUndone && isOver ? { ...view.data, isUndone: true } : view.data;
  const ahead = legs.map(({ symbol, held, lots }) => ({ symbol, lots: Math.max(0, whole(held - least * lots)) }));
  const [first, ...beside] = ahead;
  const protects = { covers: first?.lots ?? 0, closes: opposite(spec.legs[0]?.side ?? 'buy'), beside };
  if (!data.isUndone) {
    if (least >= 1) return over(data, 'done', 'filled');
    const wants = legs.flatMap(({ name, symbol, side, lots, forth }): readonly Want[] =>
      forth.filled >= lots ? [] : [{ leg: name, side, lots: lots - forth.filled, ticks: 0, reduceOnly: false, symbol }],
    );
    const isAnswered = isOpen || legs.some(({ held }) => held > 0);
    return { data, wants, most, waitsFor: 'the rest of its legs', wakeAt: deadline, ...protects, isAnswered };
  }
  const wants = legs.flatMap(({ name, symbol, side, lots }, index): readonly Want[] => {
    const { lots: back = 0 } = ahead[index] ?? {};
    const isBeyond = back > spec.unhedged * lots && back >= view.least(view.prices(symbol).mid, symbol);
    if (!isBeyond) return [];
    const reduceOnly = data.against?.[index] !== true;
    return [{ leg: `${name}:undo`, side: opposite(side), lots: back, ticks: 0, reduceOnly, symbol }];
  });
  if (wants.length === 0 && !isOpen) {
    const reason = `${(least * 100).toFixed(2)} % of the pair is filled, and the legs that were ahead are undone`;
    return over(data, least >= 1 ? 'done' : 'failed', reason);
  }
  return { data, wants, most, waitsFor: 'the undoing of the legs that are ahead', leftAt: deadline, ...protects };
}

export const pair: ProgramRule<PairAction, Spec, Data> = {
  parse: (action, terms) => {
    const { legs, quantity, maxUnhedged } = action;
    if (!Array.isArray(legs) || legs.length < 2 || legs.length > 10)
      refuse('unsupported', 'a pair has 2 to 10 legs', 'legs');
    const units = numberOf(Number(quantity), 'quantity', 1e-12, 1e12);
    const unhedged = numberOf(Number(maxUnhedged), 'maxUnhedged', 0, 1e12) / units;
    const known = legs.map(({ symbol, ratio }, index): Leg => {
      const instrument = terms.instrument(symbol);
      const signed = numberOf(ratio, `legs[${index}].ratio`, -1e9, 1e9);
      const rounded = instrument.roundQuantity(Math.abs(signed) * units, 'nearest');
      return { symbol, side: signed > 0 ? 'buy' : 'sell', lots: lotsOf(instrument, rounded, `legs[${index}].ratio`) };
    });
    if (new Set(known.map(({ symbol }) => symbol)).size < known.length)
      refuse('unsupported', 'each leg of a pair has a symbol of its own', 'legs');
    const spec = { legs: known, unhedged, within: durationOf(action.within, 'within') };
    const against = known.map(({ symbol, side }) => signOf(side) * terms.lots(symbol) < 0);
    const data = against.includes(true) ? { isUndone: false, against } : { isUndone: false };
    return { symbol: known[0]?.symbol ?? '', spec, data };
  },
  step,
  hears: () => [],
  // Quantities of several coins have no sum, so its first leg's are shown.
  quantity: ({ legs }) => legs[0]?.lots ?? null,
  isParent: (leg) => leg === nameOf(0),
  groupOf: (leg) => leg,
};
