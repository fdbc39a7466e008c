/** `tidewire journal show|verify|export|trades|backup|restore|acknowledge|approve-build|clear-kill SESSION`. */
import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { journalErrors } from '../../../journal/errors.ts';
import {
  journalDoubt,
  type JournalDoubt,
  provedJournal,
  verifyJournal,
  type VerifyReport,
} from '../../../journal/verify.ts';
import { openJournal } from '../../../journal/sqlite-store.ts';
import { replayJournal } from '../../../journal/resume.ts';
import { entryKinds } from '../../../model/entries/entry-kinds.ts';
import type { JournalEntry, JournalRow } from '../../../model/entries/journal.ts';
import { jsonText } from '../../../model/text/json-text.ts';
import { approveBuild } from '../../../session/store/approve-build.ts';
import { dropKillFile, readKillFile } from '../../../session/emergency/kill-file.ts';
import { requireRowsLeft } from '../../../session/healing/rows-left.ts';
import { backupSession, restoreSession } from '../../../session/store/restore.ts';
import { sessionFiles } from '../../../session/store/store.ts';
import { systemClock } from '../../../session/clock/system-clock.ts';
import { action, type BuildCommand, type CliIo, type CommandResult } from '../../command.ts';
import { configParts, countOption } from '../../config-option.ts';
import { writeOutput } from '../../terminal/output-file.ts';
import { tradesCommand } from './journal-trades.ts';

const EXPORTED_AT_ONCE = 1024;

export const build: BuildCommand = (io) => {
  const journal = new Command('journal').description(
    'Show, check, export, back up or restore the journal of a session.',
  );
  journal.addHelpText(
    'after',
    '\nExample: npx tidewire journal verify data/sessions/spread-maker-1 --json\nSESSION is a directory, a journal file, or an id under `journal.dir` (data/sessions).',
  );
  journal.addCommand(buildShow(io));
  journal.addCommand(buildVerify(io));
  journal.addCommand(buildExport(io));
  journal.addCommand(tradesCommand(io));
  journal.addCommand(buildBackup(io));
  journal.addCommand(buildRestore(io));
  journal.addCommand(buildAcknowledge(io));
  journal.addCommand(buildApproveBuild(io));
  journal.addCommand(buildClearKill(io));
  return journal;
};

/** Where session ids are looked up. */
interface PlaceOptions {
  readonly config?: string;
}

interface ReasonOptions extends PlaceOptions {
  readonly reason: string;
}

function part(name: string): Command {
  return new Command(name)
    .option('--config <FILE>', 'configuration file, for `journal.dir`')
    .option('--json', 'one JSON document');
}

interface ShowOptions extends PlaceOptions {
  readonly last: string;
  readonly kind?: string;
  readonly ref?: string;
}

function buildShow(io: CliIo): Command {
  return part('show')
    .description('the last rows of a journal, or those of one kind or order')
    .argument('<session>', 'directory, journal file or session id')
    .option('--last <n>', 'rows from the end', '50')
    .addOption(new Option('--kind <kind>', 'only rows of this kind').choices(entryKinds))
    .option('--ref <ref>', 'only rows of the order with this ref')
    .addHelpText('after', '\nExample: npx tidewire journal show data/sessions/spread-maker-1 --kind fill')
    .action(
      action(io, async (session: string, options: ShowOptions) => {
        const count = countOption('last', options.last);
        const place = sessionPlace(io, session, options);
        lostRows(io, place);
        const { kind, ref } = options;
        const isOfKind = (body: string): boolean => body.includes(`"kind":"${kind}"`);
        const read = provedJournal(place, kind === undefined || ref !== undefined ? undefined : isOfKind);
        const rows = lastRows(selected(read, options), count);
        return { json: { rows }, text: rows.map(lineOf).join('\n') };
      }),
    );
}

