/** Metrics from committed rows and figures, as text over a real socket. */
import { expect, test } from 'vitest';
import { serveScrapes } from '../../../src/bridge/metrics/scrape-server.ts';
import { SessionMetrics } from '../../../src/bridge/metrics/session-metrics.ts';
import type { JournalEntry } from '../../../src/model/entries/journal.ts';
import { Latencies } from '../../../src/bridge/replica/latencies.ts';
import type { OrderReport } from '../../../src/model/trading/order.ts';
import type { Outcome } from '../../../src/model/result.ts';
import type { SessionSnapshot } from '../../../src/session/view/snapshot.ts';
import { systemClock } from '../../../src/session/clock/system-clock.ts';
import { get } from '../plain-http.ts';
import { HandClock } from '../../execution/rig.ts';
import { lines } from './lines.ts';

const RECEIVED_MS = 1_767_225_600_000;

function create(intentId: string): JournalEntry {
  return {
    kind: 'intent',
    command: 'create',
    intentId,
    strategy: 'maker',
    ref: intentId,
    auto: true,
    tag: '',
    origin: 'quote',
    order: {} as never,
    reduceOnly: false,
    postOnly: true,
  };
}

/** One commit, made `decidedUs` after its frame and taking `tookUs`. */
function commit(
  metrics: SessionMetrics,
  entries: readonly JournalEntry[],
  decidedUs = 300,
  tookUs = 60,
  atMs = 0,
): void {
  const startedUs = (RECEIVED_MS + atMs) * 1_000 + decidedUs;
  metrics.committed({ lastSeq: 1, ts: RECEIVED_MS + atMs, entries, startedUs, endedUs: startedUs + tookUs });
}

const outcome = (intentId: string, told: Outcome): JournalEntry => ({ kind: 'outcome', intentId, outcome: told });

/** The order of labels means nothing. */
function sorted(series: string): string {
  const [, name = '', labels = ''] = /^([a-z_]+)(?:\{(.*)\})?$/.exec(series) ?? [];
  return `${name} ${labels.split(',').toSorted().join()}`;
}

function valueIn(text: string, series: string): number {
  for (const line of text.split('\n')) {
    const at = line.lastIndexOf(' ');
    if (!line.startsWith('#') && sorted(line.slice(0, at)) === sorted(series)) return Number(line.slice(at + 1));
  }
  throw new Error(`no ${series} in\n${text}`);
}

const snapshot: SessionSnapshot = {
  mode: 'paper',
  id: 'paper-1',
  exchange: 'sandbox',
  account: 'paper',
  killed: null,
  startedAt: 0,
  now: 1_000,
  endsAt: null,
  tops: [{ symbol: 'BTCUSDT', bid: '99', ask: '101' }],
  streams: [
    { name: 'depth@BTCUSDT', ageMs: 250, state: 'fresh', gaps: 3 },
    { name: 'account', ageMs: null, state: 'waiting', gaps: 0 },
  ],
  strategies: [
    {
      tag: 'maker',
      status: 'running',
      positions: [
        {
          symbol: 'BTCUSDT',
          market: 'spot',
          positionSide: 'both',
          quantity: '-0.5',
          entryPrice: '100',
          realizedPnl: '0',
          fees: '0',
          funding: '0',
          unrealizedPnl: 0,
          quote: 'USDT',
        } as unknown as SessionSnapshot['strategies'][number]['positions'][number],
      ],
      tally: {} as never,
      netPnl: -1.5,
      openOrders: [],
      programs: [],
      unprotected: [],
      counters: {} as never,
      denials: [],
      error: null,
    },
  ],
  fills: 3,
  equity: 1_010.5,
  netPnl: null,
  heldDrift: -2,
  accountPnl: null,
  currency: 'USDT',
  closedGates: [],
  unknown: 1,
  risk: [{ name: 'daily loss', used: 0.25 }],
  messages: [],
};

test('bridge/metrics/an order is timed by stage and counted once by its outcome', async () => {
  const metrics = new SessionMetrics(new HandClock(), { session: 'paper-1' });
  commit(metrics, [create('a'), { kind: 'sending', intentId: 'a' }]);
  commit(metrics, [outcome('a', { kind: 'accepted' })], 0, 50, 80);
  commit(metrics, [create('b')]);
  commit(metrics, [{ kind: 'sending', intentId: 'b' }], 100, 40, 2_000);
  commit(metrics, [outcome('b', { kind: 'unknown', reason: 'no answer' })], 0, 50, 9_000);
  commit(metrics, [outcome('b', { kind: 'accepted' }), outcome('cancel-1', { kind: 'accepted' })], 0, 50, 9_500);
  const text = await metrics.text();
  const of = (name: string, stage: string): number =>
    valueIn(text, `tidewire_tick_to_order_seconds_${name}{stage="${stage}",session="paper-1"}`);
  expect(of('count', 'decide')).toBe(2);
  expect(of('sum', 'decide')).toBeCloseTo(0.0006, 6);
  expect(of('count', 'durable')).toBe(2);
  expect(of('sum', 'durable')).toBeCloseTo(0.00036 + 2.00014, 5);
  expect(of('sum', 'commit')).toBeCloseTo(0.0001, 6);
  // An unknown outcome was concluded: its time is none of the exchange's.
  expect(of('count', 'answer')).toBe(1);
  expect(of('sum', 'answer')).toBeCloseTo(0.08, 6);
  const orders = (told: string): number => valueIn(text, `tidewire_orders_total{outcome="${told}",session="paper-1"}`);
  expect([orders('accepted'), orders('unknown'), orders('refused')]).toEqual([1, 1, 0]);
  expect(valueIn(text, 'tidewire_journal_commit_seconds_count{session="paper-1"}')).toBe(6);
});

