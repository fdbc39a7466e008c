/**
 * `tidewire overdraft me|loan|fee|documents|pay` (interface, "Overdrafts"). Borrowing is a transfer (assumed):
 * `tidewire transfer make overdraft unified-trading USDT 100`.
 */
import { Command } from 'commander';
import type { BuildCommand } from '../../command.ts';
import { buildPay } from './pay.ts';
import { buildDocuments, buildFee, buildLoan, buildMe } from './read.ts';

export const build: BuildCommand = (io) =>
  new Command('overdraft')
    .description('See and repay what is borrowed. To borrow, transfer out of the account overdraft.')
    .addCommand(buildMe(io))
    .addCommand(buildLoan(io))
    .addCommand(buildFee(io))
    .addCommand(buildDocuments(io))
    .addCommand(buildPay(io))
    .addHelpText('after', '\nExample:\n  npx tidewire overdraft loan --config config/sandbox.yaml');
