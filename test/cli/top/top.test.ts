/** `tidewire top`: its lines at any size, its keys, and a terminal that is none. */
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sessionSummary } from '../../../src/bridge/schemas/session.ts';
import { colouring } from '../../../src/cli/terminal/table.ts';
import { widthOf } from '../../../src/cli/top/columns.ts';
import { keysIn } from '../../../src/cli/top/keys.ts';
import type { TopModel } from '../../../src/cli/top/model.ts';
import { topLines } from '../../../src/cli/top/screen.ts';
import { callCli } from '../call-cli.ts';
import { detailWith, NOW } from '../../bridge/telegram/detail.ts';

const colours = colouring(true, {});
const plain = colouring(true, { NO_COLOR: '1' });
const ESCAPE = '\u001b';

function modelWith(more: Partial<TopModel> = {}, sessions = 1): TopModel {
  const detail = detailWith({
    spark: [1, 2, 3, 2],
    gates: [{ gate: 'market data', symbol: 'BTCUSDT', reason: 'stale_data', message: 'BTCUSDT is silent', since: NOW }],
    alarms: [{ seq: 1, ts: NOW, code: 'late_fill', message: 'maker-7: a fill came after it was canceled' }],
  });
  const summary = sessionSummary.parse(detail);
  return {
    now: NOW,
    root: '/sessions',
    sessions: Array.from({ length: sessions }, (_, index) => ({ ...summary, id: `paper-${index}` })),
    chosen: 'paper-0',
    detail,
    book: {
      symbol: 'BTCUSDT',
      ts: NOW,
      synced: true,
      bids: Array.from({ length: 40 }, (_, index) => [String(59_990 - index), '0.5'] as [string, string]),
      asks: Array.from({ length: 40 }, (_, index) => [String(60_010 + index), '1.5'] as [string, string]),
    },
    showsHelp: false,
    ...more,
  };
}

describe('cli/top', () => {
  test('shows session, equity, gate, position, order, alarm and ladder with the own order in it', () => {
    for (const [columns, rows] of [
      [160, 50],
      [80, 40],
    ] as const) {
      const text = topLines(modelWith(), plain, columns, rows).join('\n');
      for (const part of [
        '1 running, 1 in all',
        'paper  maker + taker  12-31 22:30  running',
        'equity  100,012.50 USDT  ▁▅█▅',
        'no new risk in BTCUSDT: BTCUSDT is silent',
        'BTCUSDT  0.5  at 60000',
        'maker-7  buy  BTCUSDT  0.01  59990  open',
        'late_fill',
        'spread 20',
        '◄ buy 0.01',
      ])
        expect(text, `${columns}`).toContain(part);
      expect(text).not.toContain(ESCAPE);
    }
  });

  test('the ladder is beside the rest where there is room, and below it where there is not', () => {
    const at = (columns: number): readonly string[] => topLines(modelWith(), plain, columns, 40);
    expect(at(160).find((line) => line.includes('equity'))).toContain('BTCUSDT');
    const narrow = at(80);
    expect(narrow.findIndex((line) => line.startsWith('BTCUSDT'))).toBeGreaterThan(
      narrow.findIndex((line) => line.startsWith('equity')),
    );
  });

  test('fits every terminal, with colours and foreign text', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 0, max: 30 }),
        fc.string({ unit: 'binary', maxLength: 60 }),
        (columns, rows, sessions, text) => {
          const model = modelWith({}, sessions);
          const detail = { ...model.detail!, killed: text, orders: [{ ...model.detail!.orders[0]!, ref: text }] };
          const lines = topLines({ ...model, detail, chosen: 'paper-7' }, colours, columns, rows);
          expect(lines.length).toBeLessThanOrEqual(rows);
          for (const line of lines) {
            expect(widthOf(line)).toBeLessThanOrEqual(columns);
            // Nothing moves the cursor.
            const seen = line.replaceAll(new RegExp(`${ESCAPE}\\[\\d+m`, 'g'), '');
            expect(Array.from(seen).some((character) => character < ' ')).toBe(false);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test('the chosen session is in the list, however long it is', () => {
    const lines = topLines(modelWith({ chosen: 'paper-17' }, 30), plain, 80, 24);
    expect(lines.filter((line) => line.startsWith('>'))).toHaveLength(1);
    expect(lines.some((line) => /and \d+ older/.test(line))).toBe(true);
  });

  test('without sessions, without a book and while it reads it says so', () => {
    const text = (model: TopModel): string => topLines(model, plain, 80, 24).join('\n');
    expect(text(modelWith({ chosen: null, detail: null }, 0))).toContain('no sessions under');
    expect(text(modelWith({ detail: null }))).toContain('reading …');
    const first = text(modelWith({ sessions: null, chosen: null, detail: null }));
    expect(first).toContain('reading …');
    expect(first).not.toMatch(/no sessions|begin one|in all/);
    expect(text(modelWith({ book: null }))).toContain('no book yet');
    expect(text(modelWith({ book: null, detail: { ...modelWith().detail!, commandable: false } }))).toContain(
      '--dashboard',
    );
    expect(text(modelWith({ showsHelp: true }))).toContain('another session');
  });

  test('reads keys one by one and passes the rest over', () => {
    expect(keysIn('\u001b[A\u001b[Bjk\t?q')).toEqual(['up', 'down', 'down', 'up', 'symbol', 'help', 'leave']);
    expect(keysIn('x\u001b[15~\u001b[1;5C')).toEqual([]);
    expect(keysIn('\u0003')).toEqual(['leave']);
  });

  test('without a terminal it says so and ends with 2', async () => {
    const end = await callCli(['top'], tmpdir());
    expect(end.code).toBe(2);
    expect(end.stderr).toContain('screen_impossible');
  });
});
