/** Each line that found no new log file to open moved the older files on by one: after five of them none was left. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

// In a process of its own, with as many open files as it may have: renaming works, opening does not.
const SCRIPT = `
import { closeSync, openSync } from 'node:fs';
import { openLogFile } from ${JSON.stringify(new URL('../../src/session/store/log-file.ts', import.meta.url).href)};
const said = [];
const log = openLogFile(process.argv[1], { bytesMax: 10, kept: 3 }, (reason) => said.push(reason));
for (const word of ['one', 'two', 'three', 'four']) log.write(word.padEnd(9) + '\\n');
const taken = [];
try {
  for (;;) taken.push(openSync('/dev/null'));
} catch {}
for (let line = 0; line < 10; line++) log.write('lost line\\n');
for (const handle of taken) closeSync(handle);
log.write('five'.padEnd(9) + '\\n');
process.stdout.write(JSON.stringify(said));
`;

it('log-file/turn-over/new-file-cannot-be-opened: costs the oldest file alone', () => {
  const dir = mkdtempSync(join(tmpdir(), 'tidewire-log-'));
  try {
    const path = join(dir, 'session.log');
    const node = [process.execPath, '--input-type=module', '-e', SCRIPT, path];
    const said = execFileSync('sh', ['-c', 'ulimit -n 200; exec "$@"', 'sh', ...node], { encoding: 'utf8' });
    expect(JSON.parse(said)).toEqual([expect.stringContaining('EMFILE')]);
    const kept = ['.3', '.2', '.1', ''].map((end) => readFileSync(`${path}${end}`, 'utf8').trim());
    expect(kept).toEqual(['two', 'three', 'four', 'five']);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
