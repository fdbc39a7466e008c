import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { build } from '../../src/cli/commands/data/data.ts';
import type { CliIo } from '../../src/cli/command.ts';
import { callCli } from '../cli/call-cli.ts';
import { freshDir, writeFixture } from './fixtures.ts';

interface Ran {
  readonly code: number;
  readonly json: Record<string, unknown>;
  readonly err: string;
}

/** Runs `data …` in this process, as `main.ts` does. */
async function run(...args: readonly string[]): Promise<Ran> {
  let out = '';
  let err = '';
  let code = -1;
  const io: CliIo = {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    isTty: false,
    env: {},
    cwd: freshDir(),
    interrupted: new Promise(() => {}),
    exit: (value) => void (code = value),
  };
  const command = build(io);
  for (const child of command.commands) child.option('--json');
  await command.parseAsync([...args, '--json'], { from: 'user' });
  return { code, json: JSON.parse(out) as Record<string, unknown>, err };
}

const LINES = Array.from({ length: 2000 }, (_, index) =>
  JSON.stringify({
    ts: 1000 + index,
    symbol: 'A',
    type: 'trade',
    tradeId: `${index}`,
    price: '10',
    quantity: '1',
    side: 'buy',
  }),
).join('\n');

async function imported(): Promise<string> {
  const dir = join(freshDir(), 'rec');
  const ran = await run('import', '--from', 'jsonl', writeFixture('x.jsonl', LINES), '--out', dir);
  expect(ran).toMatchObject({ code: 0, json: { frames: 2000, symbols: ['A'], problems: [] } });
  return dir;
}

function damage(dir: string): void {
  const path = join(dir, 'frames-000001.twf');
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, bytes.length - 10));
}

describe('data', () => {
  it('info answers in the shape of the contract', async () => {
    const { code, json } = await run('info', await imported());
    expect(code).toBe(0);
    expect(json).toMatchObject({
      source: 'jsonl',
      from: 1000,
      to: 2999,
      frames: 2000,
      clockShiftMs: null,
      problems: [],
    });
    expect(json['symbols']).toEqual({
      A: {
        snapshots: 0,
        depthMessages: 0,
        levels: 0,
        trades: 2000,
        topQuotes: 0,
        candles: 0,
        gaps: 0,
        peakPerSecond: 1000,
      },
    });
  });

  it('verify says ok of a whole recording, and exits 5 of a damaged one', async () => {
    const dir = await imported();
    expect(await run('verify', dir)).toMatchObject({
      code: 0,
      json: { ok: true, frames: 2000, lost: 0, problems: [] },
    });
    damage(dir);
    const { code, json } = await run('verify', dir);
    expect(code).toBe(5);
    expect(json).toMatchObject({ ok: false, lostKnown: true });
    expect(Number(json['frames']) + Number(json['lost'])).toBe(2000);
  });

  it('import, info and verify count the same gaps of a whole recording', async () => {
    const depth = (ts: number, ids: object): string =>
      JSON.stringify({
        ts,
        symbol: 'A',
        type: 'U' in ids ? 'depth' : 'snapshot',
        bids: [['10', '1']],
        asks: [],
        ...ids,
      });
    const lines = [depth(1000, { lastUpdateId: 5 }), depth(1001, { U: 6, u: 7 }), depth(1002, { U: 60, u: 70 })];
    const dir = join(freshDir(), 'rec');
    const gaps = { code: 0, json: { gaps: 1, problems: [] } };
    const file = writeFixture('gap.jsonl', lines.join('\n'));
    expect(await run('import', '--from', 'jsonl', file, '--out', dir)).toMatchObject(gaps);
    expect(await run('verify', dir)).toMatchObject({ ...gaps, json: { ok: true, gaps: 1 } });
    expect((await run('info', dir)).json).toMatchObject({ symbols: { A: { gaps: 1 } } });
  });

  it('a damaged recording is empty or used, with what is lost said, and exit 5 with --strict alone', async () => {
    const dir = join(freshDir(), 'rec');
    const many = Array.from({ length: 4 }, () => LINES).join('\n');
    await run('import', '--from', 'jsonl', writeFixture('x.jsonl', many), '--out', dir);
    damage(dir);
    const lenient = await run('info', dir);
    expect(lenient.code).toBe(0);
    expect(String(lenient.json['problems'])).toMatch(/frames are lost/);
    expect((await run('info', dir, '--strict')).code).toBe(5);
    expect((await run('compile', dir, '--strict')).code).toBe(5);
  });

  it('compile says for humans which tape it made of how many events, without --json', async () => {
    const dir = await imported();
    const { code, stdout } = await callCli(['data', 'compile', dir, '--force'], dir);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\S+\.tape: [\d,]+ events$/m)]);
    expect((await callCli(['data', 'compile', dir], dir)).stdout).toMatch(/events, already compiled$/m);
  });

  it('names what is wrong with its options, exit 2', async () => {
    const file = writeFixture('x.jsonl', LINES);
    const out = join(freshDir(), 'rec');
    const cases: readonly (readonly string[])[] = [
      ['import', '--from', 'nonsense', file, '--out', out],
      ['import', '--from', 'tardis-csv', file, '--out', out],
      ['import', '--from', 'candles-csv', file, '--out', out, '--symbol', 'A', '--interval', 'long'],
      ['info', join(freshDir(), 'nothing')],
    ];
    for (const args of cases) {
      const { code, json } = await run(...args);
      expect(code).toBe(2);
      expect(json).toHaveProperty('error.hint');
    }
  });

  it('replaces an earlier import of the same, and refuses to overwrite another', async () => {
    const dir = await imported();
    expect((await run('import', '--from', 'jsonl', writeFixture('x.jsonl', LINES), '--out', dir)).code).toBe(0);
    const csv = writeFixture('c.csv', 'timestamp,open,high,low,close,volume\n1700000000,1,1,1,1,1\n');
    const other = await run('import', '--from', 'candles-csv', csv, '--symbol', 'A', '--interval', '1m', '--out', dir);
    expect(other).toMatchObject({ code: 2, json: { error: { code: 'recording_exists' } } });
  });

  it('export writes a file', async () => {
    const out = join(freshDir(), 'x.csv');
    const { code, json } = await run(
      'export',
      await imported(),
      '--format',
      'csv',
      '--out',
      out,
      '--from',
      '1970-01-01T00:00:02Z',
    );
    expect(code).toBe(0);
    expect(json).toMatchObject({ events: 1000, rows: 1000, out });
  });
});
