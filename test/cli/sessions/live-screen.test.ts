/** What the live screen says, and that no line of it is wider than the terminal. */
import { describe, expect, it } from 'vitest';
import { clip } from '../../../src/cli/terminal/clip.ts';
import { fitted, screenText } from '../../../src/cli/sessions/live-screen.ts';
import { colouring } from '../../../src/cli/terminal/table.ts';
import { zeroCounters } from '../../../src/spine/orders/order-counters.ts';
import type { Fill } from '../../../src/model/trading/fill.ts';
import type { SessionSnapshot } from '../../../src/session/view/snapshot.ts';

const plain = colouring(false, {});
const coloured = colouring(true, {});
const CLEAR = new RegExp(`${'\u001b'}\\[\\d+m`, 'g');
const widthOf = (line: string): number => line.replaceAll(CLEAR, '').length;

const fill: Fill = {
  tradeId: 't1',
  orderId: 'o1',
  symbol: 'BTCUSDT',
  market: 'spot',
  side: 'sell',
  price: '60000.5',
  quantity: '0.001',
  fee: '0.03',
  feeCurrency: 'USDT',
  liquidity: 'maker',
  ts: Date.UTC(2026, 0, 2, 3, 4, 5),
  ref: 'm-1',
  tag: 'm',
};

function snapshot(change: Partial<SessionSnapshot> = {}): SessionSnapshot {
  const position = {
    symbol: 'BTCUSDT',
    market: 'spot' as const,
    positionSide: 'both' as const,
    quantity: '0.002',
    size: 0.002,
    isFlat: false,
    entryPrice: '59000.25',
    realizedPnl: '1.5',
    unrealizedPnl: 2.25,
    quote: 'USDT',
  };
  return {
    mode: 'paper',
    id: 'paper-maker-1',
    exchange: 'sandbox (embedded)',
    account: 'alice',
    killed: null,
    startedAt: 0,
    now: 61_000,
    endsAt: null,
    tops: [{ symbol: 'BTCUSDT', bid: '60000', ask: '60001' }],
    streams: [{ name: 'BTCUSDT@depth', ageMs: 20, state: 'fresh', gaps: 2 }],
    strategies: [
      {
        tag: 'maker',
        status: 'running',
        positions: [position],
        tally: { fills: 2, fees: 0.06, newest: [fill] },
        netPnl: 3.69,
        openOrders: [],
        programs: [],
        unprotected: [],
        counters: { ...zeroCounters(), submitted: 5, denied: 46 },
        denials: [{ reason: 'killed', count: 46, last: 'the kill switch is on' }],
        error: null,
      },
    ],
    fills: 2,
    equity: 200_003.75,
    netPnl: 3.69,
    heldDrift: -120.5,
    accountPnl: -116.81,
    currency: 'USDT',
    closedGates: [],
    unknown: 0,
    risk: [{ name: 'daily loss', used: 0.1 }],
    messages: [],
    ...change,
  };
}

describe('screen', () => {
  it('screen/own-profit-first: what trading made stands above what the account did', () => {
    const lines = screenText(snapshot(), plain).split('\n');
    expect(lines[1]).toBe('own P&L  +3.69 USDT  2 fills');
    expect(lines[2]).toBe('drift of holdings -120.50, account -116.81, equity 200,003.75');
    expect(screenText(snapshot({ fills: 0, netPnl: 0 }), plain)).toContain('did not trade');
  });

  it('screen/strategy: realised and unrealised, average price, fees, newest fills, denials by reason', () => {
    const text = screenText(snapshot(), plain);
    expect(text).toContain('maker  running  +3.69 in 2 fills, fees 0.06 USDT');
    expect(text).toContain('● BTCUSDT@depth 20 ms 2 gaps');
    expect(text).toContain('BTCUSDT  0.002 at 59,000.25  realised +1.50, unrealised +2.25 USDT');
    expect(text).toContain('03:04:05 sold 0.001 BTCUSDT at 60000.5, maker');
    expect(text).toContain('denied 46 x killed, last: the kill switch is on');
  });

  it('screen/killed: a red line says so, with the command that lifts it, and nothing is green and running', () => {
    const text = screenText(snapshot({ killed: 'panic: by hand' }), coloured);
    const red = (part: string): string => `\u001b[31m${part}`;
    expect(text).toContain(red('KILLED: panic: by hand'));
    expect(text).toContain('npx tidewire journal clear-kill paper-maker-1 --reason "…"');
    expect(text).not.toContain('running');
    expect(text).toContain(red('killed'));
  });

  it.each([20, 40, 60, 80, 100])('screen/killed-whole: the command can be copied from %i columns', (columns) => {
    const id = 'live-spread-maker-20260102-121226-f0ab';
    const killed = snapshot({ id, mode: 'live', killed: `panic: ${'at once '.repeat(60)}` });
    const shown = fitted(screenText(killed, plain, columns), columns, 24);
    // A shell drops a backslash at the end of a line and reads on.
    const lines = shown.replaceAll('\\\n', '').split('\n');
    expect(lines).toContain(`npx tidewire journal clear-kill ${id} --reason "…"`);
  });

  it.each([30, 60])('screen/strategy-whole: nothing of its money is cut at %i columns', (columns) => {
    const [strategy] = snapshot().strategies;
    if (strategy === undefined) throw new Error('no strategy');
    const long = snapshot({ strategies: [{ ...strategy, tag: 'spread-maker-of-the-longer-names-that-users-give' }] });
    const shown = fitted(screenText(long, coloured, columns), columns, 60).replaceAll(CLEAR, '');
    const text = shown.replaceAll(/\s+/g, ' ');
    expect(text).toContain('2 fills, fees 0.06 USDT');
    expect(text).toContain('realised +1.50, unrealised +2.25 USDT');
    expect(text).not.toContain('… ');
  });

  it('screen/live: is red and names the account; paper is not', () => {
    expect(screenText(snapshot({ mode: 'live' }), coloured)).toContain('\u001b[31mtidewire LIVE, real orders of alice');
    expect(screenText(snapshot(), coloured)).not.toContain('LIVE');
  });

  it.each([20, 40, 60, 80, 200])('screen/width: no line is wider than %i columns, with colours', (columns) => {
    const wide = snapshot({ killed: 'x'.repeat(300), closedGates: ['y'.repeat(300)], messages: ['z'.repeat(300)] });
    const lines = fitted(screenText(wide, coloured, columns), columns, 50).split('\n');
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
    // A broken line gives the terminal its colour back.
    for (const line of lines)
      if (line.includes('\u001b[31m'))
        expect(line.lastIndexOf('\u001b[0m')).toBeGreaterThan(line.lastIndexOf('\u001b[31m'));
  });

  it('screen/height: the upper part is shown where not all fits', () => {
    const text = fitted(screenText(snapshot(), plain), 80, 6);
    expect(text.split('\n')).toHaveLength(5);
    expect(text).toContain('own P&L');
  });

  it('screen/clip: counts characters and not escapes', () => {
    expect(clip('\u001b[32mabcdef\u001b[0m', 4)).toBe('\u001b[32mabc…\u001b[0m');
    expect(clip('abcd', 4)).toBe('abcd');
  });
});
