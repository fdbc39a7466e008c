/** Inbound signals: from a growing file to the strategies, each once, over restarts; in a backtest at their times. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { InboundSignal } from '../../../src/model/inbound-signal.ts';
import type { Action } from '../../../src/model/trading/action.ts';
import type { Candle } from '../../../src/model/market/views.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { backtest } from '../../../src/session/backtest.ts';
import { configSchema } from '../../../src/session/config/schema.ts';
import { FileTail } from '../../../src/session/signals/file-tail.ts';
import type { SignalEntrance } from '../../../src/session/signals/entrance.ts';
import { SignalInbox } from '../../../src/session/signals/inbox.ts';
import { readSignals } from '../../../src/session/signals/recorded-signals.ts';
import { parseSignalLine } from '../../../src/session/signals/signal-line.ts';
import { watchSignalFile } from '../../../src/session/signals/watch-file.ts';
import { sessionFiles } from '../../../src/session/store/store.ts';
import { prepareStrategies } from '../../../src/session/strategies.ts';
import { actionLine, parseActionLine } from '../../../src/session/decisions/action-log.ts';
import { rerun } from '../../../src/session/rerun.ts';
import { replaySession } from '../../../src/session/replay/replay.ts';
import { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';
import { MemoryState } from '../../strategy/world.ts';
import { MANY_START_MS, symbolOf, writeTogether } from '../../recording/many-symbols.ts';
import { realSession } from '../replay/real-session.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewire-signals-'));
  path = join(folder, 'signals.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const START_MS = 1_767_225_600_000;

function line(id: string, more: object = {}): string {
  return `${JSON.stringify({ name: 'trend', id, data: { side: id }, ...more })}\n`;
}

test('an inbox remembers ids over restarts, whichever way they came, and a flood by one way empties no other', () => {
  const state = new MemoryState();
  const signal = (id: string): InboundSignal => ({ name: 'trend', id, ts: START_MS, data: null });
  const first = new SignalInbox({ state, together: (work) => work() });
  expect([first.accept(signal('a'), 'network'), first.accept(signal('b'))]).toEqual([true, true]);
  for (let count = 0; count < 200; count++) first.accept(signal(`file-${count}`));
  const second = new SignalInbox({ state, together: (work) => work() });
  const heard: string[] = [];
  second.listen(({ id }) => heard.push(id));
  expect([second.accept(signal('a'), 'network'), second.accept(signal('a'))]).toEqual([false, false]);
  expect([second.accept(signal('file-199'), 'network'), second.accept(signal('c'), 'network')]).toEqual([false, true]);
  expect(heard).toEqual(['c']);
});

test.each([
  ['{', /not JSON/],
  ['[]', /expected object/],
  ['{"id": "1"}', /name/],
  ['{"name": "a b"}', /letters, digits/],
  ['{"name": "a", "sise": 1}', /sise/],
  ['{"name": "a", "ts": -1}', /ts/],
])('%s is no signal', (text, problem) => expect(parseSignalLine(text, 0)).toMatch(problem));

test('a line without an id has one of its place and text; its data is frozen', () => {
  const [first, again, later] = [0, 0, 9].map((at) => parseSignalLine('{"name": "a", "data": {"b": [1]}}', at));
  if (typeof first !== 'object' || typeof later !== 'object') throw new Error('unread');
  expect(again).toEqual(first);
  expect(later.id).not.toBe(first.id);
  expect(Object.isFrozen((first.data as { readonly b: object }).b)).toBe(true);
});

test('a tail hands out each whole line once, however the file grows', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '\n') }), { maxLength: 20 }), (parts) => {
      writeFileSync(path, '');
      const tail = new FileTail(path, 0);
      const read: string[] = [];
      for (const part of parts) {
        appendFileSync(path, part);
        for (const event of tail.read()) if (event.kind === 'line') read.push(event.text);
      }
      expect(read).toEqual(parts.join('').split('\n').slice(0, -1));
    }),
    { numRuns: 50 },
  );
});

test('a line that is too long is named once, and the next is read', () => {
  writeFileSync(path, 'a'.repeat(2_500_000));
  const tail = new FileTail(path, 0);
  const events = [...tail.read(), ...tail.read(), ...tail.read()];
  appendFileSync(path, `${'a'.repeat(100)}\nb\n`);
  expect([...events, ...tail.read()]).toEqual([
    { kind: 'too-long', at: 0 },
    { kind: 'line', at: 2_500_101, text: 'b' },
  ]);
});

describe('a growing file', () => {
  /** A process of a session: its state outlives it. */
  function process(clock: VirtualClock, state: MemoryState) {
    const heard: InboundSignal[] = [];
    const told: string[] = [];
    const inbox = new SignalInbox({ state, together: (work) => work() });
    inbox.listen((signal) => heard.push(signal));
    const warn = (_: object, text?: string): void => void told.push(text ?? '');
    const stop = watchSignalFile({ path, inbox, clock, logger: { warn }, deliver: (run) => run() });
    return { heard, told, stop, ids: () => heard.map(({ id }) => id) };
  }

  test('is followed; what was there at the start counts with a fresh ts alone', () => {
    const clock = new VirtualClock(START_MS * 1000);
    writeFileSync(
      path,
      line('old') + line('fresh', { ts: START_MS - 1000 }) + line('stale', { ts: START_MS - 60_000 }),
    );
    const { ids, told, heard } = process(clock, new MemoryState());
    expect(ids()).toEqual(['fresh']);
    expect(told).toEqual([
      expect.stringMatching(/byte 0 is not delivered: it was there at the start and gives no ts/),
      expect.stringMatching(/its ts is 60 s ago/),
    ]);
    appendFileSync(path, line('new'));
    clock.advanceTo((START_MS + 2000) * 1000);
    expect(heard[1]).toMatchObject({ id: 'new', name: 'trend', data: { side: 'new' } });
    expect(heard[1]!.ts).toBeGreaterThan(START_MS);
  });

  test('bad and repeated lines are told with their place, the others go on', () => {
    const clock = new VirtualClock(START_MS * 1000);
    const { ids, told } = process(clock, new MemoryState());
    expect(told).toEqual([expect.stringMatching(/cannot be read: .*ENOENT.* looked for again/)]);
    clock.advanceTo((START_MS + 2000) * 1000);
    appendFileSync(path, `${line('1')}{oops\n\n${line('1')}${line('2')}`);
    clock.advanceTo((START_MS + 3000) * 1000);
    expect(ids()).toEqual(['1', '2']);
    expect(told.slice(1)).toEqual([
      expect.stringMatching(/at byte \d+ is not delivered: it is not JSON/),
      expect.stringMatching(/signal trend 1 was delivered before/),
    ]);
    // More of them than fit are counted.
    appendFileSync(path, 'x\n'.repeat(500));
    clock.advanceTo((START_MS + 4000) * 1000);
    expect(told).toHaveLength(3 + 20 + 1);
    expect(told.at(-1)).toMatch(/480 more lines/);
  });

  test('goes on after a restart where it was; nothing comes twice', () => {
    const clock = new VirtualClock(START_MS * 1000);
    const state = new MemoryState();
    writeFileSync(path, '');
    const first = process(clock, state);
    appendFileSync(path, line('1') + line('2'));
    clock.advanceTo((START_MS + 1000) * 1000);
    first.stop();
    appendFileSync(path, line('3', { ts: START_MS + 900 }) + line('4'));
    const second = process(clock, state);
    expect(first.ids()).toEqual(['1', '2']);
    expect(second.ids()).toEqual(['3']);
    expect(second.told).toEqual([expect.stringMatching(/it was there at the start/)]);
    // Begun anew by its writer, with an id of before.
    clock.advanceTo((START_MS + 2000) * 1000);
    writeFileSync(path, line('2', { ts: START_MS + 2000 }) + line('5', { ts: START_MS + 2000 }));
    clock.advanceTo((START_MS + 3000) * 1000);
    expect(second.ids()).toEqual(['3', '5']);
    expect(second.told.join()).toMatch(/became shorter.*trend 2 was delivered before/s);
  });
});

