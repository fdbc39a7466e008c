/**
 * Found by reading: a session that ended in order passed nothing of its day on, so that a bot that was started again, by a
 * supervisor for one, had a whole daily limit to lose each time.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { utcDay } from '../../src/model/time.ts';
import { listSessions, writeSession } from '../../src/session/store/store.ts';
import { freshFolder, run, start, strategyFile } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';
import { entriesOf } from '../e2e/session-view.ts';

it('begins the day by what the session before it has lost', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line);
  const { login } = exchange.user;
  const args = ['run', strategyFile('spread-maker'), '--config', config, '--live', '--confirm', login, '--for', '4s'];
  const sessions = () => listSessions(join(cwd, 'data', 'sessions'));
  const first = await run([...args, '--json'], { cwd, env: exchange.keys });
  expect(first.code, first.stderr).toBe(0);
  const [ended] = sessions();
  expect(ended?.record.dayLoss).toMatchObject({ currency: 'USDT', amount: expect.any(Number) });
  if (ended === undefined) throw new Error('there is no session');

  // As if it had lost a third of what there is.
  const began = Number(entriesOf(ended.path, 'day')[0]?.equity);
  const dayLoss = { day: utcDay(Date.now()), amount: began / 3, currency: 'USDT' };
  writeSession(ended.path, { ...ended.record, dayLoss });
  const later = () => sessions().find(({ path }) => path !== ended.path);
  const live = start([...args.slice(0, -2), '--json', '--new'], { cwd, env: exchange.keys });
  // A quiet market is quoted once, which may be while the balances are still compared.
  await live.during('the denial', async () => {
    try {
      const told = entriesOf(later()?.path ?? '', 'denial');
      return told.some(({ reason }) => reason === 'daily_loss') ? true : undefined;
    } catch {
      // There is no journal yet.
      return undefined;
    }
  });
  const second = await live.signal('SIGINT');
  expect(second.code, second.stderr).toBe(0);
  const next = later();
  const path = next?.path ?? '';
  expect(Number(entriesOf(path, 'day')[0]?.equity) / began).toBeCloseTo(4 / 3, 2);
  expect(entriesOf(path, 'denial').map(({ reason }) => reason)).toContain('daily_loss');
  expect(entriesOf(path, 'sending')).toEqual([]);
  expect(Number(next?.record.dayLoss?.amount) / dayLoss.amount).toBeCloseTo(1, 2);
  const replayed = await run(['replay', next?.record.id ?? '', '--config', config, '--json'], { cwd });
  expect(replayed.code, replayed.stdout + replayed.stderr).toBe(0);
}, 60_000);
