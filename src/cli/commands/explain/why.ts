/** `tidewire why ORDER`: the causal chain of one order. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { action, type BuildCommand } from '../../command.ts';
import { configParts } from '../../config-option.ts';
import { deniedText, whyText } from '../../../operations/why/order-text.ts';
import { programText } from '../../../operations/why/program-text.ts';
import { whyOrder } from '../../../operations/why/why-order.ts';

interface Options {
  readonly session?: string;
  readonly config?: string;
}

export const build: BuildCommand = (io) =>
  new Command('why')
    .description('Explain an order or a program: market, decision, risk, journal, frames and fills, step by step.')
    .argument('<order>', 'ref of the order or program (or tag/ref), intent id, or id of the exchange')
    .option('--session <session>', 'id or folder; all sessions by default, newest first')
    .option('--config <FILE>', 'configuration file')
    .addHelpText('after', '\nExample:\n  npx tidewire why spread-maker-3 --session data/sessions/paper-spread-maker-1')
    .action(
      action(io, async (name: string, options: Options) => {
        const config = configParts(io, options.config, ['journal']);
        const root = resolve(io.cwd, config.journal.dir);
        const why = await whyOrder(root, name, options.session);
        const text = why.kind === 'order' ? whyText(why) : why.kind === 'program' ? programText(why) : deniedText(why);
        return { json: { command: 'why', ...why }, text };
      }),
    );