const STRATEGY = `
import { defineStrategy, note, z } from 'tidewire';
import { map, merge, of } from 'rxjs';
export default defineStrategy({
  name: 'listener',
  params: z.object({ symbol: z.string().default('BTCUSDT'), candles: z.number().default(4) }),
  warmup: ({ symbol, candles }) => (candles === 0 ? [] : [{ symbol, interval: '1m', candles }]),
  setup: ({ params, signals, market, clock }) => {
    const past = params.candles === 0 ? [] : market.history(params.symbol, '1m', params.candles);
    return merge(
      of(note('past', past)),
      signals('trend').pipe(map(({ id, data }) => note('signal ' + id, { data, at: clock.now() }))),
      market.top(params.symbol, { every: '200ms' }).pipe(map(({ mid }) => note('mid', { mid }))),
    );
  },
});
`;

function strategyFile(): string {
  const file = join(folder, 'listener.ts');
  writeFileSync(file, STRATEGY);
  return file;
}

test('a backtest delivers each at its ts; they are part of the run hash', async () => {
  const data = join(folder, 'recording');
  await writeTogether(data, { symbols: 1, framesPerSymbol: 40, everyMs: 500, seed: 3 });
  const at = MANY_START_MS + 7000;
  writeFileSync(path, line('2', { ts: at + 1500 }) + line('1', { ts: at }) + line('none') + line('0', { ts: 5 }));
  const strategies = await prepareStrategies({
    file: strategyFile(),
    params: { symbol: symbolOf(0), candles: '0' },
    entries: [],
  });
  const run = async (signals?: ReturnType<typeof readSignals>) => {
    const options = { config: configSchema.parse({}), strategies, data: [data], seed: 1, repeat: 1 };
    const { result } = await backtest({
      ...options,
      logger: silentLogger,
      ...(signals === undefined ? {} : { signals }),
    });
    return result;
  };
  const read = readSignals(path);
  expect(read.warnings).toEqual([expect.stringMatching(/:3 is not delivered: it gives no ts/)]);
  const result = await run(read);
  const heard = result.notes.filter(({ text }) => text.startsWith('signal'));
  expect(heard.map(({ text, ts }) => [text, ts])).toEqual([
    ['signal 1', at],
    ['signal 2', at + 1500],
  ]);
  expect(heard[0]?.data).toEqual({ data: { side: '1' }, at });
  expect(result.warnings.filter((text) => text.startsWith(path))).toEqual([
    expect.stringMatching(/: 1 line is not delivered: not from 20.* to 20.*Z$/),
  ]);
  const without = await run();
  expect(without.runHash).not.toBe(result.runHash);
  expect((await run(readSignals(path))).runHash).toBe(result.runHash);
});

