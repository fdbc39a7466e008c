/**
 * Found from outside: a strategy with a loop that never ends held the only thread. The screen stayed green, Ctrl-C and SIGTERM
 * did nothing, and the order rested until somebody killed the process and called `panic`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshFolder, root, start, type Running } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig, type ExchangeProcess } from '../e2e/exchange-process.ts';
import { sessions } from '../e2e/session-view.ts';

/** Rests one order far from the market, then does `what`; the line of `what` is `LINE`. */
function writeBlocking(cwd: string, what: string): string {
  writeFileSync(
    join(cwd, 'blocks.ts'),
    `import { writeFileSync } from 'node:fs';
import { defineStrategy, place, z } from 'tidewire';
import { map } from 'rxjs';

export default defineStrategy({
  name: 'blocks',
  params: z.object({ symbol: z.string().default('BTCUSDT') }),
  setup({ params: { symbol }, market, account }) {
    const instrument = market.instrument(symbol);
    let placed = false;
    return market.top(symbol).pipe(
      map(({ mid }) => {
        const price = instrument.roundPrice(mid * 0.97, 'down');
        if (!placed) {
          placed = true;
          return [place({ symbol, side: 'buy', type: 'limit', price, quantity: '0.001' })];
        }
        if (account.openOrders(symbol).every(({ state }) => state !== 'open')) return [];
        writeFileSync('blocked', 'yes');
        ${what}
        return [];
      }),
    );
  },
});
`,
  );
  return 'blocks.ts';
}
const LINE = 20;

interface Blocked {
  readonly cwd: string;
  readonly exchange: ExchangeProcess;
  readonly bot: Running;
}

async function blocked(what: string, more = ''): Promise<Blocked> {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line, more);
  const { login } = exchange.user;
  const args = ['run', writeBlocking(cwd, what), '--config', config, '--live', '--confirm', login];
  const bot = start(args, { cwd, env: exchange.keys });
  await bot.during('the block', async () =>
    existsSync(join(cwd, 'blocked')) && (await exchange.activeOrders()).length > 0 ? true : undefined,
  );
  return { cwd, exchange, bot };
}

async function killFile(cwd: string): Promise<string | null> {
  const [session] = await sessions(cwd);
  const file = join(cwd, 'data', 'sessions', session?.id ?? '', 'KILL');
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

const FOR_EVER = 'risk:\n  stallMs: 600000\n';

describe('a strategy that does not come back', () => {
  it.each([
    { how: 'a loop', what: 'for (;;);' },
    { how: 'promises without an end', what: 'const on = (): void => void Promise.resolve().then(on); on();' },
  ])('ends its live session when it is caught in $how: named, killed, nothing open', async ({ what }) => {
    const { cwd, exchange, bot } = await blocked(what);
    const ended = await bot.ended;
    const place = `strategy blocks did not come back for \\S+ s, at ${join(cwd, 'blocks.ts')}:${LINE}`;
    expect(ended.code, ended.stderr).toBe(1);
    expect(ended.stderr).toMatch(new RegExp(`error session_stalled: ${place}`));
    expect(ended.stderr).toContain('no order is open any more (1 cancelled)');
    expect(await killFile(cwd)).toMatch(new RegExp(place));
    expect(await exchange.activeOrders()).toEqual([]);
  });

  it('is ended within its call of the system, too, which nothing can interrupt', async () => {
    const wait = "process.getBuiltinModule('node:child_process').execFileSync('sleep', ['30']);";
    const { cwd, exchange, bot } = await blocked(wait);
    const ended = await bot.ended;
    expect(ended.signal ?? ended.code, ended.stderr).not.toBe(0);
    expect(ended.stderr).toContain('error session_stalled: ');
    expect(await killFile(cwd)).not.toBeNull();
    expect(await exchange.activeOrders()).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('is ended by %s, with nothing open', async (signal) => {
    const { cwd, exchange, bot } = await blocked('for (;;);', FOR_EVER);
    const ended = await bot.signal(signal);
    expect(ended.code, ended.stderr).toBe(1);
    expect(ended.stderr).toContain('error session_cut_short: stopped while ');
    expect(await exchange.activeOrders()).toEqual([]);
    // The next start is no matter of a human.
    expect(await killFile(cwd)).toBeNull();
  });

  it('is named by a backtest after a while, which goes on', async () => {
    const cwd = freshFolder();
    const file = writeBlocking(cwd, '');
    writeFileSync(
      join(cwd, file),
      readFileSync(join(cwd, file), 'utf8').replace('let placed = false;', 'let placed = false; for (;;);'),
    );
    const run = start(['backtest', file, '--data', join(root, 'data', 'sample')], { cwd });
    await run.during('the line', () => (run.stderr.includes(`${join(cwd, file)}:10;`) ? true : undefined));
    const ended = await run.signal('SIGINT');
    expect(ended.stderr).toContain('warn strategy blocks has not come back for ');
    expect(ended.signal).toBe('SIGINT');
  });
});

describe('signals', () => {
  it('that come again end a session whose exchange does not answer', async () => {
    const { exchange, bot } = await blocked('');
    exchange.process.child.kill('SIGSTOP');
    bot.child.kill('SIGINT');
    let last = performance.now();
    await bot.during('its end', () => {
      // One that follows within a second is the same one.
      if (performance.now() - last > 1500) {
        last = performance.now();
        bot.child.kill('SIGINT');
      }
      return bot.over ? true : undefined;
    });
    const ended = await bot.ended;
    exchange.process.child.kill('SIGCONT');
    expect(ended.code, ended.stderr).toBe(1);
    expect(ended.stderr).toContain('error session_cut_short: stopped a second time');
    expect(ended.stderr).toContain('NOT CONFIRMED that no order is open');
  });

  it('of Node itself neither open an inspector nor end a session without its stop policy', async () => {
    const { exchange, bot } = await blocked('');
    bot.child.kill('SIGUSR1');
    const ended = await bot.signal('SIGUSR2');
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr).not.toContain('Debugger listening');
    expect(await exchange.activeOrders()).toEqual([]);
  });
});
