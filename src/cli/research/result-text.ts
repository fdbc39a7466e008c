/** A result as text: key figures and doubts. */
import { entryPriceText, heldName } from '../../session/result/position-text.ts';
import type { BacktestResult, ResultPosition, StrategyResult } from '../../session/result/result.ts';
import { whyNoSharpe } from '../../statistics/unannualised.ts';
import type { CliIo } from '../command.ts';
import { moneyText } from '../../model/text/money-text.ts';
import { colouring, table, type Colour } from '../terminal/table.ts';

type Paint = (colour: Colour, text: string) => string;

const WARNINGS_SHOWN = 12;

function optional(value: number | null, digits: number, unit = ''): string {
  const places = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value === null ? '-' : `${value.toLocaleString('en-US', places)}${unit}`;
}

function amount(value: number | null, currency: string): string {
  return `${value === null ? '-' : moneyText(value)} ${currency}`;
}

function periodText(from: number, to: number): string {
  const seconds = (to - from) / 1000;
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  if (seconds < 7200) return `${(seconds / 60).toFixed(1)} min`;
  return seconds < 172_800 ? `${(seconds / 3600).toFixed(1)} h` : `${(seconds / 86_400).toFixed(1)} days`;
}

/** No headline after an error or without fills. */
function headline(paint: Paint, { stats, conventions, currency, failures, fills }: BacktestResult): string[][] {
  if (failures.length > 0) return failures.map(({ message }) => ['failed', paint('red', message)]);
  const { netPnl, heldDrift, accountPnl, returnPct } = stats;
  const beside = `${amount(heldDrift, currency)}, account ${amount(accountPnl, currency)}  (not of trading)`;
  const holdings = [paint('dim', 'holdings'), paint('dim', beside)];
  if (fills.length === 0) return [['net P&L', paint('bold', 'did not trade')], holdings];
  if (netPnl === null) return [['net P&L', '- (something was traded that has no price)'], holdings];
  const colour = netPnl < 0 ? 'red' : 'green';
  return [
    ['net P&L', paint(colour, `${amount(netPnl, currency)}  (${optional(returnPct, 4, ' %')})`)],
    holdings,
    ['max drawdown', optional(stats.maxDrawdownPct, 4, ' %')],
    ['sharpe', stats.sharpe === null ? `- (${whyNoSharpe(conventions, fills.length)})` : optional(stats.sharpe, 2)],
  ];
}

/** How the run used the part kept by `validate`. */
function lockboxText({ from, isSeen, seenBy }: NonNullable<BacktestResult['lockbox']>): string {
  const part = `the data from ${new Date(from).toISOString()} on`;
  const trials = seenBy === 1 ? '1 trial has' : `${seenBy} trials have`;
  if (isSeen)
    return `${part} are no unseen lockbox for validate any more: ${trials} run over it; --without-lockbox leaves it out`;
  return `${part} were left out for validate${seenBy === 0 ? '' : `, but ${trials} run over them before`}`;
}

function heldText(position: ResultPosition, { instruments, positions }: BacktestResult): string {
  const { quantity, strategy } = position;
  const isOfOne = positions.every((other) => other.strategy === strategy);
  const whose = isOfOne || strategy === undefined ? '' : ` of ${strategy}`;
  return `${quantity} ${heldName(position)}${whose} at ${entryPriceText(position, instruments) ?? '-'}`;
}

/** On its share of the capital. */
function strategyText({ share, capital, fills, stats }: StrategyResult, currency: string): string {
  if (fills === 0) return 'did not trade';
  const of = share === null ? '' : ` of ${amount(capital, currency)}`;
  const result = `${amount(stats.netPnl, currency)}  (${optional(stats.returnPct, 4, ' %')}${of})`;
  return `${result}, max drawdown ${optional(stats.maxDrawdownPct, 4, ' %')}, ${fills} fills`;
}

export function resultText(io: CliIo, result: BacktestResult): string {
  const paint = colouring(io.isTty, io.env);
  const { stats, period, orderCounts, currency, warnings, files, events } = result;
  const rows = [
    ['period', `${new Date(period.from).toISOString()} + ${periodText(period.from, period.to)}`],
    ...headline(paint, result),
    ...(result.strategies ?? []).map((strategy) => [`  ${strategy.strategy}`, strategyText(strategy, currency)]),
    ['fees', amount(stats.fees, currency)],
    [
      'fills',
      `${result.fills.length}, volume ${amount(stats.volume, currency)}, maker ${optional(stats.makerShare === null ? null : stats.makerShare * 100, 1, ' %')}`,
    ],
    [
      'orders',
      `${orderCounts.submitted} sent, ${orderCounts.filled} filled, ${orderCounts.canceled} canceled, ${orderCounts.expired} expired, ${orderCounts.rejected} refused, ${orderCounts.denied} denied${orderCounts.shrunk > 0 ? `, ${orderCounts.shrunk} shrunk by a lot` : ''}`,
    ],
    [
      'events',
      `${events.total.toLocaleString('en-US')}${result.eventsPerSecond > 0 ? `, ${result.eventsPerSecond.toLocaleString('en-US')} a second` : ''}`,
    ],
  ];
  if (result.ledger !== undefined)
    rows.push(['trials', `${result.ledger.trials} on these data, counted in ${result.ledger.file}`]);
  if (result.lockbox !== undefined) rows.push(['lockbox', lockboxText(result.lockbox)]);
  if (result.runHash !== null) rows.push(['run', result.runHash.slice(0, 16)]);
  rows.push(...result.positions.map((position) => ['holds', heldText(position, result)]));
  if (files.report !== null) rows.push(['report', files.report]);
  if (files.result !== null) rows.push(['result', files.result]);
  const shown = warnings.slice(0, WARNINGS_SHOWN).map((warning) => paint('yellow', `warning: ${warning}`));
  if (warnings.length > WARNINGS_SHOWN)
    shown.push(paint('yellow', `and ${warnings.length - WARNINGS_SHOWN} more warnings`));
  return [paint('bold', `${result.command} ${result.strategy}`), table(rows), ...shown].join('\n');
}