function buildVerify(io: CliIo): Command {
  return part('verify')
    .argument('<session>', 'directory, journal file or session id')
    .description('check the hash chain and rebuild the state')
    .addHelpText('after', '\nExample:\n  npx tidewire journal verify data/sessions/paper-spread-maker-1 --json')
    .action(
      action(io, async (session: string, options: PlaceOptions) => {
        const place = sessionPlace(io, session, options);
        const report = verifyJournal(place);
        return verifyResult(report, report.ok ? journalDoubt(place) : null);
      }),
    );
}

function buildExport(io: CliIo): Command {
  return part('export')
    .argument('<session>', 'directory, journal file or session id')
    .description('all rows as JSON lines')
    .option('--out <file>', 'write to this file instead of stdout')
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire journal export data/sessions/paper-spread-maker-1 --out journal.jsonl',
    )
    .action(action(io, async (session: string, options: ExportOptions) => exportRows(io, session, options)));
}

interface ExportOptions extends PlaceOptions {
  readonly out?: string;
  readonly json?: boolean;
}

/** What a journal has lost, also said on stderr. A copy of what is left is made all the same. */
function lostRows(io: CliIo, place: string): JournalDoubt | null {
  const doubt = journalDoubt(place);
  if (doubt?.kind !== 'rewound') return null;
  io.err(`warn journal_rewound: ${doubt.message}\n`);
  return doubt;
}

function withDoubt(result: CommandResult, doubt: JournalDoubt | null): CommandResult {
  if (doubt === null) return result;
  const json =
    typeof result.json === 'object' && result.json !== null
      ? { ...result.json, ok: false, doubt: doubt.message }
      : null;
  return { ...result, json, exit: journalErrors.rows.journal_rewound.exit };
}

function exportRows(io: CliIo, session: string, options: ExportOptions): CommandResult {
  const place = sessionPlace(io, session, options);
  const doubt = lostRows(io, place);
  const rows = provedJournal(place);
  // Read all first: a blocked pipe must not keep the journal open.
  if (options.out === undefined && options.json === true)
    return withDoubt({ json: { rows: [...rows] }, text: '' }, doubt);
  if (options.out === undefined) {
    const read = [...linesOf(rows)];
    for (const lines of read) io.out(lines);
    return withDoubt({ json: null, text: '' }, doubt);
  }
  const file = resolve(io.cwd, options.out);
  if (existsSync(file)) throw journalErrors.make('journal_exists', `${file} exists already`, { path: file });
  const counted = { rows: 0 };
  writeOutput(file, linesOf(rows, counted), 0o600);
  return withDoubt({ json: { file, rows: counted.rows }, text: `${counted.rows} rows written to ${file}` }, doubt);
}

/** JSON lines in pieces: a long journal exceeds the longest string. */
function* linesOf(rows: Iterable<JournalRow>, counted = { rows: 0 }): Generator<string> {
  let lines: string[] = [];
  for (const row of rows) {
    lines.push(`${jsonText(row)}\n`);
    counted.rows++;
    if (lines.length < EXPORTED_AT_ONCE) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}

function buildBackup(io: CliIo): Command {
  return part('backup')
    .argument('<session>', 'directory, journal file or session id')
    .argument('<file>', 'new file for the copy')
    .description('copy a journal, also while it is in use, and verify the copy')
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire journal backup data/sessions/paper-spread-maker-1 backups/journal.db',
    )
    .action(
      action(io, async (session: string, file: string, options: PlaceOptions) => {
        const target = resolve(io.cwd, file);
        let isInterrupted = false;
        void io.interrupted.then(() => (isInterrupted = true));
        const place = sessionPlace(io, session, options);
        const report = await backupSession(place, target, () => {
          if (isInterrupted) throw journalErrors.make('backup_interrupted', `${target} was not written`, { target });
        });
        const { rows, stateHash } = report;
        const copied = {
          json: { ok: true, file: target, rows, stateHash },
          text: `${rows} rows copied to ${target} and verified`,
        };
        return withDoubt(copied, lostRows(io, place));
      }),
    );
}

