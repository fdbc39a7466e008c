/**
 * How long a large journal takes to be read at a start: the state from its first row, and from a snapshot with the rows of a bound
 * after it; the result of the processes before; and what the exchange of a paper session holds. Rows of orders that are quoted, rest, fill or are cancelled, 7 an order.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { feeRates } from '../src/clearing/fees.ts';
import { resumed } from '../src/journal/resume.ts';
import { JOURNAL_FILE, openJournal } from '../src/journal/sqlite-store.ts';
import type { JournalEntry, JournalStore } from '../src/model/journal.ts';
import { Instruments } from '../src/model/instrument.ts';
import { EarlierLegs } from '../src/session/earlier-legs.ts';
import { symbolFacts } from '../src/session/paper.ts';
import { RunRecorder } from '../src/session/run-recorder.ts';
import { GRANT_RECORD, venueStateOf } from '../src/session/venue-restore.ts';
import { replayRows } from '../src/spine/replay.ts';
import { snapshotOf } from '../src/spine/snapshot/snapshot.ts';
import { seconds } from './harness.ts';

const ROWS = 1_000_000;
/** What may lie after the newest snapshot. */
const AFTER = 50_000;
const TURN_ORDERS = 500;

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
  const grant = { kind: 'record', name: GRANT_RECORD, data: { currency: 'USDT', amount: '100000000' } } as const;
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

export async function restartBench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-bench-'));
  try {
    const journal = openJournal(folder, { durability: 'normal' });
    const count = fillJournal(journal, ROWS - AFTER, 0);
    const replay = replayRows(journal.read());
    let bytes = 0;
    const making = await seconds(() => {
      const entry = snapshotOf(replay);
      bytes = entry.state.length;
      journal.append(1_767_571_200_000 + count, [entry]);
    });
    fillJournal(journal, ROWS, count);
    const { lastSeq: rows } = journal;
    const whole = await seconds(() => void replayRows(journal.read()));
    const fromSnapshot = await seconds(() => void resumed(journal));
    const instruments = new Instruments([SPEC]);
    const result = await seconds(() => void EarlierLegs.tell(journal.read(), new RunRecorder(instruments, SPEC.quote)));
    const rates = feeRates({ maker: '0', taker: '0' });
    const venue = await seconds(() => void venueStateOf(journal.read(), symbolFacts(instruments, rates)));
    journal.close();
    const opening = await seconds(() => openJournal(folder).close());
    const { size } = statSync(join(folder, JOURNAL_FILE));
    console.log(`Restart of a journal of ${rows} rows, ${Math.round(size / 1e6)} MB`);
    console.log(`  open and check the file                          ${opening.toFixed(2)} s`);
    console.log(`  read from the first row                          ${whole.toFixed(2)} s`);
    console.log(`  read from a snapshot, ${AFTER} rows after it      ${fromSnapshot.toFixed(2)} s`);
    console.log(`  result of the processes before, from the first row ${result.toFixed(2)} s`);
    console.log(`  what the exchange of a paper session holds, likewise ${venue.toFixed(2)} s`);
    console.log(`  make and write the snapshot (${Math.round(bytes / 1e3)} kB)             ${making.toFixed(2)} s`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
