/** The short side of a hedge is below zero, also where the exchange tells it without a sign (which the interface leaves open). */
import { afterEach, expect, it } from 'vitest';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import { riskSchema } from '../../../src/risk/options.ts';
import { replayRows } from '../../../src/spine/replay.ts';
import { watchRules } from '../../../src/operations/watchdog/configured-rules.ts';
import { ExchangeEyes } from '../../../src/operations/watchdog/exchange-sight.ts';
import { judge, WatchRulesMemory } from '../../../src/operations/watchdog/rules.ts';
import { held } from '../../execution/perpetual-rig.ts';
import { makeRig, PERP } from '../../execution/rig.ts';
import { openWatched } from './watched.ts';

let close = async (): Promise<void> => {};
afterEach(() => close());

it.each(['-0.1', '0.1'])('%s short beside a long of as much is no difference and no net position', async (short) => {
  const { world, exchange } = await openWatched();
  close = () => world.close();
  const derivatives = await exchange.marketData.derivativeInstruments();
  const symbol = derivatives.kind === 'failed' ? '' : (derivatives.value[0]?.symbol ?? '');
  const rig = makeRig({ specs: [{ ...PERP, symbol }], risk: { maxOrderEquityFraction: 10 } });
  for (const [positionSide, side] of [
    ['long', 'buy'],
    ['short', 'sell'],
  ] as const) {
    const terms = { symbol, side, type: 'limit', price: '60000', quantity: '0.1', positionSide } as const;
    rig.executor.submit('maker', { kind: 'place', ...terms });
    rig.venue.tellFill(rig.venue.resting()[0]?.orderId ?? '', '0.1');
  }
  const { state } = replayRows(rig.journal.read());
  const long = { ...held('0.1'), symbol, positionSide: 'long' };
  const positions = [long, { ...held(short), symbol, positionSide: 'short' }];
  const { orders, marketData, money, account } = exchange;
  const hedged = {
    balances: () => account.balances(),
    positions: async () => ({ kind: 'complete', asOf: 0, items: positions }),
  };
  const eyes = new ExchangeEyes({ orders, marketData, money, account: hedged } as unknown as Exchange, 'USDT', '1');
  const sight = await eyes.look(state);
  expect(sight.differences?.filter((text) => text.includes(symbol))).toEqual([]);
  const rules = watchRules(riskSchema.parse({ maxNetValue: '1000' }), 10_000, 60_000);
  const seen = { ...sight, heartbeatAgeMs: 0, journalOpen: 0, killed: false, dayEquity: null, differences: [] };
  expect(judge(seen, rules, new WatchRulesMemory(), 0).pull).toBeNull();
});
