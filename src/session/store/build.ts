/** Version and hash over source and packages (X11, X12), in every start row. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readLandmarks } from '../../journal/verify.ts';
import { journalErrors } from '../../journal/errors.ts';
import type { JournalRow } from '../../model/entries/journal.ts';
import { isTidewireError } from '../../model/errors.ts';
import { sessionErrors } from '../errors.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** In an installed package what is compiled. */
const SOURCE = fileURLToPath(new URL('../..', import.meta.url));
const DIGITS = 12;

interface PackageFile {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

let known: string | undefined;

export function tidewireVersion(): string {
  return packageFile().version;
}

/** `0.1.0+3f9c0a…` */
export function buildId(): string {
  if (known !== undefined) return known;
  const { version, dependencies } = packageFile();
  const hash = createHash('sha256').update(JSON.stringify(dependencies));
  for (const file of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(isCode).toSorted())
    hash.update(`\n${file}\n`).update(readFileSync(join(SOURCE, file)));
  known = `${version}+${hash.digest('hex').slice(0, DIGITS)}`;
  return known;
}

function isCode(file: string): boolean {
  return /\.[tj]s$/.test(file) && !file.endsWith('.d.ts');
}

/** The build that last wrote the journal or was approved. Null: no start row, or no journal. */
export function lastBuild(place: string): string | null {
  let last: string | null = null;
  for (const { entry } of sessionRows(place)) {
    const build = entry.kind === 'session' ? entry.facts?.['build'] : undefined;
    if (typeof build === 'string') last = build;
  }
  return last;
}

const NO_JOURNAL: readonly string[] = ['journal_not_found', 'journal_rewound'];

function sessionRows(place: string): readonly JournalRow[] {
  try {
    return readLandmarks(place, 'session') ?? [];
  } catch (thrown) {
    if (isTidewireError(thrown) && NO_JOURNAL.includes(thrown.code)) return [];
    throw thrown;
  }
}

/** The difference in words, or null. Throws `journal_newer`. */
export function buildDoubt(last: string | null, now: string): string | null {
  if (last === null || last === now) return null;
  if (isNewer(last, now))
    throw journalErrors.make('journal_newer', `the journal was written by tidewire ${last}, this is ${now}`, {
      last,
      now,
    });
  return `the journal was last written by tidewire ${last}, this is ${now}`;
}

/** Throws `journal_newer`, `build_changed`. */
export function requireBuild(last: string | null, now: string): void {
  const doubt = buildDoubt(last, now);
  if (doubt !== null) throw sessionErrors.make('build_changed', doubt, { last, now });
}

function isNewer(one: string, other: string): boolean {
  const left = numbersOf(one);
  const right = numbersOf(other);
  for (let index = 0; index < 3; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

function numbersOf(build: string): readonly number[] {
  return (build.split(/[+-]/)[0] ?? '').split('.').map(Number);
}

function packageFile(): PackageFile {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as PackageFile;
}
