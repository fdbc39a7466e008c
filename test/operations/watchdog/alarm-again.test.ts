/** A watchdog runs for months: what was wrong, was over and is wrong again is told again, and what stays wrong is told once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { riskSchema } from '../../../src/risk/options.ts';
import { openJournal } from '../../../src/journal/sqlite-store.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { watchRules } from '../../../src/operations/watchdog/configured-rules.ts';
import type { ExchangeEyes, ExchangeSight } from '../../../src/operations/watchdog/exchange-sight.ts';
import { watch, type WatchOptions } from '../../../src/operations/watchdog/watch.ts';
import { HandClock, settle } from '../../execution/rig.ts';

it('tells an alarm again when it had ceased, and not while it lasts', async () => {
  const path = mkdtempSync(join(tmpdir(), 'tidewire-watchdog-'));
  const journal = openJournal(path);
  const clock = new HandClock();
  const { promise: stop, resolve } = Promise.withResolvers<void>();
  const told: string[] = [];
  let problems: readonly string[] = [];
  const seen = { orders: null, positions: null, differences: null, equity: null };
  const eyes = { look: async (): Promise<ExchangeSight> => ({ ...seen, problems }) } as unknown as ExchangeEyes;
  const watching = watch({
    path,
    eyes,
    exchange: {} as WatchOptions['exchange'],
    rules: watchRules(riskSchema.parse({}), 1e9, 60_000),
    clock,
    logger: silentLogger,
    everyMs: 5_000,
    tell: (_code, text) => told.push(text),
    stop,
  });
  const pass = async (now: readonly string[]): Promise<void> => {
    problems = now;
    await clock.advanceAsync(11_000, 1_000);
  };
  await settle();
  await pass(['the exchange cannot be read: status 502']);
  await pass(['the exchange cannot be read: status 503']);
  expect(told).toHaveLength(1);
  await pass([]);
  await pass(['the exchange cannot be read: status 504']);
  expect(told).toEqual(['the exchange cannot be read: status 502', 'the exchange cannot be read: status 504']);
  resolve();
  await settle();
  await expect(watching).resolves.toMatchObject({
    ended: 'stopped',
    alarms: ['the exchange cannot be read: status #'],
  });
  journal.close();
  rmSync(path, { recursive: true, force: true });
});
