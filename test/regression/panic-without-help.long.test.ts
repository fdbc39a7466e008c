/**
 * Found from outside: a panic believed what may be broken. A configuration that does not parse, and nothing was cancelled; a
 * session's folder that was moved, and nobody was told; cancels that were all refused beside one empty list, and it was done.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentOf, freshFolder, run } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';
import { startMaker } from '../e2e/live-maker.ts';
import { entriesOf } from '../e2e/session-view.ts';

interface PanicDocument {
  readonly canceled: number;
  readonly openAfter: number | null;
  readonly resting: readonly string[];
  readonly loud: readonly string[];
  readonly problems: readonly string[];
}

describe('a panic', () => {
  it('finds the exchange of a live session beside a configuration that does not parse', async () => {
    const { cwd, exchange, bot, session, env } = await startMaker();
    writeFileSync(join(cwd, 'live.yaml'), 'exchange: [never closed');
    const ended = await run(['panic', '--config', join(cwd, 'live.yaml'), '--json'], { cwd, env });
    expect(ended.code, ended.stderr).toBe(0);
    expect(documentOf<PanicDocument>(ended)).toMatchObject({ openAfter: 0, loud: [] });
    expect(await exchange.activeOrders()).toEqual([]);
    expect(entriesOf(session.path, 'kill')).toMatchObject([{ on: true, reason: 'panic' }]);
    await bot.signal('SIGTERM');
  });

  it('reaches a session from another folder and another configuration', async () => {
    const { exchange, bot, session, env } = await startMaker();
    const elsewhere = freshFolder();
    const ended = await run(['panic', '--json'], { cwd: elsewhere, env });
    expect(ended.code, ended.stderr).toBe(0);
    expect(await exchange.activeOrders()).toEqual([]);
    expect(entriesOf(session.path, 'kill')).toMatchObject([{ on: true, reason: 'panic' }]);
    await bot.signal('SIGTERM');
  });

  it('is not done while a process that holds the account is not silent, wherever its folder is', async () => {
    const { cwd, exchange, bot, session, env, config } = await startMaker();
    // Stopped, so that it neither hears the call nor notices the folder.
    bot.child.kill('SIGSTOP');
    renameSync(session.path, join(cwd, 'moved'));
    const first = await run(['panic', '--config', config, '--for', '2s', '--json'], { cwd, env });
    expect(first.code, first.stderr).toBe(4);
    const { loud } = documentOf<PanicDocument>(first);
    expect(loud).toHaveLength(1);
    expect(loud[0]).toContain(`kill -9 ${bot.child.pid}`);
    await bot.signal('SIGKILL');
    const second = await run(['panic', '--config', config, '--json'], { cwd, env });
    expect(second.code, second.stderr).toBe(0);
    expect(await exchange.activeOrders()).toEqual([]);
  });

  it('is not done by empty lists alone: the exchange must have answered a cancel of all', async () => {
    const cwd = freshFolder();
    const exchange = await startExchange(cwd);
    const config = writeExchangeConfig(cwd, exchange.line);
    const args = ['panic', '--config', config, '--for', '2s', '--json'];
    const healthy = await run(args, { cwd, env: exchange.keys });
    expect(healthy.code, healthy.stderr).toBe(0);
    const refused = { match: { path: '/api/v2/exchange/client/order/cancel-many' }, fault: 'status', status: 500 };
    const set = await exchange.control('faults', { rules: [refused] });
    expect(set.status, JSON.stringify(set.json)).toBe(200);
    const ended = await run(args, { cwd, env: exchange.keys });
    expect(ended.code, ended.stderr).toBe(4);
    const document = documentOf<PanicDocument>(ended);
    expect(document.openAfter).toBeNull();
    expect(document.problems.join('\n')).toContain('the exchange has not answered one cancel of all orders');
  });
});
