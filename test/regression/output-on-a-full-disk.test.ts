/**
 * Found by a full disk under `2>>run.log`: the first line that did not fit was an uncaught exception, so that `run` died
 * without its stop policy, its orders resting, and `watchdog` after the latch and before the cancels.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentOf, errorOf, freshFolder, run, start, until } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';
import { sessions } from '../e2e/session-view.ts';

const FULL = '/dev/full';

/** Rests one order. Does not type-check, so that a warning is printed while it runs. */
const RESTS = `import { defineStrategy, place } from 'tidewire';
import { map, take } from 'rxjs';

export default defineStrategy({
  name: 'rests',
  setup({ market }) {
    const instrument = market.instrument('BTCUSDT');
    return market.top('BTCUSDT').pipe(
      take(1),
      map(({ symbol, mid, midd }) => {
        void midd;
        return place({ symbol, side: 'buy', type: 'limit', price: instrument.roundPrice(mid * 0.97, 'down'), quantity: '0.001' });
      }),
    );
  },
});
`;

describe.skipIf(!existsSync(FULL))('on a full disk (needs /dev/full)', () => {
  it('trades on, and takes its orders back when it is stopped', async () => {
    const cwd = freshFolder();
    const exchange = await startExchange(cwd);
    const config = writeExchangeConfig(cwd, exchange.line);
    writeFileSync(join(cwd, 'rests.ts'), RESTS);
    const args = ['run', 'rests.ts', '--config', config, '--live', '--confirm', exchange.user.login, '--json'];
    const bot = start(args, { cwd, env: exchange.keys, errTo: FULL });
    await bot.during('a resting order', async () => ((await exchange.activeOrders()).length > 0 ? true : undefined));
    const [session] = await sessions(cwd);
    const log = join(session?.path ?? '', 'session.log');
    await until('the warning in the log', () => (readFileSync(log, 'utf8').includes('midd') ? true : undefined));
    const ended = await bot.signal('SIGTERM');
    expect(ended).toMatchObject({ code: 0, signal: null });
    expect(documentOf(ended)).toMatchObject({ session: session?.id });
    expect(await exchange.activeOrders()).toEqual([]);
  });

  it('ends with the exit code of what happened, not of what could not be said', async () => {
    const ended = await run(['status', '--nothing', '--json'], { cwd: freshFolder(), errTo: FULL });
    expect(ended.code).toBe(2);
    expect(errorOf(ended).code).toBe('usage');
  });

  it('ends with 1 when its result could not be printed, and says so', async () => {
    const ended = await run(['config', 'schema', '--json'], { cwd: freshFolder(), outTo: FULL });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/^error not_printed: stdout .*ENOSPC/);
    expect(ended.stderr).not.toContain('    at ');
  });

  it('keeps the exit code of an error that could not be printed either', async () => {
    const ended = await run(['status', '--nothing', '--json'], { cwd: freshFolder(), outTo: FULL });
    expect(ended.code).toBe(2);
  });
});
