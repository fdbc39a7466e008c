/** `tidewire support-bundle [SESSION]`: a folder for helpers, without secrets. Reads only; sends nothing. */
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../../journal/files/files.ts';
import { Command } from 'commander';
import { action, type BuildCommand, type CliIo } from '../../command.ts';
import { configSource, countOption } from '../../config-option.ts';
import { table } from '../../terminal/table.ts';
import { isTidewireError, messageOf } from '../../../model/errors.ts';
import { checkDisk, checked, checkFsync, checkNode, type Check } from '../../../operations/doctor.ts';
import { operationErrors } from '../../../operations/errors.ts';
import { bundleOf } from '../../../operations/support/bundle.ts';
import { Hiding, secretsOf } from '../../../operations/support/hiding.ts';
import { loadConfig, type LoadedConfig } from '../../../session/config/load.ts';
import { hiddenValues, maskedConfig, shownLayers } from '../../../session/config/show.ts';
import { findSession, listSessions, type SessionFolder } from '../../../session/store/store.ts';
import { systemClock } from '../../../session/clock/system-clock.ts';
import { cannotWrite } from '../../../session/store/cannot-write.ts';

interface Options {
  readonly config?: string;
  readonly out?: string;
  readonly rows: string;
  readonly lines: string;
}

const SESSIONS = join('data', 'sessions');

/** An unloadable configuration is part of the bundle. */
function configOf(
  io: CliIo,
  file: string | undefined,
): { readonly loaded: LoadedConfig | null; readonly shown: unknown } {
  try {
    const loaded = loadConfig(configSource(io, file));
    return { loaded, shown: { file: loaded.file, values: maskedConfig(loaded), layers: shownLayers(loaded) } };
  } catch (thrown) {
    if (!isTidewireError(thrown)) throw thrown;
    return { loaded: null, shown: { problem: `${thrown.code}: ${thrown.message}` } };
  }
}

interface Found {
  readonly folder: SessionFolder | null;
  readonly sessionProblem: string | null;
}

/** The named one, else the newest; an unknown name is an error. */
function sessionOf(root: string, wanted: string | undefined): Found {
  if (wanted !== undefined) return { folder: findSession(root, wanted), sessionProblem: null };
  try {
    const [newest] = listSessions(root);
    return { folder: newest ?? null, sessionProblem: newest === undefined ? `no sessions under ${root}` : null };
  } catch (thrown) {
    return { folder: null, sessionProblem: messageOf(thrown) };
  }
}

function checksOf(root: string): Promise<readonly Check[]> {
  const hint = 'Point journal.dir to a folder that can be written.';
  return Promise.all([
    checked('node', hint, () => checkNode(process.version)),
    checked('disk', hint, () => checkDisk(root, 0)),
    checked('fsync', hint, () => checkFsync(root)),
  ]);
}

/** Readable by this user alone. Throws `disk_full`. */
function writeBundle(out: string, files: ReturnType<typeof bundleOf>): void {
  try {
    makeFolder(out, 0o700);
    for (const file of files) writeFileSync(join(out, file.name), file.text, { mode: 0o600, flag: 'wx' });
  } catch (thrown) {
    throw cannotWrite(out, thrown);
  }
}

export const build: BuildCommand = (io) =>
  new Command('support-bundle')
    .description('Gather what a helper needs to see of a session, without secrets, in a folder.')
    .argument('[session]', 'id or folder; the newest by default')
    .option('--out <DIR>', 'a folder that is not there yet')
    .option('--rows <N>', 'newest rows of the journal', '5000')
    .option('--lines <N>', 'newest lines of the log', '2000')
    .option('--config <FILE>', 'configuration file')
    .addHelpText(
      'after',
      '\nKeys, tokens, passwords and whatever looks like one are hidden; orders, amounts and the names of account and\nstrategies are in it. Look through the files before you send them; nothing is sent by this command.\n\nExample:\n  npx tidewire support-bundle live-spread-maker-1',
    )
    .action(
      action(io, async (wanted: string | undefined, options: Options) => {
        const now = systemClock.now();
        const { loaded, shown } = configOf(io, options.config);
        const root = resolve(io.cwd, loaded?.config.journal.dir ?? SESSIONS);
        const found = sessionOf(root, wanted);
        const name = `support-${found.folder?.record.id ?? 'machine'}-${Math.floor(now / 1000)}`;
        const out = resolve(io.cwd, options.out ?? name);
        if (existsSync(out)) throw operationErrors.make('bundle_exists', `${out} is there already`, { path: out });
        const hidden = loaded === null ? [] : hiddenValues(loaded);
        const hiding = new Hiding([...secretsOf(io.env), ...hidden], io.env['HOME'] ?? '');
        const rowsMax = countOption('rows', options.rows);
        const linesMax = countOption('lines', options.lines);
        const checks = await checksOf(root);
        const files = bundleOf({ ...found, config: shown, checks, env: io.env, now, rowsMax, linesMax, hiding });
        writeBundle(out, files);
        const rows = files.map((file) => ({ name: file.name, bytes: Buffer.byteLength(file.text) }));
        const session = found.folder?.record.id ?? null;
        const text = `${table(rows.map((row) => [row.name, `${row.bytes} bytes`]))}\n\n${out}\n${hiding.count} places were hidden. Look through the files before you send them.`;
        return {
          json: { command: 'support-bundle', session, folder: out, files: rows, hidden: hiding.count },
          text,
        };
      }),
    );
