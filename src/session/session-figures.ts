/** Figures of a session over all its processes: from its result after an orderly end, else from its journal. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJournal } from '../journal/verify.ts';
import { Instruments } from '../model/instrument.ts';
import { EarlierLegs, type Leg } from './earlier-legs.ts';
import { readResult } from './result.ts';
import { RunRecorder } from './run-recorder.ts';
import { sessionFiles, type SessionFolder } from './store.ts';

export interface SessionFigures {
  /** Reporting currency; null where unpriced. */
  readonly netPnl: number | null;
  readonly fees: number | null;
  readonly currency: string;
  /** Unix ms. */
  readonly from: number;
  readonly to: number;
  readonly lastFillAt: number | null;
  readonly legs: readonly Leg[];
}

export function sessionFigures({ path, record }: SessionFolder, currency: string, running: boolean): SessionFigures {
  const instruments = new Instruments();
  for (const { entry } of readJournal(path)) if (entry.kind === 'instrument') instruments.add(entry.spec);
  const recorder = new RunRecorder(instruments, currency);
  const earlier = EarlierLegs.tell(readJournal(path), recorder);
  const legs = (earlier?.known ?? []).map((leg, index, all) =>
    running && index === all.length - 1 ? { ...leg, end: 'running' as const } : leg,
  );
  const ended = running ? null : endedResult(path, earlier?.lastFrom ?? record.startedAt);
  const fees = recorder.fills.reduce((sum, fill) => sum + recorder.worth(fill.feeCurrency, fill.fee), 0);
  return {
    netPnl: ended ?? recorder.figures?.netPnl.toNumber() ?? null,
    fees,
    currency,
    from: legs[0]?.from ?? record.startedAt,
    to: legs.at(-1)?.to ?? record.endedAt ?? record.startedAt,
    lastFillAt: recorder.lastFillTs === 0 ? null : recorder.lastFillTs,
    legs,
  };
}

function endedResult(path: string, lastFrom: number): number | null {
  const file = join(path, sessionFiles.result);
  if (!existsSync(file)) return null;
  const { period, stats } = readResult(readFileSync(file, 'utf8'), file);
  const netPnl = stats['netPnl'];
  return period.to >= lastFrom && typeof netPnl === 'number' ? netPnl : null;
}
