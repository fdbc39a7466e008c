/** `tidewire paper` from the outside: its one document, its end on a signal, and its return after kill -9. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentOf, errorOf, freshFolder, run, start, strategyFile } from './cli.ts';
import { entriesOf, sessions, sessionWhen, type OpenOrder } from './session-view.ts';

interface PaperDocument {
  readonly command: string;
  readonly strategy: string;
  readonly session: string;
  readonly from: number;
  readonly to: number;
  readonly firstQuoteMs: number | null;
  readonly orders: Readonly<Record<string, number>>;
  readonly fills: number;
  readonly stats: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, string>>;
}

const maker = strategyFile('spread-maker');

/** What must survive a crash of an order: not its state's age. */
function standing(orders: readonly OpenOrder[]): readonly unknown[] {
  return orders
    .filter(({ state }) => state === 'open' || state === 'partially_filled' || state === 'canceling')
    .map(({ ref, symbol, side, price, quantity, filledQuantity }) => ({
      ref,
      symbol,
      side,
      price,
      quantity,
      filledQuantity,
    }))
    .toSorted((left, right) => left.ref.localeCompare(right.ref));
}

/** Buys a little, once. */
const TAKER = `
import { defineStrategy, place } from 'tidewire';
import { map, take } from 'rxjs';

export default defineStrategy({
  name: 'taker',
  setup: ({ market }) =>
    market.top('BTCUSDT').pipe(
      take(1),
      map(({ symbol }) => place({ symbol, side: 'buy', type: 'market', quantity: '0.001' })),
    ),
});
`;

/** Places one bid and one ask far from the market, once, and buys a little; afterwards it only looks. */
const STILL = `
import { defineStrategy, place, z } from 'tidewire';
import { map, take } from 'rxjs';

export default defineStrategy({
  name: 'still',
  params: z.object({ symbol: z.string().default('BTCUSDT') }),
  setup({ params: { symbol }, market, account, state }) {
    const instrument = market.instrument(symbol);
    const done = state(z.object({ placed: z.boolean() }), { placed: false });
    if (done.get().placed) return;
    return market.top(symbol).pipe(
      take(1),
      map(({ mid }) => {
        done.set({ placed: true });
        const quantity = '0.001';
        return [
          place({ symbol, side: 'buy', type: 'limit', price: instrument.roundPrice(mid * 0.97, 'down'), quantity }),
          place({ symbol, side: 'sell', type: 'limit', price: instrument.roundPrice(mid * 1.03, 'up'), quantity }),
          place({ symbol, side: 'buy', type: 'market', quantity: '0.002' }),
        ];
      }),
    );
  },
});
`;

