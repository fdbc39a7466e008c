/**
 * `tidewire watchdog` beside real sessions: a bot that hangs in an endless microtask loop, a limit passed at the exchange
 * behind the bot's back, and a session that ends well (reliability §2.7 row 27, INV-K3, INV-K4).
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { signed } from '../conformance/raw-client.ts';
import { documentOf, freshFolder, start, until, type Running } from './cli.ts';
import { startExchange, writeExchangeConfig, type ExchangeProcess } from './exchange-process.ts';
import { sessions } from './session-view.ts';
import { writeHanging } from './strategies.ts';

interface WatchDocument {
  readonly ended: string;
  readonly looks: number;
  readonly pulled: { readonly reason: string; readonly openAfter: number | null } | null;
}

interface Setting {
  readonly cwd: string;
  readonly exchange: ExchangeProcess;
  readonly bot: Running;
  readonly args: readonly string[];
  readonly watchdog: Running;
}

/** A bot that rests one order and then hangs, unless `HANGS=no`, and its watchdog. */
async function watched(env: Readonly<Record<string, string>>, risk = ''): Promise<Setting> {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line, risk);
  const args = ['run', writeHanging(cwd), '--config', config, '--live', '--confirm', exchange.user.login, '--json'];
  const bot = start(args, { cwd, env: { ...exchange.keys, ...env } });
  const id = await bot.during('a running session', async () => (await sessions(cwd))[0]?.id);
  const times = ['--every', '1s', '--stale', '3s', '--disagree', '30s'];
  const watchdog = start(['watchdog', id, '--config', config, ...times, '--json'], { cwd, env: exchange.keys });
  return { cwd, exchange, bot, args, watchdog };
}

it('cancels what a bot that hangs has resting, and keeps it killed when it starts again', async () => {
  const { cwd, exchange, bot, args, watchdog } = await watched({});
  await bot.during('the order of a bot that hangs', async () =>
    (await exchange.activeOrders()).length > 0 && existsSync(join(cwd, 'hangs')) ? true : undefined,
  );
  const ended = await watchdog.ended;
  expect(ended.code, ended.stderr).toBe(3);
  const { pulled } = documentOf<WatchDocument>(ended);
  expect(pulled).toMatchObject({ openAfter: 0, reason: expect.stringContaining('has not moved') });
  expect(await exchange.activeOrders()).toEqual([]);
  await bot.signal('SIGKILL');
  const again = start(args, { cwd, env: { ...exchange.keys, HANGS: 'no' } });
  await again.during('the latch in the journal', async () =>
    (await sessions(cwd))[0]?.killed?.startsWith('watchdog: ') === true ? true : undefined,
  );
  await again.signal('SIGINT');
});

it('pulls when orders at the exchange are beyond a limit, by whomever, and ends with the session else', async () => {
  const calm = await watched({ HANGS: 'no' }, 'risk:\n  maxOpenNotional: "100"\n');
  const { exchange, bot, watchdog } = calm;
  const path = '/api/v2/exchange/client/order/spot';
  const order = {
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    timeInForce: 'gtc',
    price: '20000',
    quantity: '0.006',
  };
  expect((await signed(exchange.line.restUrl, exchange.user.apiKey, 'POST', path, order)).status).toBeLessThan(300);
  const ended = await watchdog.ended;
  expect(ended.code, ended.stderr).toBe(3);
  expect(documentOf<WatchDocument>(ended).pulled?.reason).toMatch(/orders are worth 120.00, above 100/);
  expect(await exchange.activeOrders()).toEqual([]);
  const killed = await until('the bot to heed it', async () => (await sessions(calm.cwd))[0]?.killed ?? undefined);
  expect(killed).toContain('watchdog: orders are worth');
  const over = await bot.signal('SIGINT');
  expect(over.code, over.stderr).toBe(0);
  const [session] = await sessions(calm.cwd);
  const late = start(['watchdog', session?.id ?? '', '--config', join(calm.cwd, 'live.yaml'), '--json'], {
    cwd: calm.cwd,
    env: exchange.keys,
  });
  expect(documentOf<WatchDocument>(await late.ended)).toMatchObject({ ended: 'session', pulled: null });
});
