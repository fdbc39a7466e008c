/**
 * A session has one result, however often its process died: fills, orders, P&L and clock count from its first start, and the
 * legs are marked. P&L is computed here once more, from the fills and the last mid alone. Each order counts once.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, freshFolder, run, start, type Running } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';
import { entriesOf, sessions, sessionWhen, type SessionView } from '../e2e/session-view.ts';

interface Figures {
  readonly netPnl: number;
  readonly heldDrift: number;
  readonly accountPnl: number;
}

interface Summary {
  readonly session: string;
  readonly from: number;
  readonly fills: number;
  readonly orders: Readonly<Record<'submitted' | 'accepted' | 'filled' | 'canceled' | 'expired' | 'rejected', number>>;
  readonly stats: Figures;
  readonly files: { readonly result: string };
}

interface Result {
  readonly period: { readonly from: number };
  readonly orders: readonly { readonly state: string }[];
  readonly fills: readonly {
    readonly orderRef: string;
    readonly ts: number;
    readonly side: 'buy' | 'sell';
    readonly price: string;
    readonly quantity: string;
    readonly fee: string;
    readonly feeCurrency: string;
  }[];
  readonly equity: readonly (readonly [number, number])[];
  readonly legs: readonly { readonly from: number; readonly to: number; readonly end: string }[];
  readonly chart: { readonly prices: readonly { readonly points: readonly (readonly [number, number])[] }[] };
}

/** Σ cash + position · last mid, with fees in base and quote. */
function pnlOf({ fills, chart }: Result): number {
  let base = 0;
  let quote = 0;
  for (const { side, price, quantity, fee, feeCurrency } of fills) {
    const signed = (side === 'buy' ? 1 : -1) * Number(quantity);
    base += signed - (feeCurrency === 'BTC' ? Number(fee) : 0);
    quote -= signed * Number(price) + (feeCurrency === 'BTC' ? 0 : Number(fee));
  }
  return quote + base * (chart.prices[0]?.points.at(-1)?.[1] ?? Number.NaN);
}

/** Trades all the time: in and out at market. */
const FLIP = `import { defineStrategy, target, z } from 'tidewire';
import { map, throttleTime } from 'rxjs';
export default defineStrategy({
  name: 'flip',
  params: z.object({}),
  setup: ({ market, account }) =>
    market.top('BTCUSDT').pipe(throttleTime(500), map(() => target('BTCUSDT', { quantity: Number(account.position('BTCUSDT').quantity) < 0.005 ? '0.01' : '0' }))),
});
`;

function flip(cwd: string): string {
  const file = join(cwd, 'flip.ts');
  writeFileSync(file, FLIP);
  return file;
}

function fillsOf(running: Running, cwd: string, count: number, boots: number): Promise<SessionView> {
  return sessionWhen(running, cwd, `${count} fills`, (view) => view.fills >= count && view.boots === boots);
}

/** Each order counts once, whichever legs it lived in: as sent, as accepted, and under its end. */
function expectCountedOnce({ orders, fills }: Summary, result: Result, path: string): void {
  const { submitted, accepted, filled, canceled, expired, rejected } = orders;
  const sent = new Set(entriesOf(path, 'sending').map(({ intentId }) => intentId));
  const creates = entriesOf(path, 'intent').filter((entry) => entry.command === 'create' && sent.has(entry.intentId));
  expect(submitted).toBe(creates.length);
  const ended = (state: string): number => result.orders.filter((order) => order.state === state).length;
  expect({ filled, canceled, expired, rejected }).toEqual({
    filled: ended('filled'),
    canceled: ended('canceled'),
    expired: ended('expired'),
    rejected: ended('rejected'),
  });
  const traded = new Set(result.fills.map(({ orderRef }) => orderRef)).size;
  expect(accepted).toBeLessThanOrEqual(submitted);
  expect(traded).toBeLessThanOrEqual(accepted);
  expect(filled).toBeLessThanOrEqual(accepted);
  expect(filled).toBeLessThanOrEqual(fills);
}

