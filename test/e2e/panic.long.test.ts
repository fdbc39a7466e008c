/**
 * `tidewire panic` needs addresses and a key, nothing else (INV-K2, INV-K4): no journal or a broken one, no database, no
 * configuration or a broken one, a bot that hangs, an exchange that fails nine times in ten or limits the rate.
 */
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signed } from '../conformance/raw-client.ts';
import { documentOf, freshFolder, run, start, type Ended } from './cli.ts';
import { startExchange, writeExchangeConfig, type ExchangeProcess } from './exchange-process.ts';
import { sessions } from './session-view.ts';
import { writeHanging } from './strategies.ts';

interface PanicDocument {
  readonly told: readonly string[];
  readonly requests: number;
  readonly canceled: number;
  readonly openAfter: number | null;
  readonly problems: readonly string[];
}

/** Loaded before a command: from here on the database's package cannot be loaded, as if it were broken. */
const NO_DATABASE = `import { registerHooks } from 'node:module';
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === 'better-sqlite3') throw new Error('the database is broken');
    return next(specifier, context);
  },
});
`;

/** Addresses and key in the environment, and a database that cannot be loaded. */
function withoutDatabase({ keys, line }: ExchangeProcess, cwd: string): Readonly<Record<string, string>> {
  writeFileSync(join(cwd, 'no-database.mjs'), NO_DATABASE);
  return {
    ...keys,
    TIDEWIRE_EXCHANGE_BASE_URL: line.restUrl,
    TIDEWIRE_EXCHANGE_GATEWAY_URL: line.gatewayUrl,
    TIDEWIRE_EXCHANGE_WS_URL: line.wsUrl,
    NODE_OPTIONS: `--import ${join(cwd, 'no-database.mjs')}`,
  };
}

/** Orders that no session knows of, by a client that shares no code with tidewire's. */
async function rest(exchange: ExchangeProcess, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const order = {
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      timeInForce: 'gtc',
      price: `${20_000 + index}`,
      quantity: '0.001',
    };
    const path = '/api/v2/exchange/client/order/spot';
    const reply = await signed(exchange.line.restUrl, exchange.user.apiKey, 'POST', path, order);
    expect(reply.status, JSON.stringify(reply.json)).toBeLessThan(300);
  }
  expect(await exchange.activeOrders()).toHaveLength(count);
}

async function expectStopped(exchange: ExchangeProcess, ended: Ended): Promise<PanicDocument> {
  expect(ended.code, ended.stderr + ended.stdout).toBe(0);
  const document = documentOf<PanicDocument>(ended);
  expect(document.openAfter).toBe(0);
  expect(await exchange.activeOrders()).toEqual([]);
  return document;
}

describe('panic without anything but addresses and key', () => {
  it('needs no configuration file, no session folder and no database that can be loaded', async () => {
    const cwd = freshFolder();
    const exchange = await startExchange(cwd);
    await rest(exchange, 3);
    const env = withoutDatabase(exchange, cwd);
    // The hook works: what opens a journal fails with it.
    expect((await run(['status', '--json'], { cwd, env }, true)).stderr).toContain('the database is broken');
    const document = await expectStopped(exchange, await run(['panic', '--json'], { cwd, env }));
    expect(document).toMatchObject({ told: [], canceled: 3, problems: [] });
  });

  it('proves the cancels with --flatten, too, and says that nothing was flattened', async () => {
    const cwd = freshFolder();
    const exchange = await startExchange(cwd);
    await rest(exchange, 1);
    const env = withoutDatabase(exchange, cwd);
    const ended = await run(['panic', '--flatten', '--json'], { cwd, env });
    expect(ended.code, ended.stderr).toBe(4);
    const { problems, ...rests } = documentOf<PanicDocument>(ended);
    expect(rests).toMatchObject({ canceled: 1, openAfter: 0, flattened: [] });
    expect(problems).toEqual([expect.stringContaining('nothing was flattened: the database is broken')]);
    expect(await exchange.activeOrders()).toEqual([]);
  });

  it('works beside a broken configuration, broken sessions and a journal of rubbish, and tells them all', async () => {
    const cwd = freshFolder();
    const exchange = await startExchange(cwd);
    await rest(exchange, 2);
    const config = writeExchangeConfig(cwd, exchange.line);
    appendFileSync(config, 'risk:\n  maxOrderValue: much\nstrategies: 7\n');
    const broken = join(cwd, 'data', 'sessions', 'broken');
    mkdirSync(broken, { recursive: true });
    writeFileSync(join(broken, 'journal.db'), 'rubbish'.repeat(1000));
    writeFileSync(join(broken, 'session.json'), '{');
    const document = await expectStopped(
      exchange,
      await run(['panic', '--config', config, '--json'], { cwd, env: exchange.keys }),
    );
    expect(document).toMatchObject({ told: ['broken'], canceled: 2 });
    expect(existsSync(join(broken, 'KILL'))).toBe(true);
  });

  it('takes the key from the key file', async () => {
    const cwd = freshFolder();
    const exchange = await startExchange(cwd);
    await rest(exchange, 1);
    const config = writeExchangeConfig(cwd, exchange.line);
    const passphrase = { TIDEWIRE_KEY_PASSPHRASE: 'a long passphrase for a test' };
    const stored = await run(['keys', 'store', '--config', config, '--json'], {
      cwd,
      env: { ...exchange.keys, ...passphrase },
    });
    expect(stored.code, stored.stderr).toBe(0);
    await expectStopped(exchange, await run(['panic', '--config', config, '--json'], { cwd, env: passphrase }));
  });
});

