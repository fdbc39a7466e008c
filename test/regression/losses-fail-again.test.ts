/** A second failure to write the losses of the day was not logged, although writing had worked in between. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { silentLogger } from '../../src/model/ports.ts';
import { keepLosses } from '../../src/session/store/losses-file.ts';
import { HandClock } from '../execution/rig.ts';

it('losses-file/log: says each time that writing begins to fail, and says it once', () => {
  const dir = mkdtempSync(join(tmpdir(), 'tidewire-losses-'));
  try {
    const file = join(dir, 'losses.json');
    const clock = new HandClock();
    let amount = 0;
    const said: string[] = [];
    const logger = { ...silentLogger, warn: (_: object, text: string) => said.push(text) };
    const source = { lossOfDay: () => ({ day: '2026-01-05', amount: ++amount }), strategyLosses: () => new Map() };
    keepLosses(file, clock, source, 'USDT', logger);
    const failTwice = (): void => {
      // In the way of the draft.
      mkdirSync(`${file}.partial`);
      clock.advance(2_000);
      rmSync(`${file}.partial`, { recursive: true });
    };
    failTwice();
    expect(said).toHaveLength(1);
    clock.advance(1_000);
    failTwice();
    expect(said).toHaveLength(2);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
