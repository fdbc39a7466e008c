/** `tidewire futures …`: perpetuals by hand (interface, "Futures trading"). Changes show a plan and ask. */
import { Command } from 'commander';
import type { BuildCommand } from '../command.ts';
import { buildClose } from './futures/close.ts';
import { buildClosedOrders, buildOrders, buildTrades } from './futures/history.ts';
import { buildFunding, buildInstruments, buildMark, buildTiers } from './futures/market.ts';
import { buildCancel, buildOrder } from './futures/order.ts';
import { buildClosedPositions, buildPositions } from './futures/positions.ts';
import { buildLeverage, buildMarginType, buildMode } from './futures/settings.ts';

export const build: BuildCommand = (io) => {
  const futures = new Command('futures').description('See and change perpetual positions, their orders and settings.');
  const commands = [
    buildInstruments(io),
    buildTiers(io),
    buildFunding(io),
    buildMark(io),
    buildPositions(io),
    buildOrder(io),
    buildCancel(io),
    buildClose(io),
    buildLeverage(io),
    buildMarginType(io),
    buildMode(io),
    buildOrders(io),
    buildClosedPositions(io),
    buildClosedOrders(io),
    buildTrades(io),
  ];
  for (const command of commands) futures.addCommand(command);
  return futures.addHelpText('after', '\nExample:\n  npx tidewire futures positions --config config/sandbox.yaml');
};
