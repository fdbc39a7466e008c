/** `tidewire why ORDER`: the causal chain of one order, program or movement of money. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { action, type BuildCommand } from '../../command.ts';
import { configParts } from '../../config-option.ts';
import { whyOrder } from '../../../operations/why/why-order.ts';
import { whyText } from '../../../operations/why/why-text.ts';

interface Options {
  readonly session?: string;
  readonly config?: string;
}

export const build: BuildCommand = (io) =>
  new Command('why')
    .description(
      'Explain an order, a program or a transfer: market, decision, risk, journal, frames and fills, step by step.',
    )
    .argument('<order>', 'ref of the order, program or transfer (or tag/ref), intent id, or id of the exchange')
    .option('--session <session>', 'id or folder; all sessions by default, newest first')
    .option('--config <FILE>', 'configuration file')
    .addHelpText('after', '\nExample:\n  npx tidewire why spread-maker-3 --session data/sessions/paper-spread-maker-1')
    .action(
      action(io, async (name: string, options: Options) => {
        const config = configParts(io, options.config, ['journal']);
        const root = resolve(io.cwd, config.journal.dir);
        const why = await whyOrder(root, name, options.session);
        return { json: { command: 'why', ...why }, text: whyText(why) };
      }),
    );
