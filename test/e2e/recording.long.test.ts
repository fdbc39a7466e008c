/** Record, look, verify, backtest: a recording's way, whole, cut short, damaged, and on a full disk. */
import { spawnSync } from 'node:child_process';
import { closeSync, cpSync, mkdirSync, openSync, readFileSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { beforeRemoval, documentOf, errorOf, freshFolder, root, run, start, strategyFile, type Ended } from './cli.ts';
import { startExchange, writeExchangeConfig } from './exchange-process.ts';

const maker = strategyFile('spread-maker');
const sample = join(root, 'data', 'sample');
const SEGMENT = 'frames-000001.twf';

interface Verified {
  readonly ok: boolean;
  readonly frames: number;
  readonly lost: number;
  readonly lostKnown: boolean;
  readonly problems: readonly string[];
}

interface Backtested {
  readonly runHash: string;
  readonly fills: number;
  readonly events: { readonly total: number };
  readonly warnings: readonly string[];
}

async function verified(cwd: string, path: string): Promise<Verified & { readonly code: number | null }> {
  const ended = await run(['data', 'verify', path, '--json'], { cwd });
  return { ...documentOf<Verified>(ended), code: ended.code };
}

function backtest(cwd: string, path: string, more: readonly string[] = []): Promise<Ended> {
  return run(['backtest', maker, '--data', path, '--json', ...more], { cwd });
}

describe('record', () => {
  it('records an exchange in another process, and a backtest of it gives the same bytes twice', async () => {
    const cwd = freshFolder();
    const exchange = await startExchange(cwd);
    const config = writeExchangeConfig(cwd, exchange.line);
    const args = ['record', '--symbols', 'BTCUSDT', '--for', '5s', '--out', 'rec', '--config', config, '--json'];
    const ended = await run(args, { cwd, env: exchange.keys });
    expect(ended.code, ended.stderr).toBe(0);
    // Orders and balances are in it.
    expect(statSync(join(cwd, 'rec')).mode & 0o777).toBe(0o700);
    const { frames } = documentOf<{ readonly frames: number }>(ended);
    expect(await verified(cwd, 'rec')).toMatchObject({ ok: true, frames, lost: 0, problems: [], code: 0 });
    const info = documentOf<{
      readonly symbols: Readonly<Record<string, Readonly<Record<string, number>>>>;
      readonly problems: readonly string[];
    }>(await run(['data', 'info', 'rec', '--json'], { cwd }));
    expect(info.problems).toEqual([]);
    expect(info.symbols['BTCUSDT']).toMatchObject({ snapshots: 1, gaps: 0 });
    expect(info.symbols['BTCUSDT']?.['depthMessages']).toBeGreaterThan(5);

    const one = await backtest(cwd, 'rec', ['--result', 'one.json', '--seed', '3']);
    const two = await backtest(cwd, 'rec', ['--result', 'two.json', '--seed', '3']);
    expect([one.code, two.code], one.stderr).toEqual([0, 0]);
    expect(documentOf<Backtested>(two).runHash).toBe(documentOf<Backtested>(one).runHash);
    const parts = ['one.json', 'two.json'].map((name) => {
      const result = JSON.parse(readFileSync(join(cwd, name), 'utf8')) as Readonly<Record<string, unknown>>;
      return JSON.stringify([
        result['fills'],
        result['orders'],
        result['equity'],
        result['positions'],
        result['stats'],
      ]);
    });
    expect(parts[1]).toBe(parts[0]);
    // A recording holds no secret of the account.
    const raw = readFileSync(join(cwd, 'rec', SEGMENT));
    expect(raw.includes(exchange.user.apiKey.secretKey)).toBe(false);
  });

  it('stays readable after kill -9, and says that its end may be missing', async () => {
    const cwd = freshFolder();
    const running = start(['record', '--symbols', 'BTCUSDT', '--out', 'rec', '--json'], { cwd });
    const file = join(cwd, 'rec', SEGMENT);
    await running.during('two seconds of frames on disk', () =>
      (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 4000 ? true : undefined,
    );
    await running.signal('SIGKILL');
    const found = await verified(cwd, 'rec');
    expect(found.frames).toBeGreaterThan(5);
    expect(found).toMatchObject({ ok: false, lostKnown: false, code: 5 });
    expect(found.problems.join()).toContain('was not closed');
    const loose = await backtest(cwd, 'rec');
    expect(loose.code, loose.stderr).toBe(0);
    expect(documentOf<Backtested>(loose).warnings.join()).toContain('was not closed');
    expect((await backtest(cwd, 'rec', ['--strict'])).code).toBe(5);

    // Recording into the same folder goes on in a segment of its own.
    const again = await run(['record', '--symbols', 'BTCUSDT', '--for', '1s', '--out', 'rec', '--json'], { cwd });
    expect(again.code, again.stderr).toBe(0);
    const { frames } = documentOf<{ readonly frames: number }>(again);
    expect((await verified(cwd, 'rec')).frames).toBe(found.frames + frames);
  });

  it('ends on SIGINT with its document and a whole recording', async () => {
    const cwd = freshFolder();
    const running = start(['record', '--symbols', 'BTCUSDT', '--out', 'rec', '--json'], { cwd });
    await running.during('a recording', () =>
      (statSync(join(cwd, 'rec', SEGMENT), { throwIfNoEntry: false })?.size ?? 0) > 0 ? true : undefined,
    );
    const ended = await running.signal('SIGINT');
    expect(ended.code, ended.stderr).toBe(0);
    const { frames } = documentOf<{ readonly frames: number }>(ended);
    expect(await verified(cwd, 'rec')).toMatchObject({ ok: true, frames });
  });

  it('names the nearest symbol for one that the exchange does not have (2)', async () => {
    const cwd = freshFolder();
    const ended = await run(['record', '--symbols', 'BTCUSD', '--for', '1s', '--out', 'rec', '--json'], { cwd });
    expect(ended.code).toBe(2);
    expect(errorOf(ended).message).toContain('BTCUSDT');
    expect(statSync(join(cwd, 'rec'), { throwIfNoEntry: false })).toBeUndefined();
  });

  it('names those that there are where none is near (2)', async () => {
    const ended = await run(['record', '--symbols', 'NOPE', '--for', '1s', '--json'], { cwd: freshFolder() });
    expect(ended.code).toBe(2);
    expect(errorOf(ended).message).toMatch(/it has .*BTCUSDT/);
  });
});

describe('a damaged recording', () => {
  const size = statSync(join(sample, SEGMENT)).size;
  const damages: readonly (readonly [string, (file: string) => void])[] = [
    ['cut', (file) => truncateSync(file, Math.floor(size * 0.6))],
    [
      'corrupt',
      (file) => {
        const open = openSync(file, 'r+');
        writeSync(open, Buffer.alloc(64, 0x55), 0, 64, Math.floor(size / 2));
        closeSync(open);
      },
    ],
  ];

  it.each(damages)(
    '(%s) is used as far as it is whole; what is lost is said, and is 5 with --strict',
    async (_, damage) => {
      const cwd = freshFolder();
      const whole = await verified(cwd, sample);
      expect(whole).toMatchObject({ ok: true, code: 0 });
      const all = documentOf<Backtested>(await backtest(cwd, sample));
      mkdirSync(join(cwd, 'rec'));
      for (const name of [SEGMENT, 'recording.json']) cpSync(join(sample, name), join(cwd, 'rec', name));
      damage(join(cwd, 'rec', SEGMENT));
      const found = await verified(cwd, 'rec');
      expect(found).toMatchObject({ ok: false, code: 5, lostKnown: true });
      expect(found.frames).toBeGreaterThan(0);
      expect(found.lost).toBeGreaterThan(0);
      expect(found.frames + found.lost).toBe(whole.frames);
      const loose = await backtest(cwd, 'rec');
      expect(loose.code, loose.stderr).toBe(0);
      const result = documentOf<Backtested>(loose);
      expect(result.events.total).toBeGreaterThan(0);
      expect(result.events.total).toBeLessThan(all.events.total);
      expect(result.warnings.join()).toContain('damaged');
      const strict = await backtest(cwd, 'rec', ['--strict']);
      expect(strict.code).toBe(5);
      documentOf(strict);
      for (const command of ['info', 'compile']) {
        expect((await run(['data', command, 'rec', '--strict', '--json'], { cwd })).code, command).toBe(5);
        expect((await run(['data', command, 'rec', '--json'], { cwd })).code, command).toBe(0);
      }
    },
  );
});

describe('data that are not there', () => {
  it('is 2 for a path that does not exist, and for a period that holds nothing', async () => {
    const cwd = freshFolder();
    const missing = await backtest(cwd, 'nowhere');
    expect(missing.code).toBe(2);
    expect(errorOf(missing)).toMatchObject({
      code: 'recording_not_found',
      message: expect.stringContaining('nowhere'),
    });
    for (const period of [
      ['--from', '2040-01-01T00:00:00Z'],
      ['--to', '2020-01-01T00:00:00Z'],
    ]) {
      const empty = await backtest(cwd, sample, period);
      expect(empty.code, period.join(' ')).toBe(2);
      expect(errorOf(empty).message).toContain('period');
    }
  });
});

const mountable = process.platform === 'linux' && process.getuid?.() === 0;

/** A file system of this size under `cwd`; null where it may not be mounted. */
function smallDisk(cwd: string, name: string, size: string): string | null {
  const place = join(cwd, name);
  mkdirSync(place);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', place]).status !== 0) return null;
  beforeRemoval(() => void spawnSync('umount', ['-l', place]));
  return place;
}

describe.skipIf(!mountable)('a full disk (needs root on Linux to mount a small one)', () => {
  it('ends a recording with a typed error, and what was written before stays readable', async (context) => {
    const cwd = freshFolder();
    const disk = smallDisk(cwd, 'disk', '16k');
    if (disk === null) return context.skip('no tmpfs may be mounted here');
    const out = join(disk, 'rec');
    const ended = await run(['record', '--symbols', 'BTCUSDT,ETHUSDT', '--out', out, '--json'], { cwd });
    expect(ended.code, ended.stderr).toBe(1);
    expect(errorOf(ended)).toMatchObject({ code: 'recording_write_failed', hint: expect.stringContaining('Free') });
    const found = await verified(cwd, out);
    expect(found.ok).toBe(false);
    expect(found.frames).toBeGreaterThan(10);
    const loose = await backtest(cwd, out);
    expect(loose.code, loose.stderr).toBe(0);
  });

  it('lets nothing be sent without a journal row: paper ends with a typed error, its journal whole', async (context) => {
    const cwd = freshFolder();
    const disk = smallDisk(cwd, 'data', '700k');
    if (disk === null) return context.skip('no tmpfs may be mounted here');
    const ended = await run(['paper', maker, '--param', 'everyMs=20', '--json'], { cwd });
    expect(ended.code, ended.stderr).toBe(5);
    expect(errorOf(ended)).toMatchObject({ code: 'journal_full', hint: expect.stringContaining('Free disk space') });
    const status = documentOf<{ readonly sessions: readonly { readonly path: string }[] }>(
      await run(['status', '--json'], { cwd }),
    );
    const path = status.sessions[0]?.path ?? '';
    const journal = documentOf(await run(['journal', 'verify', path, '--json'], { cwd }));
    expect(journal).toMatchObject({ ok: true, brokenAt: null });
    expect(journal['rows']).toBeGreaterThan(5);
  });
});
