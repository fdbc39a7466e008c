/**
 * Frames decoded per second: the text of a push to market events (envelope, payload, ticks and lots), beside
 * `JSON.parse` alone, on depth updates and trades as a sandbox sends them.
 */
import { WebSocket } from 'ws';
import { decodePublicFrame } from '../src/exchange/wire/market/public-frames.ts';
import { LevelScratch } from '../src/exchange/wire/market/depth.ts';
import { readServerMessage } from '../src/exchange/wire/socket-messages.ts';
import { Instruments } from '../src/model/market/instrument.ts';
import { silentLogger } from '../src/model/ports.ts';
import { startSandbox } from '../src/sandbox/server.ts';
import { createSystemClock } from '../src/session/clock/system-clock.ts';
import { print, race, seconds } from './harness.ts';

const SYMBOL = 'BTCUSDT';
const COLLECT_MS = 6000;
const FRAMES = 100_000;

interface Frames {
  readonly instruments: Instruments;
  readonly depth: readonly string[];
  readonly trades: readonly string[];
}

/** Frames of a few seconds of a busy sandbox, as text. */
async function sandboxFrames(): Promise<Frames> {
  const clock = createSystemClock();
  const sandbox = await startSandbox({ port: 0, clock, seed: 7, logger: silentLogger });
  const socket = new WebSocket(`${sandbox.wsUrl}/websocket/exchange`);
  const texts: string[] = [];
  socket.on('message', (data: Buffer) => texts.push(data.toString()));
  await new Promise((resolve) => socket.once('open', resolve));
  const channels = [`${SYMBOL}@depth`, `${SYMBOL}@trades`];
  socket.send(JSON.stringify({ id: 1, method: 'subscribe', data: channels }));
  await new Promise((resolve) => setTimeout(resolve, COLLECT_MS));
  socket.terminate();
  const specs = [...sandbox.sandbox.exchange.markets.values()].map(({ instrument }) => instrument.spec);
  await sandbox.stop();
  return {
    instruments: new Instruments(specs),
    depth: texts.filter((text) => text.includes('@depth') && text.includes('"update"')),
    trades: texts.filter((text) => text.includes('@trades') && text.includes('tradeId')),
  };
}

async function compare(what: string, texts: readonly string[], instruments: Instruments): Promise<void> {
  if (texts.length === 0) throw new Error(`the sandbox sent no ${what} frames in ${COLLECT_MS} ms`);
  const bytes = Math.round(texts.reduce((sum, text) => sum + text.length, 0) / texts.length);
  const scratch = new LevelScratch();
  let kept = 0;
  const rate = async (take: (text: string) => void): Promise<number> => {
    const took = await seconds(() => {
      for (let frame = 0; frame < FRAMES; frame++) take(texts[frame % texts.length]!);
    });
    return FRAMES / took;
  };
  const results = await race([
    {
      name: 'floor: JSON.parse alone',
      run: () => rate((text) => void (kept += JSON.parse(text) === null ? 1 : 0)),
    },
    {
      name: 'text → market events',
      run: () =>
        rate((text) => {
          const message = readServerMessage(text);
          if (message.kind !== 'push') throw new Error(`not a push: ${text}`);
          const frame = decodePublicFrame({ ...message, receiveUs: 0, generation: 1 }, instruments, { scratch });
          if (frame.kind !== 'events') throw new Error(`not decoded: ${text}`);
          kept += frame.events.length;
        }),
    },
  ]);
  print(`Decoding ${what} (${texts.length} frames of ${bytes} bytes in turn)`, 'frames/s', results);
}

export async function decodeBench(): Promise<void> {
  const { instruments, depth, trades } = await sandboxFrames();
  await compare('depth updates', depth, instruments);
  await compare('trades', trades, instruments);
}
