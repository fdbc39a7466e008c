/**
 * Peak memory on a recording of 1 GB of raw frames, uncompressed: import, first backtest (which compiles the tape), second
 * backtest, as a user runs them, each in a process of its own. Takes minutes and 3 GB of temporary disk.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAIN, REAL_FILE, REAL_SYMBOL, SPREAD_MAKER } from '../recordings.ts';
import { writeLongData } from './long-data.ts';

const BYTES = 1e9;
const MEGABYTE = 1e6;

export interface Peak {
  readonly rssBytes: number;
  readonly seconds: number;
  readonly out: string;
}

/** Runs the command line in a process of its own; its largest resident size, output and time. */
export async function peakOf(folder: string, args: readonly string[], cwd = process.cwd()): Promise<Peak> {
  const file = join(folder, 'peak');
  const preload = join(import.meta.dirname, 'print-peak.ts');
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', preload, MAIN, ...args], {
    cwd,
    env: { ...process.env, BENCH_PEAK_FILE: file },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${out}`);
  return { rssBytes: Number(readFileSync(file, 'utf8')), seconds: (performance.now() - started) / 1000, out };
}

function show(name: string, { rssBytes, seconds }: Peak, note = ''): void {
  const size = `${(rssBytes / MEGABYTE).toFixed(0)} MB`;
  console.log(`  ${name.padEnd(36)} ${size.padStart(8)}   ${seconds.toFixed(0)} s${note}`);
}

export async function memoryBench(): Promise<void> {
  if (!existsSync(REAL_FILE)) {
    console.log(`\nPeak memory: ${REAL_FILE} is not there, nothing to make a long recording of`);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-bench-'));
  try {
    const file = join(folder, 'frames.txt');
    const bytes = await writeLongData(REAL_FILE, file, BYTES);
    console.log(
      `\nPeak memory (largest resident size), recording of ${(bytes / MEGABYTE).toFixed(0)} MB of raw frames`,
    );
    show('floor: tidewire --version', await peakOf(folder, ['--version']));
    const recording = join(folder, 'recording');
    const from = ['--from', 'binance-collector', '--symbol', REAL_SYMBOL, '--no-compress'];
    show('data import', await peakOf(folder, ['data', 'import', file, ...from, '--out', recording]));
    rmSync(file);
    const run = ['backtest', SPREAD_MAKER, '--data', recording, '--json'];
    show('backtest, compiles first', await peakOf(folder, run));
    const tape = ` (tape of ${(statSync(join(recording, 'compiled.tape')).size / MEGABYTE).toFixed(0)} MB)`;
    const again = await peakOf(folder, run);
    const { eventsPerSecond }: { readonly eventsPerSecond: number } = JSON.parse(again.out);
    show('backtest again', again, `, ${Math.round(eventsPerSecond).toLocaleString('en')} events/s${tape}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
