/** `tidewire account overview|transactions|fees|referral|me|assets|networks` (interface, "Account"). Reads only. */
import { Command } from 'commander';
import type { BuildCommand } from '../../command.ts';
import { buildAssets } from './dictionaries.ts';
import { buildOverview } from './overview.ts';
import { buildFees, buildMe, buildReferral } from './personal.ts';
import { buildTransactions } from './transactions.ts';
import { buildNetworks } from '../wallet/networks.ts';

export const build: BuildCommand = (io) =>
  new Command('account')
    .description('See balances, transactions, fees and the dictionaries of the exchange.')
    .addCommand(buildOverview(io))
    .addCommand(buildTransactions(io))
    .addCommand(buildFees(io))
    .addCommand(buildReferral(io))
    .addCommand(buildMe(io))
    .addCommand(buildAssets(io))
    .addCommand(buildNetworks(io, 'account'))
    .addHelpText('after', '\nExample:\n  npx tidewire account overview --config config/sandbox.yaml');
