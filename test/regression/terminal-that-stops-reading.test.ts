/**
 * Found by freezing a terminal: Node writes to one blocking, so that a session on a terminal that stopped reading (Ctrl-S, a
 * frozen ssh) stood still in its live screen: no trading, no signal and no kill file heeded.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder, run, until } from '../e2e/cli.ts';
import { noTerminal, onTerminal } from '../e2e/pty.ts';
import { sessions } from '../e2e/session-view.ts';

/** Rests orders for the screen to show and writes down each price it has seen: process and time. */
const COUNTS = `import { appendFileSync } from 'node:fs';
import { defineStrategy, place } from 'tidewire';
import { map, take, merge, tap, ignoreElements } from 'rxjs';

export default defineStrategy({
  name: 'counts',
  setup({ market }) {
    const instrument = market.instrument('BTCUSDT');
    const tops = market.top('BTCUSDT');
    const orders = tops.pipe(
      take(1),
      map(({ symbol, mid }) =>
        [0.97, 0.972, 0.974, 0.976, 0.978].map((part) =>
          place({ symbol, side: 'buy', type: 'limit', price: instrument.roundPrice(mid * part, 'down'), quantity: '0.001' }),
        ),
      ),
    );
    const seen = tops.pipe(
      tap(() => appendFileSync('seen', \`\${process.pid} \${Date.now()}\\n\`)),
      ignoreElements(),
    );
    return merge(orders, seen);
  },
});
`;

/** A terminal keeps some 12 KB that nobody reads, three seconds of the screen. */
const FROZEN_MS = 9_000;

interface Seen {
  readonly pid: number;
  readonly at: number;
}

function lastSeen(cwd: string): Seen | undefined {
  if (!existsSync(join(cwd, 'seen'))) return undefined;
  const [pid, at] = readFileSync(join(cwd, 'seen'), 'utf8').trimEnd().split('\n').at(-1)!.split(' ').map(Number);
  return { pid: pid ?? 0, at: at ?? 0 };
}

it('trades on and heeds a signal while nobody reads', async ({ skip }) => {
  skip(noTerminal !== null, noTerminal ?? '');
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'counts.ts'), COUNTS);
  const terminal = onTerminal(['paper', 'counts.ts'], cwd);
  await until('orders on the screen', () => (terminal.shown().includes('0.001') ? true : undefined));
  const frozen = await until('a price', () => lastSeen(cwd));
  terminal.freeze();
  const { pid } = await until('a session that goes on', () => {
    const seen = lastSeen(cwd);
    return seen !== undefined && seen.at > frozen.at + FROZEN_MS ? seen : undefined;
  });
  process.kill(pid, 'SIGTERM');
  await until('its orderly end', async () => ((await sessions(cwd))[0]?.clean === true ? true : undefined));
  terminal.thaw();
  expect(await terminal.ended).toBe(0);
});

it('shows all that a command prints, in order, to a terminal that reads late', async ({ skip }) => {
  skip(noTerminal !== null, noTerminal ?? '');
  const cwd = freshFolder();
  const { stdout } = await run(['config', 'schema'], { cwd });
  expect(stdout.length).toBeGreaterThan(32_768);
  const terminal = onTerminal(['config', 'schema'], cwd);
  await until('its first lines', () => (terminal.shown() === '' ? undefined : true));
  terminal.freeze();
  terminal.thaw();
  expect(await terminal.ended).toBe(0);
  expect(terminal.shown().replaceAll('\r\n', '\n')).toBe(stdout);
});
