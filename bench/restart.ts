/**
 * How long a start takes on a large journal beside one on a small one: opening, and reading state and result from the newest
 * snapshot with the rows of a bound after it; and the lists at the end. Orders are quoted, rest, fill or are cancelled: 7 rows.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSegment } from '../src/journal/archive/make-segment.ts';
import { resumed } from '../src/journal/resume.ts';
import { JOURNAL_FILE, openJournal } from '../src/journal/sqlite-store.ts';
import { readJournal } from '../src/journal/verify.ts';
import { Instruments } from '../src/model/market/instrument.ts';
import type { JournalEntry, JournalStore } from '../src/model/entries/journal.ts';
import { completeLists, EarlierLegs, isListed } from '../src/session/result/earlier-legs.ts';
import { symbolFacts } from '../src/session/paper-venue/symbol-facts.ts';
import { RunRecorder } from '../src/session/recorder/run-recorder.ts';
import { RebuiltVenue } from '../src/session/paper-venue/rebuilt-venue.ts';
import { GRANT_RECORD } from '../src/session/paper-venue/venue-records.ts';
import { seconds } from './harness.ts';

const ROWS = 1_000_000;
/** What may lie after the newest snapshot. */
const AFTER = 50_000;
const TURN_ORDERS = 100;
/** Taken out at once. */
const PIECE_ROWS = 100;

const SPEC = {
  symbol: 'BTCUSDT',
  market: 'spot',
  base: 'BTC',
  quote: 'USDT',
  tickSize: '0.01',
  lotSize: '0.00001',
  minQuantity: '0.00001',
  maxQuantity: '9000',
  minNotional: '5',
  status: 'trading',
} as const;

/** Every second one fills, the others are cancelled. */
function lifeOf(count: number): readonly JournalEntry[] {
  const intentId = `b1_sq0fkk-${count * 2}`;
  const cancelId = `b1_sq0fkk-${count * 2 + 1}`;
  const [price, quantity, orderId] = [`${59_000 + (count % 900)}.25`, '0.00125', `880055${count}`];
  const order = { symbol: 'BTCUSDT', market: 'spot', side: 'buy', type: 'limit', timeInForce: 'gtc', price, quantity };
  const ts = 1_767_571_200_000 + count;
  const report = (status: string, filledQuantity: string): object => ({
    ...order,
    orderId,
    clientOrderId: `tw-${intentId}`,
    status,
    filledQuantity,
    averagePrice: filledQuantity === '0' ? null : price,
    createdAt: ts,
    updatedAt: ts,
  });
  const end: readonly object[] =
    count % 2 === 0
      ? [
          { kind: 'decision', strategy: 'maker', action: { kind: 'cancel', ref: `maker-${count}` } },
          { kind: 'intent', command: 'cancel', intentId: cancelId, targets: [intentId] },
          { kind: 'order', intentId, report: report('canceled', '0'), source: 'stream' },
        ]
      : [
          {
            kind: 'fill',
            intentId,
            fill: {
              ...order,
              tradeId: `t${count}`,
              orderId,
              ts,
              fee: '0.00000125',
              feeCurrency: 'BTC',
              liquidity: 'maker',
            },
            mid: 59_000.5,
            source: 'stream',
          },
          { kind: 'order', intentId, report: report('filled', quantity), source: 'stream' },
          { kind: 'decision', strategy: 'maker', action: { kind: 'note' } },
        ];
  return [
    { kind: 'quote-set', strategy: 'maker', symbol: 'BTCUSDT', tag: 'maker', bids: [[price, quantity]], asks: [] },
    {
      kind: 'intent',
      command: 'create',
      intentId,
      strategy: 'maker',
      ref: `maker-${count}`,
      auto: true,
      tag: 'maker',
      origin: 'quote',
      order,
      reduceOnly: false,
      postOnly: true,
    },
    { kind: 'sending', intentId },
    { kind: 'outcome', intentId, outcome: { kind: 'accepted', order: report('new', '0') } },
    ...end,
  ] as readonly JournalEntry[];
}