describe('panic against an exchange in trouble', () => {
  it('gets there at 90 % errors, lost answers among them, and proves it', async () => {
    const cwd = freshFolder();
    const exchange = await startExchange(cwd);
    await rest(exchange, 3);
    const rules = [
      { fault: 'dropAfterEffect', p: 0.3 },
      { fault: 'status', status: 502, p: 0.85 },
    ];
    expect((await exchange.control('faults', { rules })).status).toBe(200);
    const config = writeExchangeConfig(cwd, exchange.line);
    const ended = await run(['panic', '--config', config, '--json'], { cwd, env: exchange.keys });
    expect((await exchange.control('faults', { rules: [] })).status).toBe(200);
    const document = await expectStopped(exchange, ended);
    expect(document.problems.length).toBeGreaterThan(0);
    expect(document.requests).toBeGreaterThan(2);
  });

  it('gets there when the first answers are 429', async () => {
    const cwd = freshFolder();
    const exchange = await startExchange(cwd);
    await rest(exchange, 2);
    const rules = [{ fault: 'rateLimit', ms: 2_000, times: 3 }];
    expect((await exchange.control('faults', { rules })).status).toBe(200);
    const config = writeExchangeConfig(cwd, exchange.line);
    await expectStopped(exchange, await run(['panic', '--config', config, '--json'], { cwd, env: exchange.keys }));
  });

  it('says NOT CONFIRMED and ends with 4 when nothing can be read, within its time and few requests', async () => {
    const cwd = freshFolder();
    const exchange = await startExchange(cwd);
    await rest(exchange, 1);
    const rules = [{ fault: 'status', status: 503, match: { path: '/api/v2/exchange/client/order/active' } }];
    expect((await exchange.control('faults', { rules })).status).toBe(200);
    const config = writeExchangeConfig(cwd, exchange.line);
    const ended = await run(['panic', '--for', '2s', '--config', config], { cwd, env: exchange.keys });
    expect(ended.code).toBe(4);
    expect(ended.stdout).toContain('NOT CONFIRMED: the open orders could not be read');
    expect(ended.stdout).toContain('→ Cancel on the exchange’s own pages');
    expect((await exchange.control('faults', { rules: [] })).status).toBe(200);
    expect(await exchange.activeOrders()).toEqual([]);
  });

  it('does not try for ever with a key that is refused', async () => {
    const cwd = freshFolder();
    const exchange = await startExchange(cwd);
    const config = writeExchangeConfig(cwd, exchange.line);
    const env = { ...exchange.keys, TIDEWIRE_API_SECRET: 'cd'.repeat(32) };
    const ended = await run(['panic', '--config', config, '--json'], { cwd, env });
    expect(ended.code).toBe(4);
    expect(documentOf<PanicDocument>(ended)).toMatchObject({ openAfter: null, requests: 3 });
  });
});

describe('panic beside a bot that hangs in an endless microtask loop', () => {
  it('cancels what the bot left', async () => {
    const cwd = freshFolder();
    const exchange = await startExchange(cwd);
    const config = writeExchangeConfig(cwd, exchange.line);
    const args = ['run', writeHanging(cwd), '--config', config, '--live', '--confirm', exchange.user.login, '--json'];
    const bot = start(args, { cwd, env: exchange.keys });
    await bot.during('the order of a bot that hangs', async () =>
      (await exchange.activeOrders()).length > 0 && existsSync(join(cwd, 'hangs')) ? true : undefined,
    );
    const document = await expectStopped(
      exchange,
      await run(['panic', '--config', config, '--json'], { cwd, env: exchange.keys }),
    );
    const [session] = await sessions(cwd);
    expect(document.told).toEqual([session?.id]);
    await bot.signal('SIGKILL');
    expect(await exchange.activeOrders()).toEqual([]);
  });
});
