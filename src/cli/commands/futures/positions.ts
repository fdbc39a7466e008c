/** `tidewire futures positions|closed-positions`: what is held, and what was. */
import { Command } from 'commander';
import type { VenuePosition } from '../../../model/trading/account.ts';
import type { ClosedPosition } from '../../../exchange/wire/positions.ts';
import { dec } from '../../../model/numbers/money.ts';
import { action, type CliIo } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { listing } from '../../operations/listing.ts';
import { withExchange, type OperationOptions } from '../../operations/open-exchange.ts';
import { withConfig } from '../../operations/options.ts';
import { timeText } from '../../operations/text.ts';
import { table } from '../../terminal/table.ts';
import { filterOf, periodOptions, type PeriodOptions } from '../../orders/period.ts';

/** `both` of one-way mode by its sign. */
export function sideText({ positionSide, quantity }: VenuePosition): string {
  if (positionSide !== 'both') return positionSide;
  return dec(quantity).isNegative() ? 'short' : 'long';
}

const HEAD = ['symbol', 'side', 'quantity', 'entry', 'mark', 'liq.', 'pnl', 'held'];

export function positionsText(items: readonly VenuePosition[]): string {
  if (items.length === 0) return 'no open positions';
  const rows = items.map((position) => [
    position.symbol,
    sideText(position),
    position.quantity,
    position.entryPrice,
    position.markPrice,
    position.liquidationPrice ?? '-',
    position.unrealizedPnl,
    `${position.leverage}x ${position.marginType}`,
  ]);
  return table(rows, { head: HEAD, right: [2, 3, 4, 5, 6] });
}

export function buildPositions(io: CliIo): Command {
  return withConfig(new Command('positions').description('List open positions.'))
    .argument('[symbol]', 'of this perpetual alone')
    .addHelpText('after', operationHelp(['futures positions --config config/sandbox.yaml'], ['positions']))
    .action(
      action(io, (symbol: string | undefined, options: OperationOptions) =>
        withExchange(io, options, 'key', async ({ exchange }) =>
          listing({
            command: 'futures positions',
            what: 'positions',
            reading: await exchange.futures.positions(symbol?.toUpperCase()),
            text: positionsText,
          }),
        ),
      ),
    );
}

const CLOSED_HEAD = ['closed', 'symbol', 'side', 'quantity', 'entry', 'close', 'pnl'];

/** Fees and funding are in `--json`. */
function closedText(items: readonly ClosedPosition[]): string {
  if (items.length === 0) return 'no closed positions';
  const rows = items.map((position) => [
    timeText(position.closedAt),
    position.symbol,
    sideText(position),
    position.quantity,
    position.entryPrice,
    position.closePrice,
    position.realizedPnl,
  ]);
  return table(rows, { head: CLOSED_HEAD, right: [3, 4, 5, 6] });
}

export function buildClosedPositions(io: CliIo): Command {
  return periodOptions(
    withConfig(new Command('closed-positions').description('List positions that are over, newest first.')),
  )
    .addHelpText(
      'after',
      operationHelp(['futures closed-positions BTCUSDTPERP --config config/sandbox.yaml'], ['closedPositions']),
    )
    .action(
      action(io, async (symbol: string | undefined, options: PeriodOptions) => {
        const filter = filterOf(symbol, options);
        return withExchange(io, options, 'key', async ({ exchange }) =>
          listing({
            command: 'futures closed-positions',
            what: 'closed positions',
            reading: await exchange.futures.closedPositions(filter),
            text: closedText,
          }),
        );
      }),
    );
}
