/** `tidewire wallet …` (interface, "crypto"). */
import { Command } from 'commander';
import type { BuildCommand } from '../../command.ts';
import { buildAddresses, buildNewAddress } from './addresses.ts';
import { buildBook } from './book.ts';
import { buildCancel } from './cancel.ts';
import { buildHistory } from './history.ts';
import { buildCurrencies, buildNetworks } from './networks.ts';
import { buildWithdraw } from './withdraw.ts';

export const build: BuildCommand = (io) =>
  new Command('wallet')
    .description('Deposit addresses, withdrawals, and the addresses that they may go to.')
    .addCommand(buildAddresses(io))
    .addCommand(buildNewAddress(io))
    .addCommand(buildNetworks(io, 'wallet'))
    .addCommand(buildCurrencies(io))
    .addCommand(buildBook(io))
    .addCommand(buildWithdraw(io))
    .addCommand(buildCancel(io))
    .addCommand(buildHistory(io))
    .addHelpText('after', '\nExample:\n  npx tidewire wallet history --config config/sandbox.yaml');
