/**
 * Found by reading: `losses.json` was renamed into its place before its bytes were on the disk, so that a loss of power left
 * it empty, or an old one, and the next session began with the whole limit of the day.
 */
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { silentLogger } from '../../src/model/ports.ts';
import { keepLosses, readLosses } from '../../src/session/store/losses-file.ts';
import { HandClock } from '../execution/rig.ts';

const DAY = '2026-01-05';
/** What the disk was asked to keep, in order. */
const calls = vi.hoisted((): string[] => []);

vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof fs>();
  const names = new Map<number, string>();
  const openSync: typeof fs.openSync = (path, ...rest) => {
    const handle = real.openSync(path, ...rest);
    names.set(handle, String(path));
    return handle;
  };
  const fsyncSync: typeof fs.fsyncSync = (handle) => {
    real.fsyncSync(handle);
    calls.push(`sync ${names.get(handle)}`);
  };
  const renameSync: typeof fs.renameSync = (from, to) => {
    real.renameSync(from, to);
    calls.push(`rename ${String(to)}`);
  };
  return { ...real, openSync, fsyncSync, renameSync };
});

it('are on the disk before they take the place of the older ones, and under their name', () => {
  const dir = fs.mkdtempSync(join(tmpdir(), 'tidewire-losses-'));
  try {
    const file = join(dir, 'losses.json');
    const clock = new HandClock();
    const source = { lossOfDay: () => ({ day: DAY, amount: 150 }), strategyLosses: () => new Map() };
    keepLosses(file, clock, source, 'USDT', silentLogger);
    clock.advance(1_000);
    expect(calls).toEqual([`sync ${file}.partial`, `rename ${file}`, `sync ${dir}`]);
    expect(readLosses(file)?.account).toEqual({ day: DAY, amount: 150 });
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
});
