/** `tidewire codes create|redeem|my|show`: vouchers between users (interface, "codes"). */
import { Command } from 'commander';
import type { BuildCommand } from '../../command.ts';
import { buildCreate } from './create.ts';
import { buildMy, buildShow } from './my.ts';
import { buildRedeem } from './redeem.ts';

export const build: BuildCommand = (io) =>
  new Command('codes')
    .description('Create and redeem codes: vouchers that move money between users.')
    .addCommand(buildCreate(io))
    .addCommand(buildRedeem(io))
    .addCommand(buildMy(io))
    .addCommand(buildShow(io))
    .addHelpText('after', '\nExample:\n  npx tidewire codes my --config config/sandbox.yaml');
