/** Figures of a session over all its processes: from its result after an orderly end, else from its journal. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { provedJournal, readJournal } from '../../journal/verify.ts';
import { isTidewireError, type TidewireError } from '../../model/errors.ts';
import { Instruments } from '../../model/market/instrument.ts';
import { journalledCurve, resultCurve, type AccountCurve } from './account-curve.ts';
import { EarlierLegs, type Leg } from './earlier-legs.ts';
import { readResult, type ResultDocument } from './result.ts';
import { RunRecorder } from '../recorder/run-recorder.ts';
import { readPrices, type KnownPrices } from '../store/prices-file.ts';
import { sessionFiles, type SessionFolder } from '../store/store.ts';

export interface SessionFigures {
  /** Reporting currency; null where unpriced. */
  readonly netPnl: number | null;
  readonly fees: number | null;
  /** By tag, of the whole session. */
  readonly strategyFills: Readonly<Record<string, number>>;
  /** Of what was traded, at the end; without an orderly end those last written by the session, else at the last fill. */
  readonly prices: Readonly<Record<string, number>>;
  /** Of when the oldest price of what is held is, Unix ms; null: nothing is held, or it is of the end. */
  readonly pricedAt: number | null;
  readonly currency: string;
  /** Unix ms. */
  readonly from: number;
  readonly to: number;
  readonly lastFillAt: number | null;
  readonly legs: readonly Leg[];
  /** Null without a valuation. */
  readonly account: AccountCurve | null;
}

/**
 * `unread` gets a result that cannot be read; then the journal alone counts. Without it such a result throws. Throws
 * `journal_corrupt`, with the row, where the hash chain breaks.
 */
export function sessionFigures(
  { path, record }: SessionFolder,
  currency: string,
  running: boolean,
  unread?: (invalid: TidewireError) => void,
): SessionFigures {
  const instruments = new Instruments();
  const isInstrument = (body: string): boolean => body.includes('"kind":"instrument"');
  for (const { entry } of readJournal(path, 1, { wanted: isInstrument }))
    if (entry.kind === 'instrument') instruments.add(entry.spec);
  const recorder = new RunRecorder(instruments, currency);
  const earlier = EarlierLegs.tell(provedJournal(path), recorder);
  const legs = (earlier?.known ?? []).map((leg, index, all) =>
    running && index === all.length - 1 ? { ...leg, end: 'running' as const } : leg,
  );
  const ended = running ? null : endedResult(path, earlier?.lastFrom ?? record.startedAt, unread);
  const pricedAt = ended === null ? pricedBy(readPrices(join(path, sessionFiles.prices)), recorder, earlier) : null;
  const account = ended?.account ?? journalledCurve(recorder, earlier?.start ?? null);
  const tallies = record.strategies.map(({ tag }) => [tag, recorder.tally(tag)] as const);
  const prices = instruments.all().flatMap(({ symbol }) => {
    const price = ended?.prices.get(symbol) ?? recorder.price(symbol);
    return price === undefined ? [] : [[symbol, price] as const];
  });
  return {
    netPnl: ended?.netPnl ?? recorder.figures?.netPnl.toNumber() ?? null,
    fees: tallies.reduce((sum, [, tally]) => sum + tally.fees, 0),
    strategyFills: Object.fromEntries(tallies.map(([tag, tally]) => [tag, tally.fills])),
    prices: Object.fromEntries(prices),
    pricedAt,
    currency,
    from: legs[0]?.from ?? record.startedAt,
    to: legs.at(-1)?.to ?? record.endedAt ?? record.startedAt,
    lastFillAt: recorder.lastFillTs === 0 ? null : recorder.lastFillTs,
    legs,
    account,
  };
}

/** Values at prices that are younger than those of the journal's fills. Gives `pricedAt`. */
function pricedBy(known: KnownPrices, recorder: RunRecorder, earlier: EarlierLegs | null): number | null {
  if (earlier === null) return null;
  const { positions } = earlier.replay.state;
  const held = new Set(positions.all().flatMap(({ instrument, lots }) => (lots === 0 ? [] : [instrument.symbol])));
  const lastTs = earlier.known.at(-1)?.to ?? 0;
  const times = [...held].map((symbol) => {
    const { price, at } = known[symbol] ?? { price: 0, at: 0 };
    const filledAt = recorder.midTs(symbol);
    if (at <= filledAt) return filledAt;
    recorder.equity.price(Math.max(at, lastTs), symbol, price);
    return at;
  });
  return times.length === 0 ? null : Math.min(...times);
}

interface Ended {
  readonly netPnl: number;
  readonly account: AccountCurve | null;
  /** The last mids. */
  readonly prices: ReadonlyMap<string, number>;
}

/** Throws `result_invalid`, unless `unread` takes it. */
function endedResult(path: string, lastFrom: number, unread?: (invalid: TidewireError) => void): Ended | null {
  const file = join(path, sessionFiles.result);
  if (!existsSync(file)) return null;
  let result: ResultDocument;
  try {
    result = readResult(readFileSync(file, 'utf8'), file);
  } catch (thrown) {
    if (unread === undefined || !isTidewireError(thrown)) throw thrown;
    unread(thrown);
    return null;
  }
  const { period, stats, chart, equity } = result;
  const netPnl = stats['netPnl'];
  if (period.to < lastFrom || typeof netPnl !== 'number') return null;
  const lines = (chart?.prices ?? []).flatMap((price) => {
    const last = price.kind === 'line' ? price.points.at(-1) : undefined;
    return last === undefined ? [] : [[price.symbol, last[1]] as const];
  });
  return { netPnl, account: resultCurve(equity, stats['heldDrift']), prices: new Map(lines) };
}