test('a paper session hears them as they come, and its replay decides the same', async () => {
  writeFileSync(path, '');
  let sent = 0;
  let signals: SignalEntrance | undefined;
  const taken: unknown[] = [];
  const byNetwork = (id: string): void => {
    const signal = { name: 'trend', id, ts: Date.now(), data: { side: id } };
    // The second is of the file: its id was seen before.
    for (const each of [id, id, '1']) taken.push(signals?.take({ ...signal, id: each }));
  };
  const { folder: session, config } = await realSession({
    file: strategyFile(),
    params: { symbol: 'BTCUSDT' },
    seed: 5,
    decisions: 12,
    signalFile: path,
    started: (running) => {
      signals = running.signals;
      // The strategies do not decide yet.
      taken.push(signals.take({ name: 'trend', id: '3', ts: Date.now(), data: null }));
    },
    meanwhile: (decisions) => {
      if (decisions <= sent || sent === 4) return;
      if (++sent <= 2) appendFileSync(path, line(String(sent)));
      else byNetwork(String(sent));
    },
  });
  expect(taken).toEqual(['not-now', 'taken', 'seen', 'seen', 'taken', 'seen', 'seen']);
  expect(signals?.take({ name: 'trend', id: '5', ts: Date.now(), data: null })).toBe('not-now');
  const report = await replaySession({ folder: session, config, logger: silentLogger });
  expect(report).toMatchObject({ account: 'recorded', first: null });
  // A rerun on a simulated venue has its inputs, too; what a late timer meets may differ there.
  const others = (lines: readonly string[]): readonly unknown[] =>
    lines.filter((text) => !text.includes('"mid"')).map((text) => parseActionLine(text).action);
  const again: string[] = [];
  const onActions = (ts: number, tag: string, acts: readonly Action[]): void =>
    void again.push(...acts.map((action) => actionLine(ts, tag, action)));
  await rerun({ folder: session, config, logger: silentLogger, asPaper: true, onActions });
  const made = readFileSync(join(session.path, sessionFiles.actions), 'utf8').trim().split('\n');
  expect(others(again)).toEqual(others(made));
  const [first] = readFileSync(join(session.path, sessionFiles.actions), 'utf8').split('\n');
  const { action } = JSON.parse(first!) as { readonly action: { readonly data: readonly Candle[] } };
  expect(action.data.map(({ closed }) => closed)).toEqual([true, true, true, true]);
  const decided = readFileSync(join(session.path, sessionFiles.actions), 'utf8');
  for (const id of ['1', '2', '3', '4']) expect(decided.split(`signal ${id}"`)).toHaveLength(2);
});
