/**
 * Trades whose messages did not come, as their numbers show: candles lacked them, and neither the strategies of a session nor
 * those of a backtest of its recording were told. Those that came twice counted twice.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { silentLogger } from '../../src/model/ports.ts';
import { createRecorder } from '../../src/recording/frames/recorder.ts';
import { BASE_LATENCY_US } from '../../src/recording/compile/timing.ts';
import { backtest } from '../../src/session/backtest.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { Witness } from '../../src/session/replay/witness.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { createPublicStream } from '../../src/streams/public.ts';
import type { ChannelListener } from '../../src/exchange/client/sockets/channel-source.ts';
import { encodePush } from '../../src/exchange/wire/socket-messages.ts';
import { BTC, freshDir } from '../recording/fixtures.ts';
import { FakeClock } from '../streams/fake-clock.ts';
import { Instruments } from '../../src/model/market/instrument.ts';

const T0 = 1_700_000_000_000;

const STRATEGY = `
import { defineStrategy, note, z } from 'tidewire';
import { map, merge } from 'rxjs';
export default defineStrategy({
  name: 'listener',
  params: z.object({}),
  setup: ({ market }) => merge(
    market.gaps('BTCUSDT').pipe(map(({ from, to, reason }) => note('gap', { from, to, reason }))),
    market.trades('BTCUSDT').pipe(map(({ price }) => note('trade', { price }))),
  ),
});
`;

/** Records a session's public stream; answers what its strategies were told. */
async function recorded(dir: string): Promise<readonly unknown[]> {
  const clock = new FakeClock(T0);
  const recorder = createRecorder({ dir, clock, instruments: [BTC] });
  const witness = new Witness({ recorder, clock, real: clock });
  const listeners = new Set<ChannelListener>();
  const stream = createPublicStream({
    instruments: new Instruments([BTC]),
    clock,
    sinks: [witness.sink],
    source: {
      state: { kind: 'open', generation: 1 },
      subscribe: () => {},
      unsubscribe: () => {},
      resubscribe: () => {},
      reconnect: () => {},
      listen: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  });
  witness.begin({ note: 'session', format: 1, seed: 1, account: false, strategies: [] });
  stream.start();
  const seen: unknown[] = [];
  stream.market.gaps('BTCUSDT').subscribe(({ from, to, reason }) => seen.push({ from, to, reason }));
  stream.market.trades('BTCUSDT').subscribe(({ price }) => seen.push({ price }));
  const push = (afterMs: number, channel: string, seq: number, data: unknown): void => {
    clock.advance(afterMs);
    const [ts, receiveUs] = [clock.now(), clock.nowUs()];
    for (const listener of listeners) listener.frame({ channel, seq, ts, data, receiveUs, generation: 1 });
    witness.flush();
    recorder.frame('public', encodePush(channel, seq, ts, data), receiveUs, 1);
  };
  const trade = (afterMs: number, seq: number, price: string): void =>
    push(afterMs, 'BTCUSDT@trades', seq, [
      { tradeId: `${seq}`, price, quantity: '1', side: 'buy', ts: clock.now() + afterMs },
    ]);
  push(0, 'BTCUSDT@depth', 1, { type: 'snapshot', bids: [['100', '1']], asks: [['101', '1']] });
  trade(100, 7, '100');
  trade(200, 8, '101');
  trade(0, 8, '101');
  trade(300, 12, '100.5');
  push(100, 'BTCUSDT@depth', 2, { type: 'update', bids: [['100', '2']], asks: [] });
  stream.stop();
  await recorder.close();
  return seen;
}

/** `ahead`: how far the exchange's time, at which a tape tells it, lies before that of the receipt, ms. */
const told = (ahead: number): readonly unknown[] => [
  { price: 100 },
  { price: 101 },
  { from: T0 + 300, to: T0 + 600 - ahead, reason: 'BTCUSDT@trades: messages are missing from 8 to 12' },
  { price: 100.5 },
];

it('are told to the strategies of a session, and to those of a backtest of its recording', async () => {
  const dir = join(freshDir(), 'recording');
  expect(await recorded(dir)).toEqual(told(0));
  const file = join(freshDir(), 'listener.ts');
  writeFileSync(file, STRATEGY);
  const strategies = await prepareStrategies({ file, params: {}, entries: [] });
  const config = configSchema.parse({});
  const { result } = await backtest({ config, strategies, data: [dir], seed: 1, repeat: 1, logger: silentLogger });
  expect(result.notes.map(({ data }) => data)).toEqual(told(BASE_LATENCY_US / 1000));
});
