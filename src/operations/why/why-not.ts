/**
 * `why-not SYMBOL@TIME`: why nothing was sent then, by journal, action log and recording. All reasons, strongest first.
 * Reads only.
 */
import { existsSync, readFileSync } from 'node:fs';
import { parseActionLine, type LoggedAction } from '../../session/decisions/action-log.ts';
import { trialText } from '../../risk/protections/trial.ts';
import { operationErrors } from '../errors.ts';
import { recordedThen, type RecordedThen } from './market-then.ts';
import { momentOf, type Moment } from './moment.ts';
import { placesOf, type SessionPlace } from './session-place.ts';

export interface WhyNot {
  readonly session: string;
  readonly path: string;
  readonly moment: Moment;
  /** Requests of strategies in the window, unchanged quotes included. */
  readonly asked: readonly LoggedAction[];
  readonly lastAsked: LoggedAction | null;
  readonly recorded: RecordedThen;
  /** Strongest reason first. */
  readonly because: readonly string[];
}

export interface WhyNotQuestion {
  readonly symbol: string;
  /** Unix ms. */
  readonly atMs: number;
  readonly windowMs: number;
  /** Unix ms. */
  readonly now: number;
}

/** Older data counts as stale. */
const STALE_MS = 5_000;

/**
 * `now` (Unix ms): a session that runs covers what is up to it.
 * Throws `moment_not_covered`, `session_not_found`, `journal_not_found`, `journal_corrupt`.
 */
export async function whyNot(
  root: string,
  { symbol, atMs, windowMs, now }: WhyNotQuestion,
  session?: string,
): Promise<WhyNot> {
  const places = placesOf(root, session);
  const place = session === undefined ? places.find((one) => covers(one, atMs, now)) : places[0];
  if (place === undefined) {
    const when = new Date(atMs).toISOString();
    throw operationErrors.make('moment_not_covered', `no session under ${root} has rows around ${when}`, { atMs });
  }
  const moment = momentOf(place.rows(), symbol, atMs, windowMs);
  const all = actionsIn(place.actions, symbol);
  const asked = all.filter(({ ts }) => Math.abs(ts - atMs) <= windowMs);
  const lastAsked = all.findLast(({ ts }) => ts <= atMs) ?? null;
  const recorded = await recordedThen(place.recording, { symbol, atMs, untilMs: atMs, names: [] });
  const found = { moment, asked, lastAsked, recorded };
  const ends = moment.journalEnds !== null && atMs <= now && place.runs() ? null : moment.journalEnds;
  return { session: place.id, path: place.path, ...found, because: reasonsOf(found, ends) };
}

/** From its first row to its last, or to now while it runs. */
function covers(place: SessionPlace, atMs: number, now: number): boolean {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { ts } of place.rows()) [first, last] = [Math.min(first, ts), Math.max(last, ts)];
  return first <= atMs && (atMs <= last || (atMs <= now && place.runs()));
}

function actionsIn(file: string, symbol: string): readonly LoggedAction[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return line === '' ? [] : [parseActionLine(line)];
      } catch {
        // A line cut by a crash.
        return [];
      }
    })
    .filter(({ action }) => symbolOf(action) === symbol);
}

function symbolOf(action: unknown): unknown {
  return typeof action === 'object' && action !== null && 'symbol' in action ? action.symbol : undefined;
}

/** `ends`: of the journal, where nothing shows that its process ran on. */
function reasonsOf(
  { moment, asked, lastAsked, recorded }: Omit<WhyNot, 'because' | 'session' | 'path'>,
  ends: number | null,
): string[] {
  const { symbol, atMs } = moment;
  if (moment.notRunning !== null) return [`Nothing could be sent: ${moment.notRunning}.`];
  const reasons: string[] = [];
  if (ends !== null) reasons.push(`The journal ends at ${iso(ends)}: it does not show whether the process still ran.`);
  if (!moment.known) reasons.push(`${symbol} was not traded by then: no order of it was ever intended.`);
  if (moment.killed !== null) reasons.push(`The kill switch was on: ${moment.killed}.`);
  for (const [tag, reason] of Object.entries(moment.pauses))
    reasons.push(`${tag} was paused by a human: ${reason}. Only cancels and exits passed.`);
  for (const gate of moment.gates) reasons.push(gateReason(gate));
  reasons.push(...denialReasons(moment));
  if (moment.denials.length > 0) reasons.push(...moment.trials.map((trial) => `${trialText(trial)}.`));
  reasons.push(...dataReasons(recorded, symbol));
  if (moment.sent.length > 0)
    reasons.push(`Something was sent within ${moment.windowMs / 1000} s of it; see below what and when.`);
  if (asked.length === 0 && moment.decisions.length === 0) reasons.push(noDecision(symbol, atMs, lastAsked, moment));
  else if (moment.sent.length === 0 && moment.denials.length === 0) reasons.push(unchanged(moment, asked));
  return reasons;
}

function gateReason({ gate, symbol, reason, message, since, until }: Moment['gates'][number]): string {
  const where = symbol === '' ? '' : ` of ${symbol}`;
  const when = `seen closed from ${iso(since)} ${until === null ? 'on' : `to ${iso(until)}`}`;
  return `The gate "${gate}"${where} was closed (${reason}): ${message}; ${when}. Only cancels and reductions passed.`;
}

function denialReasons({ denials }: Moment): readonly string[] {
  const byReason = new Map<string, { count: number; text: string }>();
  for (const { reason, text } of denials) {
    const known = byReason.get(reason);
    byReason.set(reason, { count: (known?.count ?? 0) + 1, text });
  }
  return [...byReason.values()].map(
    ({ count, text }) => `${count === 1 ? 'An action was' : `${count} actions were`} ${deniedText(text)}.`,
  );
}

function deniedText(text: string): string {
  return text.includes('denied') ? `not sent: ${text}` : `denied: ${text}`;
}

function dataReasons({ market, problems }: RecordedThen, symbol: string): readonly string[] {
  if (market === null)
    return problems.length === 0 ? [] : [`The market of that time is not known: ${problems.join('; ')}.`];
  if (market.missing !== null) return [`Market data of ${symbol} was missing: ${market.missing}.`];
  if (market.ageMs === null) return [`No frame of ${symbol} had been received yet.`];
  if (market.ageMs > STALE_MS) return [`The newest frame of ${symbol} was ${(market.ageMs / 1000).toFixed(1)} s old.`];
  return market.best === null ? [`There was no usable book of ${symbol}.`] : [];
}

function noDecision(symbol: string, atMs: number, lastAsked: LoggedAction | null, { lastDecision }: Moment): string {
  const last = lastAsked?.ts ?? lastDecision?.ts;
  const before =
    last === undefined
      ? 'none was made before'
      : `the last one before was made ${((atMs - last) / 1000).toFixed(1)} s earlier`;
  return `No strategy decided anything about ${symbol} then; ${before}.`;
}

function unchanged({ standing }: Moment, asked: readonly LoggedAction[]): string {
  const orders = standing.map(
    ({ side, quantity, price, ref }) => `${side} ${quantity} at ${price ?? 'market'} (${ref})`,
  );
  const stood = orders.length === 0 ? 'nothing stood' : `these stood already: ${orders.join(', ')}`;
  return `Strategies decided ${asked.length} times, and it changed nothing: ${stood}.`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