function begin(journal: JournalStore): void {
  const start = { kind: 'session', event: 'start', boot: 1, bootId: 'b1_sq0fkk' } as const;
  const grant = { kind: 'record', name: GRANT_RECORD, data: { currency: 'USDT', amount: '1000000' } } as const;
  journal.append(1_767_571_200_000, [start, { kind: 'instrument', spec: SPEC }, grant]);
}

/** Until so many rows; answers how many orders there are. `from`: how many there were. */
export function fillJournal(journal: JournalStore, rows: number, from: number): number {
  if (journal.lastSeq === 0) begin(journal);
  let count = from;
  while (journal.lastSeq < rows) {
    const turn: JournalEntry[] = [];
    for (let order = 0; order < TURN_ORDERS; order++) turn.push(...lifeOf(++count));
    journal.append(1_767_571_200_000 + count, turn);
  }
  return count;
}

interface Start {
  readonly rows: number;
  readonly bytes: number;
  /** Seconds. */
  readonly opening: number;
  readonly result: number;
  readonly state: number;
  /** Of the exchange of a paper session. */
  readonly exchange: number;
  readonly lists: number;
}

/** Archives what two snapshots cover, as a session does when idle. */
function archiveOlder(journal: JournalStore, folder: string): void {
  for (;;) {
    const segment = makeSegment(folder);
    if (segment === null) break;
    journal.archive?.note(segment);
    for (let piece = 0; piece <= segment.last - segment.first; piece += PIECE_ROWS) journal.idle();
  }
}

async function startOf(rows: number): Promise<Start> {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-bench-'));
  const venue = (): RebuiltVenue => new RebuiltVenue(symbolFacts(new Instruments([SPEC]), { maker: '0', taker: '0' }));
  const make = (): RunRecorder => new RunRecorder(new Instruments([SPEC]), 'USDT');
  try {
    const before = openJournal(folder, { durability: 'normal' });
    let count = fillJournal(before, Math.max(1, rows - AFTER), 0);
    if (rows > AFTER) {
      const entries = EarlierLegs.resume(before, make(), venue()).entries();
      // Rows are archived once a second snapshot covers them.
      for (let time = 0; time < 2; time++) before.append(1_767_571_200_000 + count, entries);
      archiveOlder(before, folder);
      count = fillJournal(before, rows, count);
    }
    before.close();
    let journal!: JournalStore;
    const opening = await seconds(() => void (journal = openJournal(folder, { durability: 'normal' })));
    const recorder = make();
    let earlier!: EarlierLegs;
    const result = await seconds(() => void (earlier = EarlierLegs.resume(journal, recorder, venue())));
    const state = await seconds(() => void resumed(journal, earlier.replay));
    const exchange = await seconds(() => void earlier.venue?.state());
    const { lastSeq } = journal;
    journal.close();
    const listed = { rows: () => readJournal(folder, 1, { wanted: isListed }), make };
    const lists = await seconds(() => void completeLists(earlier, recorder, listed));
    return { rows: lastSeq, bytes: statSync(join(folder, JOURNAL_FILE)).size, opening, result, state, exchange, lists };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function restartBench(): Promise<void> {
  const small = await startOf(1_000);
  const large = await startOf(ROWS);
  for (const { rows, bytes, opening, result, state, exchange, lists } of [small, large]) {
    console.log(`Start on a journal of ${rows} rows, ${Math.round(bytes / 1e6)} MB beside its archive`);
    console.log(`  open and check the file             ${opening.toFixed(2)} s`);
    console.log(`  sums of the earlier result          ${result.toFixed(2)} s`);
    console.log(`  state                               ${state.toFixed(2)} s`);
    console.log(`  paper alone: its exchange           ${exchange.toFixed(2)} s`);
    console.log(`  at the end: lists of all its rows   ${lists.toFixed(2)} s`);
  }
  const whole = ({ opening, result, state }: Start): number => opening + result + state;
  console.log(`  a start of run takes ${(whole(large) - whole(small)).toFixed(2)} s more with ${ROWS} rows`);
}
