/**
 * A session that started while its symbol was halted denied every order there for as long as it ran, reductions too: what was
 * read at the start was never looked at again. The gate of the instruments says now whether a symbol is halted, and until when.
 */
import { expect, it } from 'vitest';
import { BTC, denials, makeRig, type Rig } from '../execution/rig.ts';
import type { GateClosure } from '../../src/model/ports.ts';

const terms = { kind: 'place', symbol: 'BTCUSDT', type: 'limit', quantity: '0.01' } as const;

function startedWhileHalted(): { readonly rig: Rig; readonly gate: { closure: GateClosure | null } } {
  const before = makeRig({ specs: [BTC] });
  before.executor.submit('maker', { ...terms, side: 'buy', price: '59000' });
  before.venue.tellFill([...before.venue.orders.keys()].at(-1) ?? '', '0.01');
  const gate = { closure: { reason: 'symbol_halted', message: 'BTCUSDT is halted' } as GateClosure | null };
  const rig = makeRig({
    specs: [{ ...BTC, status: 'halted' }],
    journal: before.journal,
    clock: before.clock,
    venue: before.venue,
    bootId: 'b2',
    gates: [{ name: 'instruments', closedBecause: () => gate.closure }],
  });
  return { rig, gate };
}

it('takes new risk again when the symbol trades again', () => {
  const { rig, gate } = startedWhileHalted();
  const sent = rig.venue.creates().length;
  rig.executor.submit('maker', { ...terms, side: 'buy', price: '58000' });
  expect(denials(rig)).toEqual(['symbol_halted']);
  gate.closure = null;
  rig.executor.submit('maker', { ...terms, side: 'buy', price: '58000' });
  expect(rig.venue.creates().length).toBe(sent + 1);
});

it('lets a reduction pass: whether it is taken is for the exchange to say', () => {
  const { rig } = startedWhileHalted();
  rig.executor.submit('maker', { kind: 'flatten', symbol: 'BTCUSDT' });
  expect(rig.venue.creates().at(-1)).toMatchObject({ side: 'sell', quantity: '0.01' });
});
