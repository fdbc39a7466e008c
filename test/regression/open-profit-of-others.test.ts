/**
 * Found by reading: in a live session the open profit of a perpetual that a human holds in a symbol that the session does not
 * trade was in no figure until it was closed.
 */
import { EMPTY, Subject } from 'rxjs';
import { expect, it } from 'vitest';
import type { VenuePosition } from '../../src/model/trading/account.ts';
import { Instruments, type Instrument } from '../../src/model/market/instrument.ts';
import { FollowedSymbols } from '../../src/session/feed/followed-symbols.ts';
import { LiveWatch } from '../../src/session/recorder/live-watch.ts';
import { RunRecorder } from '../../src/session/recorder/run-recorder.ts';
import type { RunningSession } from '../../src/session/store/running-session.ts';
import { BTC, HandClock, makeRig, PERP, trading } from '../execution/rig.ts';

const OTHER = 'ETHUSDTPERP';

function held(unrealizedPnl: string): VenuePosition {
  const terms = { leverage: '10', marginType: 'cross', margin: '300', liquidationPrice: null } as const;
  const prices = { entryPrice: '3000', markPrice: '3010', realizedPnl: '0' } as const;
  return { symbol: OTHER, positionSide: 'both', quantity: '1', unrealizedPnl, updatedAt: 1, ...terms, ...prices };
}

it('is of the account: in the start what was open then, and external what came since, closed or not', () => {
  const clock = new HandClock();
  const specs = [BTC, PERP, { ...PERP, symbol: OTHER, base: 'ETH' }];
  const instruments = new Instruments(specs);
  const { executor, venue } = makeRig({ clock, specs });
  const recorder = new RunRecorder(instruments, 'USDT');
  const tops = new Subject<{ readonly mid: number }>();
  const market = {
    instrument: (symbol: string): Instrument => instruments.find(symbol)!,
    top: () => tops,
    mark: () => EMPTY,
  };
  const watch = new LiveWatch(recorder, null, clock.now());
  const session = {
    engine: { executor },
    options: { connection: { instruments } },
    stream: { market },
    symbols: [PERP.symbol],
    followed: new FollowedSymbols([PERP.symbol]),
    clock,
  };
  watch.start(session as unknown as RunningSession);
  const look = (total: string, ...positions: readonly VenuePosition[]): number | undefined => {
    venue.emit({ kind: 'balances', balances: [trading('USDT', total)], whole: true });
    clock.advance(1);
    tops.next({ mid: 60_000 });
    venue.emit({ kind: 'positions', positions, whole: true });
    tops.next({ mid: 60_000 });
    return recorder.equity.figures(recorder.account())?.external.toNumber();
  };
  expect(look('10000', held('10'))).toBe(0);
  expect(recorder.equity.capital).toBe(10_010);
  expect(look('10000', held('-25'))).toBe(-35);
  expect(look('9975')).toBe(-35);
});
