/** The session's log stays bounded and never costs more than its own lines (P13). */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openJournal } from '../../../src/journal/sqlite-store.ts';
import { verifyJournal } from '../../../src/journal/verify.ts';
import { logFiles, openLogFile } from '../../../src/session/store/log-file.ts';
import { createLogger } from '../../../src/session/store/logger.ts';

const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'tidewire-log-'));
  dirs.push(dir);
  return dir;
}

describe('the log of a session', () => {
  it('keeps its newest lines in so many files of so many bytes, for their owner alone', () => {
    const dir = tempDir();
    const path = join(dir, 'session.log');
    const limits = { bytesMax: 1_000, kept: 2 };
    const log = openLogFile(path, limits, () => {});
    const line = (number: number): string => `${String(number).padStart(99, '0')}\n`;
    for (let number = 0; number < 200; number++) log.write(line(number));
    expect(readdirSync(dir).sort()).toEqual(['session.log', 'session.log.1', 'session.log.2']);
    const files = logFiles(path, limits);
    for (const file of files) {
      expect(statSync(file).size).toBeLessThanOrEqual(limits.bytesMax);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
    const kept = files.flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n').map(Number));
    expect(kept).toEqual(Array.from({ length: 30 }, (_, index) => 170 + index));
  });

  it('goes on where an earlier process left it', () => {
    const path = join(tempDir(), 'session.log');
    const limits = { bytesMax: 10, kept: 1 };
    openLogFile(path, limits, () => {}).write('12345678\n');
    openLogFile(path, limits, () => {}).write('abc\n');
    expect(logFiles(path, limits).map((file) => readFileSync(file, 'utf8'))).toEqual(['12345678\n', 'abc\n']);
  });

  it('that cannot be written is said once, and the journal beside it keeps every row', () => {
    const dir = tempDir();
    const path = join(dir, 'session.log');
    // What stands in the way of turning over takes the log away for good, as a full disk does.
    mkdirSync(join(dir, 'session.log.1', 'in the way'), { recursive: true });
    const said: string[] = [];
    const log = openLogFile(path, { bytesMax: 100, kept: 1 }, (reason) => said.push(reason));
    const journal = openJournal(join(dir, 'session'));
    for (let row = 0; row < 20; row++) {
      log.write(`${'x'.repeat(60)}\n`);
      journal.append(row, [{ kind: 'note', strategy: 's', text: String(row) }]);
    }
    journal.close();
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('cannot be written');
    expect(verifyJournal(join(dir, 'session'))).toMatchObject({ ok: true, rows: 20 });
  });

  it('takes the lines of a logger as JSON', () => {
    const path = join(tempDir(), 'logs', 'session.log');
    const logger = createLogger({ level: 'info', file: path });
    logger.child({ strategy: 'maker' }).info({ symbol: 'BTCUSDT', secret: 'hidden' }, 'hello');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ strategy: 'maker', msg: 'hello', secret: '***' });
  });
});
