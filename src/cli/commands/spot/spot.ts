/** `tidewire spot …`: spot markets and orders by hand (interface, "Spot trading"). Changes show a plan and ask. */
import { Command } from 'commander';
import type { BuildCommand } from '../../command.ts';
import { buildCancel } from '../../orders/cancel.ts';
import { buildOrders, buildTrades } from '../../orders/list.ts';
import { spotMarket } from '../../orders/market.ts';
import { buildBook, buildCandles, buildInstruments, buildTicker, buildTime } from './market.ts';
import { buildOrder } from './order.ts';

export const build: BuildCommand = (io) => {
  const spot = new Command('spot').description('See spot markets, own orders and trades; send and cancel orders.');
  const commands = [
    buildInstruments(io),
    buildTicker(io),
    buildBook(io),
    buildCandles(io),
    buildTime(io),
    buildOrder(io),
    buildCancel(io, spotMarket),
    buildOrders(io, spotMarket),
    buildTrades(io, spotMarket),
  ];
  for (const command of commands) spot.addCommand(command);
  return spot.addHelpText('after', '\nExample:\n  npx tidewire spot ticker --config config/sandbox.yaml');
};
