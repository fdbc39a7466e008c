/** `tidewire futures closed-orders`: orders of closed positions. */
import { Command } from 'commander';
import { action, type CliIo } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { listing } from '../../operations/listing.ts';
import { withExchange } from '../../operations/open-exchange.ts';
import { withConfig } from '../../operations/options.ts';
import { ordersText } from '../../orders/list.ts';
import { filterOf, periodOptions, type PeriodOptions } from '../../orders/period.ts';

export function buildClosedOrders(io: CliIo): Command {
  return periodOptions(
    withConfig(new Command('closed-orders').description('List orders that opened or closed positions, newest first.')),
  )
    .addHelpText(
      'after',
      operationHelp(['futures closed-orders --config config/sandbox.yaml'], ['closedPositionOrders']),
    )
    .action(
      action(io, async (symbol: string | undefined, options: PeriodOptions) => {
        const filter = filterOf(symbol, options);
        return withExchange(io, options, 'key', async ({ exchange }) =>
          listing({
            command: 'futures closed-orders',
            what: 'orders of positions',
            reading: await exchange.futures.closedPositionOrders(filter),
            text: (items) => ordersText(items, true),
          }),
        );
      }),
    );
}
