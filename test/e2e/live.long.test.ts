/**
 * The live path from the outside: `tidewire run` over real HTTP and WebSocket against a sandbox in a process of its own.
 * What stands at the exchange is asked for by a client that shares no code with tidewire.
 */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { documentOf, errorOf, freshFolder, run, start, strategyFile, until } from './cli.ts';
import { startExchange, writeExchangeConfig, type ExchangeProcess } from './exchange-process.ts';
import { expectNothingLostOrDoubled } from './nothing-lost.ts';
import { restingStrategy } from './resting.ts';
import { entriesOf, sessions } from './session-view.ts';

const maker = strategyFile('spread-maker');

interface Setting {
  readonly cwd: string;
  readonly exchange: ExchangeProcess;
  readonly config: string;
  /** `run` as this account's owner would call it. */
  readonly args: readonly string[];
}

async function setting(more = ''): Promise<Setting> {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line, more);
  const args = ['run', maker, '--config', config, '--live', '--confirm', exchange.user.login, '--json'];
  return { cwd, exchange, config, args };
}

describe('run, refused before anything is sent', () => {
  let cwd = '';
  beforeEach(() => {
    cwd = freshFolder();
  });

  it('needs both flags (3)', async () => {
    const exchange = await startExchange(cwd);
    const config = writeExchangeConfig(cwd, exchange.line);
    for (const flags of [[], ['--live'], ['--confirm', exchange.user.login]]) {
      const ended = await run(['run', maker, '--config', config, ...flags, '--json'], { cwd, env: exchange.keys });
      expect(ended.code, flags.join(' ')).toBe(3);
      expect(errorOf(ended)).toMatchObject({
        code: 'live_not_confirmed',
        hint: expect.stringContaining('--confirm'),
      });
    }
    expect([...(await exchange.activeOrders()), ...(await exchange.orderHistory())]).toEqual([]);
  });

  it('refuses an account that the key does not belong to (3)', async () => {
    const exchange = await startExchange(cwd);
    const config = writeExchangeConfig(cwd, exchange.line);
    const args = ['run', maker, '--config', config, '--live', '--confirm', 'somebody-else', '--json'];
    const ended = await run(args, { cwd, env: exchange.keys });
    expect(ended.code).toBe(3);
    const error = errorOf(ended);
    expect(error.code).toBe('live_wrong_account');
    expect(error.message).toContain(exchange.user.login);
    expect(error.message).toContain('somebody-else');
  });

  it('says so when no key is set (2), without a word about it on the command line', async () => {
    const exchange = await startExchange(cwd);
    const config = writeExchangeConfig(cwd, exchange.line);
    const args = ['run', maker, '--config', config, '--live', '--confirm', exchange.user.login, '--json'];
    const ended = await run(args, { cwd });
    expect(ended.code).toBe(2);
    expect(errorOf(ended)).toMatchObject({ code: 'no_api_key', hint: expect.stringContaining('TIDEWIRE_API_KEY') });
  });

  it('passes on the exchange’s own words for a wrong key, and for a wrong secret (4)', async () => {
    const exchange = await startExchange(cwd);
    const config = writeExchangeConfig(cwd, exchange.line);
    const args = ['run', maker, '--config', config, '--live', '--confirm', exchange.user.login, '--json'];
    const wrong = { ...exchange.keys, TIDEWIRE_API_KEY: 'ab'.repeat(32) };
    const unknown = await run(args, { cwd, env: wrong });
    expect(unknown.code).toBe(4);
    expect(errorOf(unknown).message).toContain('api key not found');
    const secret = await run(args, { cwd, env: { ...exchange.keys, TIDEWIRE_API_SECRET: 'cd'.repeat(32) } });
    expect(secret.code).toBe(4);
    expect(errorOf(secret).message).toContain('invalid signature');
    for (const { stdout, stderr } of [unknown, secret]) {
      expect(stdout + stderr).not.toContain(exchange.user.apiKey.secretKey);
      expect(stdout + stderr).not.toContain('cd'.repeat(32));
    }
  });

  it('refuses with 3 when the clocks are a minute apart, and says which way', async () => {
    const exchange = await startExchange(cwd);
    const config = writeExchangeConfig(cwd, exchange.line);
    expect((await exchange.control('clock', { advanceMs: 60_000 })).status).toBe(200);
    const args = ['run', maker, '--config', config, '--live', '--confirm', exchange.user.login, '--json'];
    const ended = await run(args, { cwd, env: exchange.keys });
    expect(ended.code).toBe(3);
    expect(errorOf(ended)).toMatchObject({
      code: 'clock_off',
      message: expect.stringMatching(/(59|60)\.\d s behind/),
      hint: expect.stringContaining('Set the clock'),
    });
  });

  it('says so when nobody answers at the address (4), for run, paper and record', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const place = `127.0.0.1:${port}`;
    const line = { restUrl: `http://${place}`, gatewayUrl: `http://${place}`, wsUrl: `ws://${place}` };
    const config = writeExchangeConfig(cwd, line);
    const env = { TIDEWIRE_API_KEY: 'ab'.repeat(32), TIDEWIRE_API_SECRET: 'cd'.repeat(32) };
    const commands = [
      ['run', maker, '--live', '--confirm', 'alice'],
      ['paper', maker, '--for', '2s'],
      ['record', '--symbols', 'BTCUSDT', '--for', '2s', '--out', 'never'],
    ];
    for (const command of commands) {
      const ended = await run([...command, '--config', config, '--json'], { cwd, env });
      expect(ended.code, command[0]).toBe(4);
      const error = errorOf(ended);
      expect(error.code).toBe('exchange_unreachable');
      expect(error.message).toContain(place);
    }
    expect(await sessions(cwd)).toEqual([]);
  });
});

