/**
 * Found by reading: a session that was told to end while it still read the candles to warm up on waited for them, began its
 * strategies, and only then ended.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listSessions, type SessionFolder } from '../../src/session/store/store.ts';
import { freshFolder, start, strategyFile } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';
import { entriesOf } from '../e2e/session-view.ts';

it('begins no strategy any more', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line);
  const rules = [{ match: { method: 'GET', path: '/api/v2/exchange/public/candle' }, fault: 'delay', ms: 6000 }];
  expect((await exchange.control('faults', { rules })).status).toBe(200);
  const args = ['run', strategyFile('ema-cross'), '--config', config, '--live', '--confirm', exchange.user.login];
  const bot = start([...args, '--json'], { cwd, env: exchange.keys });
  const folders = () => listSessions(join(cwd, 'data', 'sessions'));
  /** False as well before there is a row to read. */
  const isCompared = ({ path }: SessionFolder): boolean => {
    try {
      return entriesOf(path, 'gate').some(({ gate, state }) => gate === 'reconcile' && state === 'open');
    } catch {
      return false;
    }
  };
  await bot.during('the first comparison', () => (folders().some(isCompared) ? true : undefined));
  const ended = await bot.signal('SIGTERM');
  expect(ended.code, ended.stderr).toBe(0);
  expect(folders()[0]?.record).toMatchObject({ clean: true, decidingFrom: null });
}, 60_000);
