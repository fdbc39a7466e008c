/**
 * `tidewire fiat list|draft|submit|create|delete`: fiat through the cashier (interface, "Fiat application").
 *
 *   draft ─▶ created ─ submit ─▶ submitted ─▶ processing ─▶ completed, rejected, failed      create: submitted at once
 *   created, submitted ─ delete ─▶ canceled (assumed)
 */
import { Command } from 'commander';
import type { BuildCommand } from '../../command.ts';
import { buildCreate, buildDraft } from './apply.ts';
import { buildList } from './list.ts';
import { buildDelete, buildSubmit } from './move.ts';

export const build: BuildCommand = (io) =>
  new Command('fiat')
    .description('Deposit and withdraw fiat through the cashier.')
    .addCommand(buildList(io))
    .addCommand(buildDraft(io))
    .addCommand(buildSubmit(io))
    .addCommand(buildCreate(io))
    .addCommand(buildDelete(io))
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire fiat create withdrawal RUB 5000 --method sbp --config config/sandbox.yaml',
    );