test('bridge/metrics/an order that the private stream showed first counts as accepted, with its time', async () => {
  const metrics = new SessionMetrics(new HandClock(), { session: 's' });
  const latencies = new Latencies();
  const tell = (atMs: number, ...entries: JournalEntry[]): void => {
    commit(metrics, entries, 0, 50, atMs);
    for (const entry of entries) latencies.row({ seq: 1, ts: RECEIVED_MS + atMs, entry });
  };
  const report = (status: OrderReport['status']): OrderReport => ({ status }) as OrderReport;
  const sent = (intentId: string): JournalEntry[] => [create(intentId), { kind: 'sending', intentId }];
  tell(0, ...sent('pushed'), ...sent('filled'), ...sent('rejected'), ...sent('polled'));
  // An answer that comes after these changes nothing, so it is no entry.
  tell(20, { kind: 'order', intentId: 'pushed', report: report('new'), source: 'stream' });
  tell(30, { kind: 'fill', intentId: 'filled', fill: {} as never, mid: null, source: 'stream' });
  tell(50, { kind: 'order', intentId: 'rejected', report: report('rejected'), source: 'stream' });
  tell(60, { kind: 'order', intentId: 'pushed', report: report('filled'), source: 'stream' });
  tell(70, outcome('filled', { kind: 'accepted' }));
  // The list of orders was asked; that is no time of an answer.
  tell(5_000, { kind: 'order', intentId: 'polled', report: report('new'), source: 'reconcile' });
  const text = await metrics.text();
  const orders = (told: string): number => valueIn(text, `tidewire_orders_total{outcome="${told}",session="s"}`);
  expect([orders('accepted'), orders('refused'), orders('unknown')]).toEqual([3, 1, 0]);
  const answer = (of: string): number =>
    valueIn(text, `tidewire_tick_to_order_seconds_${of}{stage="answer",session="s"}`);
  expect(answer('count')).toBe(3);
  expect(answer('sum')).toBeCloseTo(0.1, 6);
  const row = latencies.rows().find(({ stage }) => stage === 'sending to answer');
  expect([row?.count, row?.max]).toEqual([3, 50]);
});

test('bridge/metrics/denials, fills, alarms, gates and passes are counted by what they are', async () => {
  const metrics = new SessionMetrics(new HandClock(), { session: 's' });
  const gate = (state: 'open' | 'closed'): JournalEntry => ({
    kind: 'gate',
    gate: 'market data',
    symbol: 'BTCUSDT',
    state,
    reason: 'stale_data',
    message: '',
  });
  commit(metrics, [
    { kind: 'denial', strategy: 'a', action: 'place', reason: 'killed', message: 'm' },
    { kind: 'closed', intentId: 'x', state: 'denied', reason: 'killed', message: 'm' },
    { kind: 'closed', intentId: 'w', state: 'denied', reason: 'superseded', message: 'm' },
    create('v'),
    outcome('v', { kind: 'denied', denied: { kind: 'denied', reason: 'superseded', message: 'm' } }),
    { kind: 'closed', intentId: 'y', state: 'never_arrived', reason: 'absent', message: 'm' },
    { kind: 'fill', intentId: 'x', fill: {} as never, mid: null, source: 'stream' },
    { kind: 'alarm', code: 'killed', message: 'm' },
    gate('open'),
    gate('closed'),
  ]);
  const report = { complete: true, failures: [], findings: [], healed: 0, disagreements: [], account: [] };
  // What it looked at agrees.
  metrics.passed({ ...report, findings: [{} as never] });
  metrics.passed({ ...report, complete: false });
  metrics.passed({ ...report, findings: [{} as never], healed: 1 });
  const text = await metrics.text();
  expect(valueIn(text, 'tidewire_denials_total{reason="killed",session="s"}')).toBe(2);
  // What its strategy withdrew is an order that ended, and no denial.
  expect(text).not.toContain('reason="superseded"');
  expect(valueIn(text, 'tidewire_orders_total{outcome="withdrawn",session="s"}')).toBe(2);
  expect(valueIn(text, 'tidewire_orders_total{outcome="denied",session="s"}')).toBe(1);
  expect(valueIn(text, 'tidewire_fills_total{session="s"}')).toBe(1);
  expect(valueIn(text, 'tidewire_alarms_total{code="killed",session="s"}')).toBe(1);
  expect(valueIn(text, 'tidewire_gate{gate="market data",symbol="BTCUSDT",session="s"}')).toBe(1);
  for (const result of ['agreed', 'healed', 'incomplete'])
    expect(valueIn(text, `tidewire_reconciliations_total{result="${result}",session="s"}`)).toBe(1);
});

