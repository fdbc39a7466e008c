/** What was lost of the day stands in a file of the session while it runs, and as it ended; a broken one says nothing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../../src/model/ports.ts';
import { keepLosses, readLosses, type LossSource } from '../../../src/session/store/losses-file.ts';
import { HandClock } from '../../execution/rig.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tidewire-losses-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('losses-file: is replaced as losses change, and written once more at the end', () => {
  const file = join(dir, 'losses.json');
  let amount = 3;
  const day = '2026-01-05';
  const source: LossSource = {
    lossOfDay: () => ({ day, amount }),
    strategyLosses: () => new Map([['maker', { day, amount: -amount }]]),
  };
  const clock = new HandClock();
  const end = keepLosses(file, clock, source, 'USDT', silentLogger);
  expect(readLosses(file)).toBeNull();
  clock.advance(1_000);
  expect(readLosses(file)).toEqual({
    account: { day, amount: 3 },
    strategies: { maker: { day, amount: -3 } },
    currency: 'USDT',
  });
  amount = 4;
  end();
  expect(readLosses(file)?.account).toEqual({ day, amount: 4 });
});

it('losses-file: what cannot be read says nothing', () => {
  const file = join(dir, 'losses.json');
  writeFileSync(file, '{"account":');
  expect(readLosses(file)).toBeNull();
});
