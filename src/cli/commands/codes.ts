/**
 * `tidewire codes create|redeem|my|show`: vouchers that move money between users of the exchange (interface, "codes").
 */
import { Command } from 'commander';
import type { BuildCommand } from '../command.ts';
import { buildMy, buildShow } from './codes/my.ts';

export const build: BuildCommand = (io) =>
  new Command('codes')
    .description('Create and redeem codes: vouchers that move money between users.')
    .addCommand(buildMy(io))
    .addCommand(buildShow(io))
    .addHelpText('after', '\nExample:\n  npx tidewire codes my --config config/sandbox.yaml');
