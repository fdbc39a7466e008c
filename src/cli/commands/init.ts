/** `init DIR [--template T]`: a project to start from in an empty folder. */
import { readdirSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { Command } from 'commander';
import { templateFiles, templateNamed } from '../../strategy/loading/template-files.ts';
import { action, type BuildCommand, type CommandResult } from '../command.ts';
import { cliErrors } from '../errors.ts';
import { nextCommands, TEMPLATES_HELP, writeNewFiles } from '../new-files.ts';
import { projectFiles } from '../project-files.ts';

interface Options {
  readonly template: string;
}

/** As `git init` leaves it. */
const ALLOWED: ReadonlySet<string> = new Set(['.git']);
const SHOWN = 3;

/** As one word of a shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/** Throws `project_not_empty`. */
function requireEmpty(folder: string): void {
  let names: readonly string[];
  try {
    names = readdirSync(folder).filter((name) => !ALLOWED.has(name));
  } catch (thrown) {
    const { code } = thrown as { readonly code?: unknown };
    if (code === 'ENOENT') return;
    const why = code === 'ENOTDIR' ? 'is no folder' : `cannot be read (${String(code)})`;
    throw cliErrors.make('project_not_empty', `${folder} ${why}`, { folder }, thrown);
  }
  if (names.length === 0) return;
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  throw cliErrors.make(
    'project_not_empty',
    `${folder} is not empty: it has ${names.slice(0, SHOWN).join(', ')}${more}; nothing was written`,
    { folder },
  );
}

export const build: BuildCommand = (io) =>
  new Command('init')
    .description('Write a project to start from: strategy, test, configuration, README.')
    .argument('<dir>', 'an empty folder, or one that is not there yet')
    .option('--template <T>', 'what the strategy is', 'maker')
    .addHelpText(
      'after',
      `\nTemplates:\n${TEMPLATES_HELP}\n\nExample:\n  $ npx tidewire init my-bot\n  $ cd my-bot && npm install && npx vitest run\n`,
    )
    .action(
      action(io, async (dir: string, options: Options): Promise<CommandResult> => {
        if (dir.trim() === '') throw cliErrors.make('operation_invalid', 'DIR is empty', { option: 'DIR' });
        const template = templateNamed(options.template);
        const folder = resolve(io.cwd, dir);
        requireEmpty(folder);
        const strategy = templateFiles(template, `my-${template}`).map((file) => ({
          ...file,
          name: `strategies/${file.name}`,
        }));
        const names = strategy.map(({ name }) => name);
        const next = nextCommands(template, names, (sample) => `node_modules/tidewire/data/${sample}`);
        const written = await writeNewFiles(folder, [...projectFiles(folder, names, next), ...strategy]);
        const files = written.map((file) => relative(folder, file));
        const shown = relative(io.cwd, folder);
        const first = [...(shown === '' ? [] : [`cd ${quoted(shown)}`]), 'npm install'];
        return {
          json: { command: 'init', folder, template, files, next: [...first, ...next] },
          text: [
            `wrote ${shown === '' ? 'this folder' : shown}: ${files.join(', ')}`,
            '',
            'Next:',
            ...[...first, ...next].map((command) => `  ${command}`),
          ].join('\n'),
        };
      }),
    );
