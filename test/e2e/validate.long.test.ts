/** `tidewire validate` as a user runs it, on the sample that comes with the project. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ValidationResult } from '../../src/research/validate/result.ts';
import { documentOf, errorOf, freshFolder, root, run, start, strategyFile } from './cli.ts';
import { aStoredTrial } from './stored-trial.ts';

const COMMAND = ['validate', strategyFile('spread-maker'), '--data', join(root, 'data', 'sample')];

describe('validate', () => {
  it('searches, judges all of the trials, and keeps the lockbox closed until it is asked', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'space.yaml'), 'parameters: { halfSpreadBps: { from: 0.2, to: 3, log: true } }\n');
    const search = [...COMMAND, '--space', 'space.yaml', '--trials', '4', '--workers', '2', '--json'];
    const closed = await run([...search, '--report', 'v.html', '--result', 'v.json'], { cwd: folder });
    expect(closed.code).toBe(0);
    const result = documentOf<ValidationResult>(closed);
    expect(result.command).toBe('validate');
    expect(result.lookAhead).toMatchObject({ ok: true });
    expect(result.lookAhead.cuts.map(({ differsAt }) => differsAt)).toEqual([null, null, null]);
    expect(result.lookAhead.cuts.at(-1)!.decisions).toBeGreaterThan(10);
    expect(result.base.trialsOnData).toBe(4);
    expect(result.ledger?.trials).toBe(4);
    expect(result.stress.map(({ reason }) => reason)).toEqual(result.stress.map(() => null));
    expect(result.lockbox).toMatchObject({ metrics: null, openings: 0, seenBy: 0, from: result.research.to });
    expect(result.verdict.sentence).toMatch(/^(Evidence|No evidence)/);
    expect(readFileSync(join(folder, 'v.html'), 'utf8')).toContain(result.verdict.sentence);
    expect((await run(['report', 'v.json', '--out', 'later.html'], { cwd: folder })).code).toBe(0);
    expect(readFileSync(join(folder, 'later.html'), 'utf8')).toBe(readFileSync(join(folder, 'v.html'), 'utf8'));

    const opened = documentOf<ValidationResult>(await run([...search, '--open-lockbox'], { cwd: folder }));
    expect(opened.lockbox.metrics).not.toBeNull();
    expect(opened.lockbox.openings).toBe(1);
    expect(opened.base).toEqual(result.base);
    expect(opened.walkForward).toEqual(result.walkForward);

    // A backtest over all of the data looks into the lockbox, and is told on.
    await run(['backtest', ...COMMAND.slice(1), '--json'], { cwd: folder });
    const seen = documentOf<ValidationResult>(await run([...COMMAND, '--json'], { cwd: folder }));
    expect(seen.lockbox.seenBy).toBe(1);
    expect(seen.verdict.reasons.join(' ')).toContain('1 earlier trial ran over the lockbox');
  });

  it('gives no verdict after Ctrl-C, which would rest on a part of the search', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'space.yaml'), 'parameters: { halfSpreadBps: { from: 0.2, to: 3, log: true } }\n');
    const search = [...COMMAND, '--space', 'space.yaml', '--trials', '400', '--workers', '1', '--open-lockbox'];
    const validating = start([...search, '--json'], { cwd: folder });
    await aStoredTrial(folder);
    const ended = await validating.signal('SIGINT');
    expect([ended.code, errorOf(ended).code]).toEqual([1, 'validation_interrupted']);
  });

  it('ends with 5 when decisions are not those of the same data cut short', async () => {
    const folder = freshFolder();
    // Remembers outside of its run how far the data went, where no run is kept from it, and decides by it the next time.
    writeFileSync(
      join(folder, 'peeker.ts'),
      `import { defineStrategy, note, z } from 'tidewire';
import { map } from 'rxjs';
import { channel } from 'node:diagnostics_channel';
const memory = channel('memory') as { seen?: number };
export default defineStrategy({
  name: 'peeker',
  params: z.object({}),
  setup: ({ market }) => {
    const known = memory.seen ?? 0;
    return market.top('BTCUSDT').pipe(map(({ ts }) => { memory.seen = ts; return note(String(known)); }));
  },
});
`,
    );
    const command = ['validate', 'peeker.ts', '--data', join(root, 'data', 'sample'), '--json'];
    const ended = await run(command, { cwd: folder });
    const result = documentOf<ValidationResult>(ended);
    expect(ended.code).toBe(5);
    expect(result.lookAhead.ok).toBe(false);
    expect(result.verdict).toMatchObject({ level: 'none', sentence: expect.stringContaining('data that come after') });
  });

  it.each(['100', '-100'])('charges funding against a position of %s', async (quantity) => {
    const folder = freshFolder();
    const bars = Array.from({ length: 240 }, (_, hour) => {
      const price = (100 + Math.sin(hour)).toFixed(2);
      return [Date.UTC(2026, 0, 1) + hour * 3_600_000, price, price, price, price, (1000 + hour / 1000).toFixed(3)];
    });
    const csv = ['timestamp,open,high,low,close,volume', ...bars.map((bar) => bar.join(','))].join('\n');
    writeFileSync(join(folder, 'bars.csv'), csv);
    writeFileSync(
      join(folder, 'holder.ts'),
      `import { defineCandleStrategy, target, z } from 'tidewire';
export default defineCandleStrategy({
  name: 'holder',
  params: z.object({ symbol: z.string().default('BTCUSDTPERP') }),
  interval: '1h',
  setup: () => ({}),
  onCandle: (_candle, { params }) => target(params.symbol, { quantity: '${quantity}' }),
});
`,
    );
    const kind = ['--symbol', 'BTCUSDTPERP', '--market', 'derivative', '--interval', '1h'];
    await run(['data', 'import', 'bars.csv', '--from', 'candles-csv', ...kind, '--out', 'bars'], { cwd: folder });
    const ended = await run(['validate', 'holder.ts', '--data', 'bars', '--json'], { cwd: folder });
    const { stress, base } = documentOf<ValidationResult>(ended);
    const made = (name: string): number => stress.find((row) => row.name === name)!.metrics!['tradingPnl']!;
    expect(base.metrics['funding']).toBe(0);
    expect(made('funding')).toBeLessThan(base.metrics['tradingPnl']!);
    expect(made('all at once')).toBeLessThan(made('fees × 1.5'));
  });

  it.each([
    ['--walk-forward', 'sideways'],
    ['--lockbox', '90'],
    ['--folds', '0'],
    // Without --space nothing is searched, and only purged trains on what comes after a test part.
    ['--trials', '10'],
    ['--method', 'tpe'],
    ['--embargo', '5s'],
  ])('refuses %s %s', async (option, value) => {
    const ended = await run([...COMMAND, option, value, '--json'], { cwd: freshFolder() });
    expect([ended.code, errorOf(ended).code]).toEqual([2, 'bad_option']);
  });
});