function buildRestore(io: CliIo): Command {
  return part('restore')
    .argument('<file>', 'a backup')
    .argument('<session>', 'new session directory or id')
    .description('make a session from a backup; it takes no new risk until `journal acknowledge`')
    .addHelpText('after', '\nExample:\n  npx tidewire journal restore backups/journal.db data/sessions/restored')
    .action(
      action(io, async (file: string, session: string, options: PlaceOptions) => {
        const dir = sessionDir(io, session, options);
        const { report, record, beside } = await restoreSession(resolve(io.cwd, file), dir, systemClock.now());
        for (const other of beside)
          io.err(`warn ${other} is the same session: move one of the two folders away before a start\n`);
        const next =
          record === null
            ? 'The backup holds no record of its session, so it can be read but not run.'
            : 'Every order of this session is taken as ours, and no new risk is taken, until you acknowledge it: look with `tidewire plan`, heal with `tidewire reconcile`, then `tidewire journal acknowledge`.';
        const { rows, stateHash } = report;
        return {
          json: { ok: true, dir, rows, stateHash, session: record?.id ?? null },
          text: `${rows} rows restored to ${dir}. ${next}`,
        };
      }),
    );
}

function buildAcknowledge(io: CliIo): Command {
  return part('acknowledge')
    .argument('<session>', 'session directory or id')
    .description('say that a restored session was compared with the exchange, so that it may take risk again')
    .requiredOption('--reason <text>', 'what you checked; kept in the journal')
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire journal acknowledge data/sessions/restored --reason "plan shows nothing left to do"',
    )
    .action(
      action(io, async (session: string, options: ReasonOptions) => {
        const dir = sessionDir(io, session, options);
        const { restored } = replayJournal(dir).state;
        if (restored === undefined)
          throw journalErrors.make('journal_not_restored', `${dir} has no restore to acknowledge`, { path: dir });
        requireRowsLeft(dir);
        appendTo(dir, { kind: 'restored', event: 'acknowledged', reason: options.reason });
        return { json: { ok: true, dir, restoredFrom: restored.since }, text: `${dir} may take new risk again` };
      }),
    );
}

function buildApproveBuild(io: CliIo): Command {
  return part('approve-build')
    .argument('<session>', 'session directory or id')
    .description('let this build of tidewire continue a live session that another build has left unfinished')
    .requiredOption('--reason <text>', 'why the build was changed; kept in the journal')
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire journal approve-build data/sessions/live-maker-1 --reason "update to 0.2, notes read"',
    )
    .action(
      action(io, async (session: string, options: ReasonOptions) => {
        const dir = sessionDir(io, session, options);
        const { last, now } = approveBuild(dir, options.reason, systemClock.now());
        return { json: { ok: true, dir, last, now }, text: `${now} may continue ${dir}, which ${last} has left` };
      }),
    );
}

function buildClearKill(io: CliIo): Command {
  return part('clear-kill')
    .argument('<session>', 'session directory or id')
    .description('open the kill switch of a stopped session again')
    .requiredOption('--reason <text>', 'why trading is safe again; kept in the journal')
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire journal clear-kill data/sessions/paper-spread-maker-1 --reason "the feed is back"',
    )
    .action(
      action(io, async (session: string, options: ReasonOptions) => {
        const dir = sessionDir(io, session, options);
        const file = join(dir, sessionFiles.kill);
        const unheeded = readKillFile(file);
        const ended = killedPrograms(dir, unheeded !== null);
        appendTo(dir, ...(unheeded === null ? [] : [{ kind: 'kill', on: true, reason: unheeded } as const]), ...ended, {
          kind: 'kill',
          on: false,
          reason: options.reason,
        });
        // Or the next start would latch again.
        if (unheeded !== null) dropKillFile(file);
        const programs = ended.map(({ strategy, ref }) => ({ strategy, ref }));
        const refs = programs.map(({ ref }) => ref).join(', ');
        return {
          json: { ok: true, dir, programs },
          text: `the kill switch of ${dir} is off${programs.length === 0 ? '' : `; ended by it: ${refs}`}`,
        };
      }),
    );
}

