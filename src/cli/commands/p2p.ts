/**
 * `tidewire p2p …`: crypto for fiat between users (interface, "P2P"). The maker advertises, the taker responds; the
 * seller's crypto is in escrow meanwhile.
 */
import { Command } from 'commander';
import type { BuildCommand } from '../command.ts';
import { buildAd, buildAds, buildMyAds } from './p2p/ads.ts';
import { buildActivate, buildDeactivate, buildDelete } from './p2p/ad-state.ts';
import { buildCreate } from './p2p/create.ts';
import { buildEdit } from './p2p/edit.ts';
import { buildMarkets, buildMethods, buildProfile } from './p2p/pairs.ts';
import { buildRespond } from './p2p/respond.ts';
import { buildSay } from './p2p/say.ts';
import { tradeMoves } from './p2p/trade-moves.ts';
import { buildTrade, buildTrades } from './p2p/trades.ts';
import { buildWatch } from './p2p/watch.ts';

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
