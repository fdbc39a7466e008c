/**
 * A pipe as input of `data import` ended in "error internal: ESPIPE", as a bug of tidewire; and bytes behind the end of a gzip (padding, a
 * line end) lost all lines before them.
 */
import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { callCli } from '../cli/call-cli.ts';
import { freshDir, writeFixture } from '../recording/fixtures.ts';

const LINES = Array.from({ length: 20_000 }, (_, index) => {
  const price = 100 + ((index * 7919) % 1000);
  return JSON.stringify({
    ts: 1_700_000_000_000 + index,
    symbol: 'A',
    type: 'trade',
    tradeId: `${index}`,
    price,
    quantity: 1,
    side: 'buy',
  });
});
const TEXT = Buffer.from(`${LINES.join('\n')}\n`);
const HALF = Buffer.from(`${LINES.slice(0, 10_000).join('\n')}\n`);
const REST = Buffer.from(LINES.slice(10_000).join('\n'));
const PACKED = gzipSync(TEXT);

async function imported(path: string, more: readonly string[] = []) {
  const args = ['data', 'import', '--from', 'jsonl', path, '--out', join(freshDir(), 'out'), '--json', ...more];
  const { code, stdout, stderr } = await callCli(args, freshDir());
  const json = code === 0 ? (JSON.parse(stdout) as { frames: number; problems: string[] }) : null;
  return { code, frames: json?.frames, problems: json?.problems, stderr };
}

/** What another process writes into it. */
function pipeOf(content: Uint8Array): string {
  const path = join(freshDir(), 'pipe');
  execFileSync('mkfifo', [path]);
  spawn('sh', ['-c', 'cat "$0" > "$1"', writeFixture('content', content), path], { stdio: 'ignore' });
  return path;
}

it.each([
  ['plain', TEXT],
  ['packed', PACKED],
])('data/import/reads-a-pipe, %s', async (_, content) => {
  expect(await imported(pipeOf(content))).toMatchObject({ code: 0, frames: 20_000, problems: [] });
});

/** One file, deflated, with its directory. */
function zipOf(content: Buffer): Buffer {
  const packed = deflateRawSync(content);
  const local = Buffer.alloc(30 + 1);
  local.writeUInt32LE(0x04034b50);
  local.writeUInt16LE(1, 26);
  local.write('a', 30);
  const entry = Buffer.alloc(46 + 1);
  entry.writeUInt32LE(0x02014b50);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt16LE(1, 28);
  entry.write('a', 46);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length + packed.length, 16);
  return Buffer.concat([local, packed, entry, end]);
}

it('data/import/says-that-a-zip-and-a-folder-are-no-pipe', async () => {
  expect(await imported(writeFixture('a.zip', zipOf(TEXT)))).toMatchObject({ code: 0, frames: 20_000 });
  const zip = await imported(pipeOf(zipOf(TEXT)));
  expect(zip.code).toBe(2);
  expect(zip.stderr).toContain('a zip archive cannot be read from a pipe');
  const folder = await imported(freshDir());
  expect([folder.code, folder.stderr.includes('import_file_unreadable')]).toEqual([2, true]);
});

it.each([
  ['a line end', [PACKED, Buffer.from('\n')]],
  ['the padding of a tape', [PACKED, Buffer.alloc(100_000)]],
  ['a second member', [gzipSync(HALF), gzipSync(REST)]],
  ['a second member and padding', [gzipSync(HALF), gzipSync(REST), Buffer.alloc(512)]],
])('data/import/reads-a-gzip-with %s', async (_, parts) => {
  const file = writeFixture('x.gz', Buffer.concat(parts));
  expect(await imported(file, ['--strict'])).toMatchObject({ code: 0, frames: 20_000, problems: [] });
});

it.each([
  [
    'something else behind it',
    Buffer.concat([PACKED, Buffer.from('this is no gzip')]),
    20_000,
    'what follows its gzip data is none',
  ],
  [
    'a broken second member',
    Buffer.concat([gzipSync(HALF), gzipSync(REST).subarray(0, 12)]),
    10_000,
    'unexpected end of file',
  ],
  [
    'a second header cut',
    Buffer.concat([gzipSync(HALF), gzipSync(REST).subarray(0, 5)]),
    10_000,
    'unexpected end of file',
  ],
  ['a cut checksum', PACKED.subarray(0, -3), 20_000, 'unexpected end of file'],
  ['a wrong checksum', Buffer.concat([PACKED.subarray(0, -8), Buffer.alloc(8, 1)]), 20_000, 'incorrect data check'],
])('data/import/keeps-the-lines-of-a-gzip-with %s', async (_, content, frames, why) => {
  const file = writeFixture('x.gz', content);
  const { code, problems, ...read } = await imported(file);
  expect([code, read.frames]).toEqual([0, frames]);
  expect(problems?.join()).toContain(why);
  expect((await imported(file, ['--strict'])).code).toBe(5);
});