/** A kill ends the programs. One that no process has heeded is carried out here, or the next start would go on with them. */
function killedPrograms(dir: string, isUnheeded: boolean) {
  const { state } = replayJournal(dir);
  if (!isUnheeded && state.killReason === undefined) return [];
  return [...state.programs.working].map(
    ({ strategy, ref }) =>
      ({ kind: 'program', event: 'end', strategy, ref, state: 'canceled', reason: 'killed' }) as const,
  );
}

/** At the last row's time, since journal time never decreases. Throws as `provedJournal` and `openJournal` do. */
function appendTo(dir: string, ...entries: readonly JournalEntry[]): void {
  let ts = 0;
  for (const row of provedJournal(dir)) ({ ts } = row);
  const journal = openJournal(dir);
  try {
    journal.append(ts, entries);
  } finally {
    journal.close();
  }
}

/** An existing place: as given, or below `journal.dir`. */
function sessionPlace(io: CliIo, session: string, options: PlaceOptions): string {
  const place = resolve(io.cwd, session);
  if (existsSync(place)) return place;
  const byId = sessionOf(io, session, options);
  return existsSync(byId) ? byId : place;
}

/** A bare name is an id. */
function sessionDir(io: CliIo, session: string, options: PlaceOptions): string {
  const isPlace = isAbsolute(session) || session.includes('/') || existsSync(resolve(io.cwd, session));
  return isPlace ? resolve(io.cwd, session) : sessionOf(io, session, options);
}

function sessionOf(io: CliIo, id: string, { config: file }: PlaceOptions): string {
  const config = configParts(io, file, ['journal']);
  return resolve(io.cwd, config.journal.dir, id);
}

function* selected(rows: Iterable<JournalRow>, options: ShowOptions): Generator<JournalRow> {
  const intents = new Set<string>();
  for (const row of rows) {
    const { entry } = row;
    if (options.ref !== undefined) {
      if (entry.kind === 'intent' && entry.command === 'create' && entry.ref === options.ref)
        intents.add(entry.intentId);
      if (entry.kind === 'intent' && entry.command === 'cancel' && entry.targets.some((target) => intents.has(target)))
        intents.add(entry.intentId);
      if (!('intentId' in entry) || !intents.has(entry.intentId)) continue;
    }
    if (options.kind === undefined || entry.kind === options.kind) yield row;
  }
}

function lastRows(rows: Iterable<JournalRow>, count: number): readonly JournalRow[] {
  const kept: JournalRow[] = [];
  for (const row of rows) {
    kept.push(row);
    if (kept.length > count) kept.shift();
  }
  return kept;
}

function lineOf({ seq, ts, entry }: JournalRow): string {
  const { kind, ...rest } = entry;
  return `${String(seq).padStart(7)}  ${new Date(ts).toISOString()}  ${kind.padEnd(10)} ${JSON.stringify(rest)}`;
}

function verifyResult(report: VerifyReport, doubt: JournalDoubt | null): CommandResult {
  const { ok, rows, brokenAt, stateHash, problem } = report;
  const json = { ok, rows, brokenAt, stateHash };
  if (doubt?.kind === 'rewound') return rewoundResult(report, doubt);
  const text = `ok: ${rows} rows, state ${stateHash ?? ''}`;
  if (doubt !== null)
    return {
      json: { ...json, doubt: doubt.message },
      text: `${text}\nwhether rows are lost is not known: ${doubt.message}`,
    };
  if (ok) return { json, text };
  return { json: { ...json, problem }, text: `broken at row ${brokenAt ?? 0}: ${problem ?? ''}`, exit: 5 };
}

/** The rows are valid, but some are missing. */
function rewoundResult({ rows, stateHash }: VerifyReport, doubt: JournalDoubt & { kind: 'rewound' }): CommandResult {
  const { message, brokenAt } = doubt;
  const { remedy } = journalErrors.rows.journal_rewound;
  return {
    json: { ok: false, rows, brokenAt, stateHash, problem: message, code: 'journal_rewound' },
    text: `journal_rewound: ${message}\n${remedy}`,
    exit: journalErrors.rows.journal_rewound.exit,
  };
}
