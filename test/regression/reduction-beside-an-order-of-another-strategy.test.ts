/**
 * A short of one strategy could not be closed while a buy of another one, which is long, rested: it was denied as `reduce_only`, for
 * what external trades have left of it, where nobody else traded.
 */
import { expect, it } from 'vitest';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import { makeRig, PERP, START, type Rig, type RigOptions } from '../execution/rig.ts';

const { symbol } = PERP;

function place(rig: Rig, tag: string, side: 'buy' | 'sell', quantity: string, fills: boolean): void {
  rig.executor.submit(tag, { kind: 'place', symbol, side, type: 'limit', price: '60000', quantity });
  if (fills) rig.venue.tellFill(rig.venue.resting().at(-1)!.orderId, quantity);
}

/** maker −0.013, taker +0.003, and a buy of 0.002 of taker rests. */
function opposing(options: RigOptions = {}): Rig {
  const rig = makeRig({ specs: [PERP], ...options });
  place(rig, 'maker', 'sell', '0.013', true);
  place(rig, 'taker', 'buy', '0.003', true);
  place(rig, 'taker', 'buy', '0.002', false);
  return rig;
}

function denied({ events }: Rig): readonly string[] {
  return events.flatMap((event) => (event.kind === 'denied' ? [event.denied.message] : []));
}

it('closes what the strategy holds', () => {
  const rig = opposing();
  rig.executor.submit('maker', { kind: 'target', symbol, quantity: '0', positionSide: 'both' });
  expect(denied(rig)).toEqual([]);
  const { side, quantity, reduceOnly = false } = rig.venue.creates().at(-1)!;
  // It takes the account from −0.010 to +0.003: new risk, so without the flag of the exchange.
  expect({ side, quantity, reduceOnly }).toEqual({ side: 'buy', quantity: '0.013', reduceOnly: false });
});

it('leaves what the account holds against it beyond own fills', () => {
  const journal = createMemoryJournal();
  const held = { id: 'x', subject: 'position', name: symbol, quantity: '0.01', cause: 'opening' } as const;
  journal.append(START, [{ kind: 'adjustment', ...held }]);
  const rig = opposing({ journal });
  rig.executor.submit('maker', { kind: 'target', symbol, quantity: '0', positionSide: 'both' });
  expect(denied(rig)).toEqual([
    'BTCUSDTPERP: buy 0.013 exceeds what external trades have left of it (0.003); `tidewire plan` shows the choices',
  ]);
});
