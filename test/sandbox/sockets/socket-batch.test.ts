import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { SocketBatch } from '../../../src/sandbox/sockets/socket-batch.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { createSystemClock } from '../../../src/session/clock/system-clock.ts';

/** Keeps what reaches it, one text a write call of the stream below. */
class Sink extends Writable {
  readonly writes: string[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.writes.push(chunk.toString());
    done();
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.writes.push(chunks.map(({ chunk }) => chunk.toString()).join(''));
    done();
  }
}

const turnEnds = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('writes everything of one turn at once, in order, at its end', async () => {
  const batch = new SocketBatch();
  const sinks = [new Sink(), new Sink()];
  for (const text of ['a', 'b', 'c']) {
    for (const sink of sinks) {
      batch.hold(sink);
      sink.write(batch.bytesOf(text));
    }
  }
  expect(sinks.map((sink) => sink.writes)).toEqual([[], []]);
  await turnEnds();
  expect(sinks.map((sink) => sink.writes)).toEqual([['abc'], ['abc']]);
  batch.hold(sinks[0]!);
  sinks[0]!.write('d');
  await turnEnds();
  expect(sinks[0]!.writes).toEqual(['abc', 'd']);
});

it('writes what it holds before a socket is destroyed', () => {
  const batch = new SocketBatch();
  const sink = new Sink();
  batch.hold(sink);
  sink.write('last words');
  batch.release(sink);
  sink.destroy();
  expect(sink.writes).toEqual(['last words']);
});

it('makes the bytes of a text once, and those of the next text again', () => {
  const batch = new SocketBatch();
  const first = batch.bytesOf('ä');
  expect(batch.bytesOf('ä')).toBe(first);
  expect(batch.bytesOf('ö').toString()).toBe('ö');
  expect(batch.bytesOf('').length).toBe(0);
});

it('does not end a subscriber who reads for what one turn of the loop sends', async () => {
  const pushes = 2000;
  const running = await startSandbox({ clock: createSystemClock(), market: 'none', sendBufferBytesMax: 100_000 });
  const client = new WebSocket(`${running.wsUrl}/websocket/exchange`);
  try {
    await new Promise((resolve) => client.on('open', resolve));
    client.send(JSON.stringify({ id: 1, method: 'subscribe', data: ['BTCUSDT@trades'] }));
    await new Promise((resolve) => client.once('message', resolve));
    const seqs: number[] = [];
    const over = new Promise((resolve) => {
      client.on('close', resolve);
      client.on('message', (data: Buffer) => {
        const { seq }: { readonly seq: number } = JSON.parse(data.toString());
        if (seqs.push(seq) === pushes) resolve('all');
      });
    });
    const market = running.sandbox.exchange.markets.get('BTCUSDT')!;
    for (let count = 0; count < pushes; count++) {
      running.sandbox.operate((now) => {
        market.record({ tradeId: String(count), ticks: 6_000_000, lots: 1, side: 'buy', ts: now });
      });
    }
    expect(await over).toBe('all');
    expect(seqs).toEqual(seqs.map((_, index) => seqs[0]! + index));
  } finally {
    client.terminate();
    await running.stop();
  }
});
