/** `tidewire futures …`: perpetuals by hand (interface, "Futures trading"). Changes show a plan and ask. */
import { Command } from 'commander';
import type { BuildCommand } from '../../command.ts';
import { buildClose } from './close.ts';
import { buildCancel } from '../../orders/cancel.ts';
import { buildOrders, buildTrades } from '../../orders/list.ts';
import { futuresMarket } from '../../orders/market.ts';
import { buildClosedOrders } from './closed-orders.ts';
import { buildFunding, buildInstruments, buildMark, buildTiers } from './market.ts';
import { buildOrder } from './order.ts';
import { buildClosedPositions, buildPositions } from './positions.ts';
import { buildLeverage, buildMarginType, buildMode } from './settings.ts';

export const build: BuildCommand = (io) => {
  const futures = new Command('futures').description('See and change perpetual positions, their orders and settings.');
  const commands = [
    buildInstruments(io),
    buildTiers(io),
    buildFunding(io),
    buildMark(io),
    buildPositions(io),
    buildOrder(io),
    buildCancel(io, futuresMarket),
    buildClose(io),
    buildLeverage(io),
    buildMarginType(io),
    buildMode(io),
    buildOrders(io, futuresMarket),
    buildClosedPositions(io),
    buildClosedOrders(io),
    buildTrades(io, futuresMarket),
  ];
  for (const command of commands) futures.addCommand(command);
  return futures.addHelpText('after', '\nExample:\n  npx tidewire futures positions --config config/sandbox.yaml');
};