async function expectWhole(cwd: string, summary: Summary, atLeast: number, config: readonly string[]): Promise<void> {
  const result = JSON.parse(readFileSync(summary.files.result, 'utf8')) as Result;
  const [session] = await sessions(cwd, config);
  const path = session?.path ?? '';
  const booked = entriesOf(path, 'fill').map(({ fill }) => `${fill.side} ${fill.quantity} at ${fill.price}`);
  expect(result.fills.map(({ side, quantity, price }) => `${side} ${quantity} at ${price}`).toSorted()).toEqual(
    booked.toSorted(),
  );
  expect(booked.length).toBeGreaterThanOrEqual(atLeast);
  expect([summary.fills, session?.fills]).toEqual([booked.length, booked.length]);
  expect(result.legs.map(({ end }) => end)).toEqual([
    'unfinished',
    'unfinished',
    session?.clean === true ? 'in order' : 'unfinished',
  ]);
  expect([result.period.from, summary.from]).toEqual([result.legs[0]?.from, result.legs[0]?.from]);
  expect(result.equity[0]?.[0]).toBe(result.legs[0]?.from);
  expectCountedOnce(summary, result, path);
  expect(summary.stats.netPnl).toBeCloseTo(pnlOf(result), 6);
  const [first, last] = [result.equity[0]?.[1] ?? 0, result.equity.at(-1)?.[1] ?? 0];
  expect(last - first).toBeCloseTo(summary.stats.netPnl, 6);
  const shown = documentOf<{ sessions: readonly { netPnl: number; legs: readonly unknown[] }[] }>(
    await run(['status', '--json', ...config], { cwd }),
  ).sessions[0];
  expect(shown?.netPnl).toBeCloseTo(summary.stats.netPnl, 6);
  expect(shown?.legs).toHaveLength(3);
}

/** An order that dies with its process is proved absent in two seconds, not in ninety: nothing is late on this machine. */
const QUICK_PROOF = {
  TIDEWIRE_RECONCILE_SIGNATURE_WINDOW_MS: '1000',
  TIDEWIRE_RECONCILE_FENCE_MARGIN_MS: '0',
  TIDEWIRE_RECONCILE_EARLIER_CLOCK_MS: '0',
  TIDEWIRE_RECONCILE_HISTORY_LAG_MS: '600',
};

async function threeLegs(cwd: string, args: readonly string[], config: readonly string[], keys = {}): Promise<void> {
  const env = { ...QUICK_PROOF, ...keys };
  const one = start(args, { cwd, env });
  const { fills } = await sessionWhen(one, cwd, 'fills', (view) => view.fills >= 2);
  await one.signal('SIGKILL');
  const two = start(args, { cwd, env });
  await fillsOf(two, cwd, fills + 1, 2);
  await two.signal('SIGKILL');
  const three = start(args, { cwd, env });
  await fillsOf(three, cwd, fills + 2, 3);
  const ended = await three.signal('SIGINT');
  await expectWhole(cwd, documentOf<Summary>(ended), fills + 2, config);
}

it('session/result/paper-counts-all-legs-of-a-session-that-was-killed', { timeout: 120_000 }, async () => {
  const cwd = freshFolder();
  await threeLegs(cwd, ['paper', flip(cwd), '--json'], []);
});

it('session/result/live-counts-all-legs-of-a-session-that-was-killed', { timeout: 120_000 }, async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line);
  const confirmed = ['--live', '--confirm', exchange.user.login, '--json'];
  const args = ['run', flip(cwd), '--config', config, ...confirmed];
  await threeLegs(cwd, args, ['--config', config], exchange.keys);
});

/** Buys once and holds it. */
const HOLD = `import { defineStrategy, target, z } from 'tidewire';
import { map, throttleTime } from 'rxjs';
export default defineStrategy({
  name: 'hold',
  params: z.object({}),
  setup: ({ market }) => market.top('BTCUSDT').pipe(throttleTime(500), map(() => target('BTCUSDT', { quantity: '0.01' }))),
});
`;

it('session/result/counts-the-order-of-a-panic-between-two-legs-once', { timeout: 120_000 }, async () => {
  const cwd = freshFolder();
  const file = join(cwd, 'hold.ts');
  writeFileSync(file, HOLD);
  const exchange = await startExchange(cwd);
  const config = ['--config', writeExchangeConfig(cwd, exchange.line)];
  const args = ['run', file, ...config, '--live', '--confirm', exchange.user.login, '--json'];
  const options = { cwd, env: exchange.keys };
  const one = start(args, options);
  const { fills } = await sessionWhen(one, cwd, 'the position', (view) => view.positions[0]?.quantity === '0.009995');
  await one.signal('SIGKILL');
  expect((await run(['panic', '--flatten', '--json', ...config], options)).code).toBe(0);
  const two = start(args, options);
  await sessionWhen(two, cwd, 'the fill of the panic', (view) => view.boots === 2 && view.fills > fills);
  const summary = documentOf<Summary>(await two.signal('SIGINT'));
  const [session] = await sessions(cwd, config);
  const result = JSON.parse(readFileSync(summary.files.result, 'utf8')) as Result;
  expect(result.fills.some(({ orderRef }) => orderRef.startsWith('panic_'))).toBe(true);
  expectCountedOnce(summary, result, session?.path ?? '');
});