describe('paper', () => {
  it('trades and ends with exactly one document that holds what is documented', async () => {
    const cwd = freshFolder();
    const ended = await run(['paper', maker, '--for', '8s', '--json'], { cwd });
    expect(ended.code, ended.stderr).toBe(0);
    const summary = documentOf<PaperDocument>(ended);
    expect(Object.keys(summary)).toEqual(
      expect.arrayContaining([
        'command',
        'strategy',
        'session',
        'from',
        'to',
        'firstQuoteMs',
        'orders',
        'fills',
        'stats',
        'files',
      ]),
    );
    expect(summary).toMatchObject({ command: 'paper', strategy: 'spread-maker' });
    expect(summary.fills).toBeGreaterThan(0);
    expect(summary.to - summary.from).toBeGreaterThanOrEqual(8000);
    expect(typeof summary.firstQuoteMs).toBe('number');
    expect(Object.keys(summary.orders).toSorted()).toEqual([
      'accepted',
      'canceled',
      'denied',
      'expired',
      'filled',
      'rejected',
      'shrunk',
      'submitted',
    ]);
    const [session] = await sessions(cwd);
    expect(session).toMatchObject({ id: summary.session, clean: true, running: false, fills: summary.fills });
    expect(session?.openOrders).toEqual([]);
    const verified = documentOf(await run(['journal', 'verify', session?.path ?? '', '--json'], { cwd }));
    expect(verified).toMatchObject({ ok: true, brokenAt: null });
  });

  it('counts the first order accepted when that is a market order, which is never open', async () => {
    const cwd = freshFolder();
    const file = join(cwd, 'taker.ts');
    writeFileSync(file, TAKER);
    const summary = documentOf<PaperDocument>(await run(['paper', file, '--for', '3s', '--json'], { cwd }));
    expect(summary.orders).toMatchObject({ submitted: 1, accepted: 1, filled: 1 });
    expect(summary.firstQuoteMs).toBeGreaterThan(0);
  });

  it('makes a report of the result that it left', async () => {
    const cwd = freshFolder();
    const summary = documentOf<PaperDocument>(await run(['paper', maker, '--for', '2s', '--json'], { cwd }));
    const made = await run(['report', summary.files['result'] ?? '', '--out', 'report.html', '--json'], { cwd });
    expect(made.code, made.stderr).toBe(0);
    expect(documentOf(made)['bytes']).toBeGreaterThan(10_000);
    const { period, equity } = JSON.parse(readFileSync(summary.files['result'] ?? '', 'utf8')) as {
      period: { from: number };
      equity: [number, number][];
    };
    expect([equity[0]?.[0], period.from]).toEqual([summary.from, summary.from]);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends orderly on %s, with nothing left standing', async (signal) => {
    const cwd = freshFolder();
    const running = start(['paper', maker, '--json'], { cwd });
    await sessionWhen(running, cwd, 'two quotes standing', ({ openOrders }) => standing(openOrders).length >= 1);
    const ended = await running.signal(signal);
    expect(ended.code, ended.stderr).toBe(0);
    expect(documentOf<PaperDocument>(ended).command).toBe('paper');
    const [session] = await sessions(cwd);
    expect(session).toMatchObject({ clean: true, openOrders: [] });
  });

  it('ends orderly when the terminal closes, and when the launcher that started it is gone', async () => {
    const cwd = freshFolder();
    const hungUp = start(['paper', maker, '--json'], { cwd });
    await sessionWhen(hungUp, cwd, 'a quote standing', ({ openOrders }) => standing(openOrders).length >= 1);
    const ended = await hungUp.signal('SIGHUP');
    expect(ended.code, ended.stderr).toBe(0);
    documentOf(ended);

    const orphan = start(['paper', maker, '--json'], { cwd, channel: true });
    await sessionWhen(orphan, cwd, 'a quote standing', ({ openOrders }) => standing(openOrders).length >= 1);
    orphan.child.disconnect();
    const alone = await orphan.ended;
    expect(alone.code, alone.stderr).toBe(0);
    expect((await sessions(cwd)).map(({ clean }) => clean)).toEqual([true, true]);
  });

  it('goes on after kill -9 with the same session, orders, position and balances', async () => {
    const cwd = freshFolder();
    const file = join(cwd, 'still.ts');
    writeFileSync(file, STILL);
    const first = start(['paper', file, '--json'], { cwd });
    await sessionWhen(
      first,
      cwd,
      'two orders standing and one filled',
      ({ openOrders, positions }) => standing(openOrders).length === 2 && positions.length === 1,
    );
    const killed = await first.signal('SIGKILL');
    expect(killed.signal).toBe('SIGKILL');
    const [before] = await sessions(cwd);
    expect(before).toMatchObject({ clean: false, running: false, unresolved: 0 });

    const second = start(['paper', file, '--json'], { cwd });
    const during = await sessionWhen(
      second,
      cwd,
      'the session to be resumed',
      ({ boots, running, path }) => boots === 2 && running && entriesOf(path, 'session').length >= 2,
    );
    expect(during.id).toBe(before?.id);
    expect(standing(during.openOrders)).toEqual(standing(before?.openOrders ?? []));
    expect(during.positions).toEqual(before?.positions);
    expect(during.fills).toBe(before?.fills);
    const ended = await second.signal('SIGINT');
    expect(ended.code, ended.stderr).toBe(0);
    const [after] = await sessions(cwd);
    expect(after).toMatchObject({ id: before?.id, clean: true, openOrders: [], fills: before?.fills });
    expect(after?.positions).toEqual(before?.positions);
    expect(entriesOf(after?.path ?? '', 'alarm')).toEqual([]);
    // Opening balances are booked once at most (it takes `historyLagMs`); nothing else had to be explained away.
    const booked = entriesOf(after?.path ?? '', 'adjustment');
    expect(booked.filter(({ cause }) => cause !== 'opening')).toEqual([]);
    const opened = booked.filter(({ quantity }) => quantity !== '0');
    expect(new Set(opened.map(({ name }) => name)).size).toBe(opened.length);
  });

  it('refuses a second instance of the same session with 3, and starts another with --new', async () => {
    const cwd = freshFolder();
    const first = start(['paper', maker, '--json'], { cwd });
    const one = await sessionWhen(first, cwd, 'a running session', ({ running }) => running);
    const second = await run(['paper', maker, '--for', '1s', '--json'], { cwd });
    expect(second.code).toBe(3);
    expect(['journal_locked', 'session_running']).toContain(errorOf(second).code);
    const third = await run(['paper', maker, '--for', '1s', '--new', '--json'], { cwd });
    expect(third.code, third.stderr).toBe(0);
    expect(documentOf<PaperDocument>(third).session).not.toBe(one.id);
    const ended = await first.signal('SIGINT');
    expect(ended.code, ended.stderr).toBe(0);
    expect(await sessions(cwd)).toHaveLength(2);
  });

  it('does not resume a session that ended orderly', async () => {
    const cwd = freshFolder();
    const one = documentOf<PaperDocument>(await run(['paper', maker, '--for', '1s', '--json'], { cwd }));
    const two = documentOf<PaperDocument>(await run(['paper', maker, '--for', '1s', '--json'], { cwd }));
    expect(two.session).not.toBe(one.session);
  });
});