describe('run against a sandbox', () => {
  it('trades, ends with the documented document, and leaves nothing at the exchange', async () => {
    const { cwd, exchange, args } = await setting();
    const ended = await run([...args, '--for', '6s'], { cwd, env: exchange.keys });
    expect(ended.code, ended.stderr).toBe(0);
    const summary = documentOf<{
      readonly fills: number;
      readonly orders: Readonly<Record<string, number>>;
      readonly stats: Readonly<Record<string, number>>;
    }>(ended);
    expect(summary).toMatchObject({ command: 'run', strategy: 'spread-maker', stats: expect.any(Object) });
    expect(summary.orders['accepted']).toBeGreaterThan(0);
    // The account holds 10 BTC and a million USDT: in six seconds its value moves by a fraction of a per cent.
    expect(Math.abs(summary.stats['returnPct'] ?? Number.NaN)).toBeLessThan(1);
    expect(summary.stats['maxDrawdownPct']).toBeLessThan(1);
    expect(await exchange.activeOrders()).toEqual([]);
    const [session] = await sessions(cwd);
    if (session === undefined) throw new Error('there is no session');
    expectNothingLostOrDoubled(session, await exchange.orderHistory());
    expect(session).toMatchObject({ clean: true, fills: summary.fills, openOrders: [], unresolved: 0 });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('cancels its orders on %s before it ends with 0', async (signal) => {
    const { cwd, exchange, args } = await setting();
    const running = start(args, { cwd, env: exchange.keys });
    await running.during('orders at the exchange', async () =>
      (await exchange.activeOrders()).length > 0 ? true : undefined,
    );
    const ended = await running.signal(signal);
    expect(ended.code, ended.stderr).toBe(0);
    expect(await exchange.activeOrders()).toEqual([]);
    documentOf(ended);
  });

  it('leaves its orders when the policy says leave', async () => {
    const rests = restingStrategy();
    const { cwd, exchange, config } = await setting(`strategies:\n  - { file: ${rests}, onStop: leave }\n`);
    const args = ['run', rests, '--config', config, '--live', '--confirm', exchange.user.login, '--json'];
    const running = start(args, { cwd, env: exchange.keys });
    await running.during('an order at the exchange', async () =>
      (await exchange.activeOrders()).length > 0 ? true : undefined,
    );
    const ended = await running.signal('SIGINT');
    expect(ended.code, ended.stderr).toBe(0);
    expect(await exchange.activeOrders()).toHaveLength(1);
  });

  it.each([true, false])(
    'loses and doubles no order over kill -9 and a restart (client order ids: %s)',
    async (ids) => {
      const { cwd, exchange, args } = await setting(`  clientOrderIds: ${ids}\n`);
      for (let kills = 1; kills <= 3; kills++) {
        const before = (await exchange.orderHistory()).length;
        const running = start(args, { cwd, env: exchange.keys });
        await running.during('fresh orders at the exchange', async () =>
          (await exchange.activeOrders()).length > 0 && (await exchange.orderHistory()).length > before + kills
            ? true
            : undefined,
        );
        await running.signal('SIGKILL');
      }
      const [crashed] = await sessions(cwd);
      expect(crashed).toMatchObject({ clean: false, running: false, boots: 3 });
      const last = start(args, { cwd, env: exchange.keys });
      const path = crashed?.path ?? '';
      await last.during('the strategy to act again', () =>
        // `<epoch>_<session>_<seconds>_<boot>-<n>`: an intent of the fourth process, whatever the session's own letters are.
        entriesOf(path, 'intent').some(({ intentId }) => /_4-\d+$/.test(intentId)) ? true : undefined,
      );
      const ended = await last.signal('SIGINT');
      expect(await exchange.activeOrders()).toEqual([]);
      const [after, ...others] = await sessions(cwd);
      expect(others).toEqual([]);
      if (after === undefined) throw new Error('there is no session');
      expect(ended.code, `${ended.signal}: ${ended.stderr}`).toBe(after.unresolved === 0 ? 0 : 1);
      expectNothingLostOrDoubled(after, await exchange.orderHistory());
      // What is in doubt keeps the session open: the next start goes on with it.
      expect(after.openOrders.every(({ state }) => state === 'unknown')).toBe(true);
      expect(after).toMatchObject({ id: crashed?.id, boots: 4, clean: after.unresolved === 0 });
    },
  );

  it('does not forget an order in doubt at its end, and goes on with the same session', async () => {
    const { cwd, exchange, args } = await setting();
    const match = { method: 'POST', path: '/api/v2/exchange/client/order/spot' };
    await exchange.control('faults', { rules: [{ match, fault: 'drop', times: 1 }] });
    const first = await run([...args, '--for', '3s'], { cwd, env: exchange.keys });
    expect(documentOf(first)).toMatchObject({
      warnings: expect.arrayContaining([
        expect.stringContaining('1 of unknown outcome'),
        // A busy machine has no time for the last comparison.
        expect.stringMatching(/^the (outcome of \S+ is unknown|exchange did not answer the last comparison)$/),
      ]),
    });
    expect(first.code).toBe(1);
    expect(first.stderr).toContain('the next start continues this session');
    const [open] = await sessions(cwd);
    expect(open).toMatchObject({ clean: false, unresolved: 1, openOrders: [{ state: 'unknown' }] });
    const second = await run([...args, '--for', '2s'], { cwd, env: exchange.keys });
    documentOf(second);
    const [again, ...others] = await sessions(cwd);
    expect(others).toEqual([]);
    expect(again).toMatchObject({ id: open?.id, boots: 2 });
    // Whatever it did meanwhile, the one in doubt was never sent again.
    const ref = open?.openOrders[0]?.ref ?? '';
    const intents = entriesOf(again?.path ?? '', 'intent').filter((entry) => entry.command === 'create');
    expect(intents.filter((entry) => entry.ref === ref)).toHaveLength(1);
    expect(await exchange.activeOrders()).toEqual([]);
  });

  it('heals what the exchange did while the bot was down', async () => {
    const { cwd, exchange, args } = await setting();
    const running = start(args, { cwd, env: exchange.keys });
    await running.during('orders at the exchange', async () =>
      (await exchange.activeOrders()).length > 0 ? true : undefined,
    );
    await running.signal('SIGKILL');
    // The market goes on: what still stands is filled or left by it in its own time.
    const [session] = await sessions(cwd);
    const stood = session?.openOrders.length ?? 0;
    expect(stood).toBeGreaterThan(0);
    const before = await exchange.activeOrders();
    const args2 = ['reconcile', '--config', args[3] ?? '', '--json'];
    // An order that was on its way as the process died is of unknown outcome until it can arrive no more, half a minute.
    const agree = async () => ((await run(args2, { cwd, env: exchange.keys })).code === 0 ? true : undefined);
    await until('both sides to agree', agree, () => '', 50_000);
    const [after] = await sessions(cwd);
    const active = await exchange.activeOrders();
    // The market fills while this reads: what is open here stood there before, and what stands there still is open here.
    const open = after?.openOrders.map(({ orderId }) => orderId) ?? [];
    expect(before.map(({ orderId }) => orderId)).toEqual(expect.arrayContaining(open));
    expect(open).toEqual(expect.arrayContaining(active.map(({ orderId }) => orderId)));
    const panic = await run(['panic', '--config', args[3] ?? '', '--json'], { cwd, env: exchange.keys });
    expect(panic.code, panic.stderr).toBe(0);
    expect(await exchange.activeOrders()).toEqual([]);
  }, 60_000);

  it('refuses a second instance on the same account (3): the same, a new one, and one of another strategy', async () => {
    const { cwd, exchange, args } = await setting();
    const first = start(args, { cwd, env: exchange.keys });
    await until('the first to run', async () => ((await sessions(cwd))[0]?.running === true ? true : undefined));
    const others = [args, [...args, '--new'], args.map((arg) => (arg === maker ? strategyFile('imbalance') : arg))];
    for (const other of others) {
      const second = await run([...other, '--for', '1s'], { cwd, env: exchange.keys });
      expect(second.code, second.stderr).toBe(3);
      expect(errorOf(second).code).toBe('session_running');
    }
    expect(await sessions(cwd)).toHaveLength(1);
    const ended = await first.signal('SIGTERM');
    expect(ended.code, ended.stderr).toBe(0);
  });
});

describe('sandbox as a command', () => {
  it('prints exactly one line with addresses and users, the same for the same seed, and stops on SIGTERM with 0', async () => {
    const cwd = freshFolder();
    const one = await startExchange(cwd);
    const two = await startExchange(cwd);
    expect(two.line.users).toEqual(one.line.users);
    expect(one.line.users.length).toBeGreaterThanOrEqual(2);
    const ended = await one.process.signal('SIGTERM');
    expect(ended).toMatchObject({ code: 0, signal: null });
    documentOf(ended);
    expect((await two.process.signal('SIGINT')).code).toBe(0);
  });

  it('says which port is taken (4)', async () => {
    const cwd = freshFolder();
    const { line } = await startExchange(cwd);
    const port = new URL(line.restUrl).port;
    const ended = await run(['sandbox', '--port', port, '--json'], { cwd });
    expect(ended.code).toBe(4);
    expect(errorOf(ended).message).toContain(port);
  });
});