test('bridge/metrics/figures are set when asked, and what has no value has no series', async () => {
  const metrics = new SessionMetrics(new HandClock(), { session: 's' });
  expect((await metrics.rows()).find(({ name }) => name === 'tidewire_equity')?.values).toEqual([]);
  metrics.show({ snapshot: () => snapshot, counts: () => ({ requests: 4, alerts: 0, undecoded: 2 }) });
  const text = await metrics.text();
  expect(valueIn(text, 'tidewire_equity{session="s"}')).toBe(1_010.5);
  expect(text).not.toMatch(/^tidewire_net_pnl\b/m);
  expect(valueIn(text, 'tidewire_stream_age_seconds{stream="depth@BTCUSDT",session="s"}')).toBe(0.25);
  expect(text).not.toContain('tidewire_stream_age_seconds{stream="account"');
  expect(valueIn(text, 'tidewire_stream_gaps_total{stream="depth@BTCUSDT",session="s"}')).toBe(3);
  expect(valueIn(text, 'tidewire_strategy_net_pnl{strategy="maker",session="s"}')).toBe(-1.5);
  expect(valueIn(text, 'tidewire_position{strategy="maker",symbol="BTCUSDT",side="both",session="s"}')).toBe(-0.5);
  expect(valueIn(text, 'tidewire_exposure{symbol="BTCUSDT",session="s"}')).toBe(50);
  expect(valueIn(text, 'tidewire_limit_used_ratio{limit="daily loss",session="s"}')).toBe(0.25);
  expect(valueIn(text, 'tidewire_queue_length{queue="requests",session="s"}')).toBe(4);
});

test('bridge/metrics/every line is of the text format', async () => {
  const metrics = new SessionMetrics(new HandClock(), { session: 'a"b\\c\nd' });
  metrics.show({ snapshot: () => snapshot, counts: () => ({ requests: 0, alerts: 0, undecoded: 0 }) });
  commit(metrics, [create('a'), { kind: 'sending', intentId: 'a' }]);
  const label = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"`;
  const sample = new RegExp(String.raw`^[a-z_]+(\{${label}(,${label})*\})? (NaN|[+-]?Inf|-?\d+(\.\d+)?(e[+-]?\d+)?)$`);
  const text = await metrics.text();
  const wrong = text
    .split('\n')
    .filter((line) => line !== '' && !/^# (HELP|TYPE) tidewire_/.test(line) && !sample.test(line));
  expect(wrong).toEqual([]);
  expect(text).toContain('session="a\\"b\\\\c\\nd"');
});

test('bridge/metrics/a storm of scrapes asks the session once a second', async () => {
  let asked = 0;
  const metrics = new SessionMetrics(systemClock, { session: 's' });
  metrics.show({
    snapshot: () => {
      asked++;
      return snapshot;
    },
    counts: () => ({ requests: 0, alerts: 0, undecoded: 0 }),
  });
  const server = serveScrapes(0, metrics, lines());
  const port = await server.port;
  const from = systemClock.now();
  const answers = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const statuses: number[] = [];
      for (let each = 0; each < 20; each++) statuses.push((await get(`http://127.0.0.1:${port}/metrics`)).status);
      return statuses;
    }),
  );
  const seconds = (systemClock.now() - from) / 1_000;
  expect(new Set(answers.flat())).toEqual(new Set([200]));
  expect(asked).toBeLessThanOrEqual(1 + Math.floor(seconds));
  const { body, type } = await get(`http://127.0.0.1:${port}/metrics`);
  expect(valueIn(body, 'tidewire_equity{session="s"}')).toBe(1_010.5);
  expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect((await get(`http://127.0.0.1:${port}/api/v1/sessions`)).status).toBe(404);
  expect((await get(`http://127.0.0.1:${port}/metrics`, { host: 'evil.example' })).status).toBe(421);
  expect((await get(`http://127.0.0.1:${port}/metrics`, {}, 'POST')).status).toBe(405);
  const logger = lines();
  const second = serveScrapes(port ?? 0, metrics, logger);
  expect(await second.port).toBeNull();
  expect(logger.all).toEqual([`{"port":${port},"reason":"EADDRINUSE"} metrics are not served`]);
  await second.close();
  await server.close();
});
