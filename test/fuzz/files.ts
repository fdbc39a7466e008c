/**
 * Everything that is read back from the disk: configuration, session record, result, key file, address book, journal, recording,
 * compiled tape, files of other sources. Laws: what is thrown is typed; what proves itself (journal, key, address book,
 * recording) is either exactly what was written or refused, never something else and never less.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isTidewireError } from '../../src/model/errors.ts';
import type { Random } from '../../src/model/ports.ts';
import type { Corpus } from './corpus.ts';
import {
  bookFile,
  journalFile,
  keyFile,
  manifestFile,
  recordingFile,
  tapeFile,
  texts,
  type StoredFile,
} from './stored-files.ts';
import { IMPORTED, readImported } from './imported-lines.ts';
import type { Findings } from './findings.ts';
import { mutateBytes } from './mutate-bytes.ts';
import { mutateText } from './mutate.ts';

/** Files of some size, and a key that takes a while to derive. */
const HEAVY_EVERY = 8;

export async function fuzzFiles(count: number, corpus: Corpus, random: Random, findings: Findings): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-fuzz-'));
  try {
    const light = [...texts(folder), bookFile()];
    const heavy = [
      journalFile(folder),
      keyFile(),
      await recordingFile(folder, corpus),
      await manifestFile(folder, corpus),
      await tapeFile(folder, corpus),
    ];
    for (let index = 0; index < count; index++) {
      const files = index % HEAVY_EVERY === 0 ? heavy : light;
      if (index % 3 === 1) fuzzImported(random, findings);
      else await fuzzFile(files[Math.floor(random.next() * files.length)], random, findings);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fuzzFile(file: StoredFile | undefined, random: Random, findings: Findings): Promise<void> {
  if (file === undefined) return;
  const { name, whole, path, read, proves } = file;
  const isText = file.isText && random.next() < 0.8;
  const bytes = isText ? Buffer.from(mutateText(whole.toString('utf8'), random)) : mutateBytes(whole, random);
  const shown = isText ? bytes.toString('utf8') : bytes.toString('base64');
  try {
    if (path !== null) writeFileSync(path, bytes);
    const found = await read(bytes.toString('utf8'));
    findings.saw(`${name} ${found === null ? 'refused' : 'read'}`);
    if (proves !== null && found !== null && !isDeepStrictEqual(found, proves))
      findings.broken(`${name}: something else was read than was written`, shown);
  } catch (thrown) {
    if (isTidewireError(thrown)) findings.saw(`${name} ${thrown.code}`);
    else
      findings.broken(
        `${name} threw ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : 'no error'}`,
        shown,
      );
  } finally {
    if (path !== null) rmSync(`${path}-wal`, { force: true });
  }
}

function fuzzImported(random: Random, findings: Findings): void {
  const source = IMPORTED[Math.floor(random.next() * IMPORTED.length)];
  if (source === undefined) return;
  const lines = source.lines.map((line) => (random.next() < 0.5 ? line : mutateText(line, random)));
  findings.holds(lines.join('\n'), () => {
    for (const kind of readImported(source, lines)) findings.saw(`${source.importer.format} ${kind}`);
  });
}
