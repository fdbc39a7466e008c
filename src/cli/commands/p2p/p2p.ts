/**
 * `tidewire p2p …`: crypto for fiat between users (interface, "P2P"). The maker advertises, the taker responds; the
 * seller's crypto is in escrow meanwhile.
 */
import { Command } from 'commander';
import type { BuildCommand } from '../../command.ts';
import { buildAd, buildAds, buildMyAds } from './ads.ts';
import { buildActivate, buildDeactivate, buildDelete } from './ad-state.ts';
import { buildCreate } from './create.ts';
import { buildEdit } from './edit.ts';
import { buildMarkets, buildMethods, buildProfile } from './pairs.ts';
import { buildRespond } from './respond.ts';
import { buildSay } from './say.ts';
import { tradeMoves } from './trade-moves.ts';
import { buildTrade, buildTrades } from './trades.ts';
import { buildWatch } from './watch.ts';

export const build: BuildCommand = (io) => {
  const p2p = new Command('p2p').description('Trade crypto for fiat with other users.');
  const commands = [
    buildMarkets(io),
    buildMethods(io),
    buildProfile(io),
    buildAds(io),
    buildMyAds(io),
    buildAd(io),
    buildCreate(io),
    buildEdit(io),
    buildActivate(io),
    buildDeactivate(io),
    buildDelete(io),
    buildRespond(io),
    buildTrades(io),
    buildTrade(io),
    ...tradeMoves(io),
    buildSay(io),
    buildWatch(io),
  ];
  for (const command of commands) p2p.addCommand(command);
  return p2p.addHelpText('after', '\nExample:\n  npx tidewire p2p ads --market USDTRUB --config config/sandbox.yaml');
};
