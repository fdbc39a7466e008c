/** `new NAME [--template T | --candle]`: writes and checks strategies/NAME.ts; a template brings a test and a space. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { strategyErrors } from '../../strategy/errors.ts';
import { packageRoot } from '../../strategy/loading/native-import.ts';
import { strategyTemplate } from '../../strategy/loading/template.ts';
import { templateFiles, templateNamed, type TemplateName } from '../../strategy/loading/template-files.ts';
import { problemText, typecheckStrategy, type TypecheckResult } from '../../strategy/loading/typecheck.ts';
import { action, type BuildCommand, type CommandResult } from '../command.ts';
import { nextCommands, TEMPLATES_HELP, writeNewFiles } from '../new-files.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$/;

interface Options {
  readonly candle?: boolean;
  readonly template?: string;
}

export const build: BuildCommand = (io) =>
  new Command('new')
    .description('write a strategy file to start from')
    .argument('<name>', 'letters, digits, - and _; the file becomes strategies/NAME.ts')
    .addOption(new Option('--candle', 'a strategy of candles, without RxJS').conflicts('template'))
    .option('--template <T>', 'a strategy with its test and its parameter space')
    .addHelpText(
      'after',
      `\nTemplates:\n${TEMPLATES_HELP}\n\nExample:\n  $ npx tidewire new my-maker\n  $ npx tidewire new my-breakout --template bracket\n  $ npx tidewire paper strategies/my-maker.ts --for 30s\n`,
    )
    .action(
      action(io, async (name: string, options: Options): Promise<CommandResult> => {
        const plain = name.replace(/\.ts$/, '');
        if (!NAME.test(plain)) {
          throw strategyErrors.make('strategy_name_invalid', `'${name}' cannot be the name of a strategy`, { name });
        }
        const template = options.template === undefined ? null : templateNamed(options.template);
        const sources =
          template === null
            ? [{ name: `${plain}.ts`, content: strategyTemplate(plain, options.candle === true ? 'candle' : 'stream') }]
            : templateFiles(template, plain);
        const files = await writeNewFiles(resolve(io.cwd, 'strategies'), sources);
        const [file = ''] = files;
        const check = await typecheckStrategy(file);
        const more = template === null ? {} : { template, files };
        return {
          json: { command: 'new', strategy: plain, file, ...more, typecheck: check },
          text: nextSteps(io.cwd, template, files, check),
        };
      }),
    );

function checkText(check: TypecheckResult): string {
  if (check.kind !== 'checked') return check.reason;
  return check.problems.length === 0 ? 'it type-checks' : check.problems.map(problemText).join('\n');
}

/** In the folder of tidewire itself, and where it is installed. */
function samplePath(cwd: string, sample: string): string {
  const here = join('data', sample);
  return existsSync(resolve(cwd, here)) ? here : relative(cwd, join(packageRoot, here));
}

/** Packages that the files need and that are not installed. */
function missing(cwd: string, files: readonly string[]): readonly string[] {
  const needed = [
    ...(files.some((file) => file.endsWith('.test.ts')) ? ['vitest'] : []),
    ...(files.some((file) => file.endsWith('.onnx')) ? ['onnxruntime-node'] : []),
  ];
  const { resolve: find } = createRequire(join(cwd, 'package.json'));
  return needed.filter((name) => {
    try {
      find(`${name}/package.json`);
      return false;
    } catch (thrown) {
      return (thrown as { readonly code?: unknown }).code === 'MODULE_NOT_FOUND';
    }
  });
}

function nextSteps(
  cwd: string,
  template: TemplateName | null,
  files: readonly string[],
  check: TypecheckResult,
): string {
  const shown = files.map((file) => relative(cwd, file));
  const [strategy = '', ...others] = shown;
  const absent = missing(cwd, files);
  return [
    `wrote ${strategy} (${checkText(check)})`,
    ...others.map((file) => `wrote ${file}`),
    '',
    'Next:',
    ...(absent.length === 0 ? [] : [`  npm install ${absent.join(' ')}`]),
    ...nextCommands(template, shown, (sample) => samplePath(cwd, sample)).map((command) => `  ${command}`),
  ].join('\n');
}
