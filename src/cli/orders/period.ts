/** Symbol and period, as histories of orders, trades and positions take them. */
import type { Command } from 'commander';
import type { PositionHistoryFilter } from '../../exchange/client/operations/futures.ts';
import { timeOption } from '../config-option.ts';
import type { OperationOptions } from '../operations/open-exchange.ts';

export interface PeriodOptions extends OperationOptions {
  readonly from?: string;
  readonly to?: string;
}

export function periodOptions(command: Command): Command {
  return command
    .argument('[symbol]', 'of this symbol alone')
    .option('--from <TIME>', 'created at or after, ISO 8601 or Unix ms')
    .option('--to <TIME>', 'created at or before');
}

export function filterOf(symbol: string | undefined, options: PeriodOptions): PositionHistoryFilter {
  const from = timeOption('from', options.from);
  const to = timeOption('to', options.to);
  return {
    ...(symbol === undefined ? {} : { symbol: symbol.toUpperCase() }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}
