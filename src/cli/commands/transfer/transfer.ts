/** `tidewire transfer routes|make` (interface, "Transfers"). */
import { Command } from 'commander';
import type { BuildCommand } from '../../command.ts';
import { buildMake } from './make.ts';
import { buildRoutes } from './routes.ts';

export const build: BuildCommand = (io) =>
  new Command('transfer')
    .description('Move money between your own accounts.')
    .addCommand(buildRoutes(io))
    .addCommand(buildMake(io))
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire transfer make funding unified-trading USDT 100 --config config/sandbox.yaml',
    );
