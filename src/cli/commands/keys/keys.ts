/** `tidewire keys create|list|delete|status|store` (docs/keys.md). */
import { Command } from 'commander';
import type { BuildCommand } from '../../command.ts';
import { buildCreate } from './create.ts';
import { buildDelete, buildList } from './list.ts';
import { buildStatus } from './status.ts';
import { buildStore } from './store.ts';

export const build: BuildCommand = (io) =>
  new Command('keys')
    .description('Create, store, list and delete API keys, and see how long one lives.')
    .addCommand(buildCreate(io))
    .addCommand(buildList(io))
    .addCommand(buildDelete(io))
    .addCommand(buildStatus(io))
    .addCommand(buildStore(io))
    .addHelpText('after', '\nExample:\n  npx tidewire keys status --config config/sandbox.yaml');
