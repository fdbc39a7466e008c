/**
 * A live session under many times the highest rate of messages that its recording holds (reliability §2.7 row 17): the
 * sample is played by a sandbox at forty times its pace, on a machine that the tests keep busy.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentOf, freshFolder, root, run, strategyFile } from './cli.ts';
import { startExchange, writeExchangeConfig } from './exchange-process.ts';
import { expectNothingLostOrDoubled } from './nothing-lost.ts';
import { sessions } from './session-view.ts';

const SAMPLE = join(root, 'data', 'sample');
const SPEED = 40;

interface DataInfo {
  readonly symbols: Readonly<Record<string, { readonly peakPerSecond: number }>>;
}

describe('a session at a multiple of the recorded peak', () => {
  it('loses no order and doubles none, and agrees with the exchange in the end', async () => {
    const cwd = freshFolder();
    const market = ['--market', `replay:${SAMPLE}`, '--speed', String(SPEED)];
    const exchange = await startExchange(cwd, market);
    const config = writeExchangeConfig(cwd, exchange.line);
    const live = ['run', strategyFile('spread-maker'), '--config', config, '--live', '--confirm', exchange.user.login];
    const ended = await run([...live, '--for', '8s', '--json'], { cwd, env: exchange.keys });
    expect(ended.code, ended.stderr).toBe(0);
    const { orders, files } = documentOf<{
      readonly orders: Readonly<Record<string, number>>;
      readonly files: { readonly recording: string };
    }>(ended);
    expect(orders['accepted']).toBeGreaterThan(0);

    const infoOf = async (path: string): Promise<DataInfo> =>
      documentOf<DataInfo>(await run(['data', 'info', path, '--json'], { cwd }));
    const sample = (await infoOf(SAMPLE)).symbols['BTCUSDT'];
    const seen = (await infoOf(files.recording)).symbols['BTCUSDT'];
    expect(seen?.peakPerSecond).toBeGreaterThan(2 * (sample?.peakPerSecond ?? Number.POSITIVE_INFINITY));

    const [session] = await sessions(cwd);
    if (session === undefined) throw new Error('no session');
    expect(session).toMatchObject({ clean: true, unresolved: 0, openOrders: [] });
    expect(await exchange.activeOrders()).toEqual([]);
    expectNothingLostOrDoubled(session, await exchange.orderHistory());
  });
});
