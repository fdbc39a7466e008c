/** `tidewire journal trades`: disposals first in first out, by year, for a tax return. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { configParts } from '../../config-option.ts';
import { writeOutput } from '../../terminal/output-file.ts';
import { table } from '../../terminal/table.ts';
import { journalErrors } from '../../../journal/errors.ts';
import { worthText } from '../../../model/text/money-text.ts';
import { keptTrades } from '../../../operations/trades/kept-trades.ts';
import { tradesOf, type SessionTrades } from '../../../operations/trades/session-fills.ts';
import { csvLines, taxReport, type TaxReport } from '../../../operations/trades/tax-rows.ts';
import { sessionErrors } from '../../../session/errors.ts';
import { findSession, listSessions, type SessionFolder } from '../../../session/store/store.ts';

interface Options {
  readonly csv?: boolean;
  readonly year?: string;
  readonly session: string;
  readonly out?: string;
  readonly config?: string;
  readonly json?: boolean;
}

const OTHERS =
  'note: trades by hand (`spot order`, `futures order`), of other programs and of other folders are not in these journals, and change which lots were sold';

const HELP = `
Lots are kept by account, symbol and position side, over all strategies; the oldest goes first. Columns of the CSV:
date (UTC), session, strategy, market, symbol, side (buy closes a short position; funding), quantity, price, fee,
feeCurrency, proceeds (less fees), cost (with fees), result, currency (of these three), acquired (UTC), holdingDays,
lotTradeId, tradeId. Sessions that data prune deleted are in it. What was sold without a purchase in these journals has no cost and no result. Trades by hand are not
in them: compare with the exchange's list of trades.

Examples:
  npx tidewire journal trades --csv --year 2026 --out trades-2026.csv
  npx tidewire journal trades --session paper-spread-maker-1 --json`;

export function tradesCommand(io: CliIo): Command {
  return new Command('trades')
    .description('own trades as disposals, first in first out, with the result of each')
    .option('--csv', 'one line a disposal, for a tax return; else sums by year and symbol')
    .option('--year <Y>', 'disposals of this year (UTC); lots are of all years')
    .option('--session <ID>', 'one session, or all live ones', 'all')
    .option('--out <FILE>', 'write the CSV to this file')
    .option('--config <FILE>', 'configuration file, for journal.dir')
    .option('--json', 'one JSON document')
    .addHelpText('after', HELP)
    .action(action(io, async (options: Options) => trades(io, options)));
}

function trades(io: CliIo, options: Options): CommandResult {
  const config = configParts(io, options.config, ['journal']);
  const year = yearOption(options.year);
  const known = sessionsOf(resolve(io.cwd, config.journal.dir), options.session);
  const report = taxReport(
    known.map(({ trades: of }) => of()),
    year,
  );
  const sessions = known.map(({ session }) => session);
  const json = { command: 'journal trades', sessions, year, ...report };
  if (options.out !== undefined) {
    const file = resolve(io.cwd, options.out);
    if (existsSync(file)) throw journalErrors.make('journal_exists', `${file} exists already`, { path: file });
    writeOutput(file, csvLines(report.rows), 0o600);
    const text = [`${report.rows.length} rows written to ${file}`, ...notes(report)].join('\n');
    return { json: { ...json, rows: report.rows.length, file }, text };
  }
  if (options.csv !== true || options.json === true) return { json, text: sumText(report) };
  for (const note of notes(report)) io.err(`${note}\n`);
  return { json: null, text: [...csvLines(report.rows)].join('').trimEnd() };
}

function yearOption(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^\d{4}$/.test(text)) return Number(text);
  throw sessionErrors.make('bad_option', `--year ${text} is not a year such as 2026`, { option: 'year' });
}

interface Known {
  readonly session: string;
  readonly startedAt: number;
  readonly trades: () => SessionTrades;
}

function known(folder: SessionFolder): Known {
  const { id: session, startedAt } = folder.record;
  return { session, startedAt, trades: () => tradesOf(folder) };
}

/** Oldest first; with those that `data prune` deleted. */
function sessionsOf(root: string, wanted: string): readonly Known[] {
  const pruned = keptTrades(root).map((kept) => ({ ...kept, trades: () => kept }));
  if (wanted !== 'all') {
    const gone = pruned.filter(({ session }) => session === wanted);
    return gone.length > 0 && !existsSync(join(root, wanted)) ? gone : [known(findSession(root, wanted))];
  }
  const live = listSessions(root).filter(({ record }) => record.mode === 'live');
  const all = [...pruned, ...live.map(known)].toSorted((left, right) => left.startedAt - right.startedAt);
  if (all.length > 0) return all;
  throw sessionErrors.make(
    'session_not_found',
    `there is no live session under ${root}; --session ID takes one of another mode`,
  );
}

function notes({ sums, otherFees }: TaxReport): readonly string[] {
  const unknown = sums
    .filter((sum) => sum.unknown > 0)
    .map((sum) => `${sum.unknown} disposals of ${sum.symbol} in ${sum.year}`);
  const fees = Object.entries(otherFees).map(([currency, fee]) => `${fee} ${currency}`);
  return [
    OTHERS,
    ...(unknown.length === 0
      ? []
      : [`note: sold without a purchase in these journals, so without cost and result: ${unknown.join(', ')}`]),
    ...(fees.length === 0 ? [] : [`note: fees in a third currency are in no result: ${fees.join(', ')}`]),
  ];
}

function sumText(report: TaxReport): string {
  const rows = report.sums.map(({ year, symbol, disposals, proceeds, cost, result, funding, currency }) => [
    String(year),
    symbol,
    String(disposals),
    ...[proceeds, cost, result, funding].map((amount) => worthText(Number(amount))),
    currency,
  ]);
  const head = ['year', 'symbol', 'disposals', 'proceeds', 'cost', 'result', 'funding', 'in'];
  const shown = rows.length === 0 ? 'nothing was disposed of' : table(rows, { head, right: [2, 3, 4, 5, 6] });
  return [shown, ...notes(report)].join('\n');
}
