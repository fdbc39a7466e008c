/** `new NAME [--candle]`: writes and checks strategies/NAME.ts. */
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { makeFolder } from '../../journal/make-folder.ts';
import { messageOf } from '../../model/errors.ts';
import { strategyErrors } from '../../strategy/errors.ts';
import { strategyTemplate } from '../../strategy/template.ts';
import { problemText, typecheckStrategy, type TypecheckResult } from '../../strategy/typecheck.ts';
import { action, type BuildCommand, type CommandResult } from '../command.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$/;

export const build: BuildCommand = (io) =>
  new Command('new')
    .description('write a strategy file to start from')
    .argument('<name>', 'letters, digits, - and _; the file becomes strategies/NAME.ts')
    .option('--candle', 'a strategy of candles, without RxJS')
    .addHelpText(
      'after',
      '\nExample:\n  $ npx tidewire new my-maker\n  $ npx tidewire paper strategies/my-maker.ts --for 30s\n',
    )
    .action(
      action(io, async (name: string, options: { readonly candle?: boolean }): Promise<CommandResult> => {
        const plain = name.replace(/\.ts$/, '');
        if (!NAME.test(plain)) {
          throw strategyErrors.make('strategy_name_invalid', `'${name}' cannot be the name of a strategy`, { name });
        }
        const shown = join('strategies', `${plain}.ts`);
        const file = resolve(io.cwd, shown);
        await writeNew(io.cwd, file, strategyTemplate(plain, options.candle === true ? 'candle' : 'stream'));
        const check = await typecheckStrategy(file);
        return { json: { command: 'new', strategy: plain, file, typecheck: check }, text: nextSteps(shown, check) };
      }),
    );

/** `wx`: never overwrites a file, even in a race. */
async function writeNew(cwd: string, file: string, source: string): Promise<void> {
  try {
    makeFolder(resolve(cwd, 'strategies'));
    await writeFile(file, source, { flag: 'wx' });
  } catch (thrown) {
    const exists = (thrown as { readonly code?: unknown } | null)?.code === 'EEXIST';
    if (exists) throw strategyErrors.make('strategy_exists', `${file} is there already and was not changed`, { file });
    // Remove the partial file that `wx` made.
    await rm(file, { force: true }).catch(() => undefined);
    throw strategyErrors.make(
      'strategy_unwritable',
      `${file} cannot be written: ${messageOf(thrown)}`,
      { file },
      thrown,
    );
  }
}

function checkText(check: TypecheckResult): string {
  if (check.kind !== 'checked') return check.reason;
  return check.problems.length === 0 ? 'it type-checks' : check.problems.map(problemText).join('\n');
}

function nextSteps(shown: string, check: TypecheckResult): string {
  return [
    `wrote ${shown} (${checkText(check)})`,
    '',
    'Next:',
    `  npx tidewire paper ${shown} --for 30s`,
    `  npx tidewire backtest ${shown} --data data/sample --without-lockbox`,
  ].join('\n');
}
