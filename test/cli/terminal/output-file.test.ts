/** What a command writes replaces an earlier file whole or not at all. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeOutput } from '../../../src/cli/terminal/output-file.ts';

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'tidewire-output-'));
}

test('a file is made, with its folder, and replaced', () => {
  const at = folder();
  const path = join(at, 'deep', 'result.json');
  writeOutput(path, 'one');
  writeOutput(path, 'two', 0o600);
  expect(readFileSync(path, 'utf8')).toBe('two');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(at, 'deep'))).toEqual(['result.json']);
});

test('what a link points to is replaced, and the link stays', () => {
  const at = folder();
  writeFileSync(join(at, 'real.json'), 'one');
  symlinkSync('real.json', join(at, 'link.json'));
  writeOutput(join(at, 'link.json'), 'two');
  expect(readFileSync(join(at, 'real.json'), 'utf8')).toBe('two');
  expect(readdirSync(at).toSorted()).toEqual(['link.json', 'real.json']);
});

test.runIf(existsSync('/dev/stdout'))('a pipe is written to as it is', () => {
  const module = new URL('../../../src/cli/terminal/output-file.ts', import.meta.url).href;
  const write = `const { writeOutput } = await import(process.argv[1]); writeOutput('/dev/stdout', ['one ', 'two']);`;
  const command = `"$0" -e "$1" "$2" | cat`;
  const ended = spawnSync('sh', ['-c', command, process.execPath, write, module], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect(ended).toMatchObject({ status: 0, stdout: 'one two', stderr: '' });
});

test.runIf(existsSync('/proc/self'))(
  'a folder in which nothing can be made is said at once, where Node would look for it for ever',
  () => {
    const module = new URL('../../../src/cli/terminal/output-file.ts', import.meta.url).href;
    const write = `const { writeOutput } = await import(process.argv[1]);
      try { writeOutput(process.argv[2], 'x'); } catch (error) { console.log(error.code, error.message); }`;
    const path = '/proc/nowhere/deep/result.json';
    const ended = spawnSync(process.execPath, ['-e', write, module, path], { encoding: 'utf8', timeout: 20_000 });
    expect(ended.signal).toBeNull();
    expect(ended.stdout).toContain(`not_writable cannot write ${path}: ENOENT`);
  },
);

test('what cannot be written leaves the earlier file as it was', () => {
  const at = folder();
  const path = join(at, 'result.json');
  writeFileSync(path, 'one');
  mkdirSync(`${path}.partial`);
  expect(() => writeOutput(path, 'two')).toThrow(expect.objectContaining({ code: 'not_writable' }));
  expect(readFileSync(path, 'utf8')).toBe('one');
});

test('a full disk and a death in the middle leave the earlier file as it was, and the next one is whole', () => {
  const at = folder();
  const path = join(at, 'result.json');
  writeFileSync(path, 'one');
  const module = new URL('../../../src/cli/terminal/output-file.ts', import.meta.url).href;
  const write = `const { writeOutput } = await import(process.argv[1]); writeOutput(process.argv[2], 'x'.repeat(1e6));`;
  const dying = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    fs.renameSync = () => process.kill(process.pid, 'SIGKILL');
    syncBuiltinESMExports();
    ${write}`;
  // No file may be larger than some kilobytes: what a full disk looks like to the writer.
  const full = spawnSync('sh', ['-c', 'ulimit -f 16; exec "$@"', 'sh', process.execPath, '-e', write, module, path], {
    encoding: 'utf8',
  });
  expect(full.stderr).toContain('EFBIG');
  expect(readdirSync(at)).toEqual(['result.json']);
  const dead = spawnSync(process.execPath, ['--input-type=module', '-e', dying, module, path]);
  expect(dead.signal).toBe('SIGKILL');
  expect(readFileSync(path, 'utf8')).toBe('one');
  expect(readdirSync(at)).toEqual(['result.json', 'result.json.partial']);
  writeOutput(path, 'two', 0o600);
  expect(readFileSync(path, 'utf8')).toBe('two');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(at)).toEqual(['result.json']);
});

test('a folder is no file to write', () => {
  const at = folder();
  expect(() => writeOutput(at, 'two')).toThrow(expect.objectContaining({ code: 'not_writable' }));
});

test('a pipe is written to, not replaced', () => {
  const at = folder();
  const pipe = join(at, 'pipe');
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  const module = new URL('../../../src/cli/terminal/output-file.ts', import.meta.url).href;
  const code = `const { writeOutput } = await import(${JSON.stringify(module)}); writeOutput(${JSON.stringify(pipe)}, 'through');`;
  const shell = '"$0" --input-type=module -e "$1" & cat "$2"; wait';
  expect(execFileSync('sh', ['-c', shell, process.execPath, code, pipe], { encoding: 'utf8' })).toBe('through');
  expect(statSync(pipe).isFIFO()).toBe(true);
});
