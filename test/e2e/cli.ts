/**
 * The command line as a user meets it: `bin/tidewire.js` as a process of its own in a fresh folder. Waiting is for
 * conditions, with a deadline that says what did not come. Every process that a test starts is ended after it, by its
 * own id.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, vi } from 'vitest';
import { callCli } from '../cli/call-cli.ts';

// Processes on a machine that also builds take their time; a condition that never comes has a deadline of its own.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

export const root = join(import.meta.dirname, '..', '..');
const launcher = join(root, 'bin', 'tidewire.js');

export function strategyFile(name: string): string {
  return join(root, 'strategies', `${name}.ts`);
}

export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** With a channel to its parent, as the launcher on an older Node opens one. */
  readonly channel?: boolean;
  /** All of stdin; there is none without it. */
  readonly input?: string;
  /** Where stdout and stderr go instead of being collected. */
  readonly outTo?: string;
  readonly errTo?: string;
}

/** Far above what any condition here takes on a busy machine; reaching it is a failure, never a pause. */
const DEADLINE_MS = 45_000;
const LOOK_MS = 20;

export async function until<Value>(
  what: string,
  look: () => Value | undefined | Promise<Value | undefined>,
  describe: () => string = () => '',
  atMostMs = DEADLINE_MS,
): Promise<Value> {
  const deadline = performance.now() + atMostMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`waited ${atMostMs} ms for ${what}\n${describe()}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

const open = new Set<Running>();
const folders = new Set<string>();
const undo: (() => void)[] = [];

/** Runs after the processes of the test have ended and before its folders are removed. */
export function beforeRemoval(work: () => void): void {
  undo.push(work);
}

afterEach(async () => {
  for (const running of open) await running.signal('SIGKILL');
  for (const work of undo.splice(0)) work();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
});

/** A fresh folder, removed after the test. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-e2e-'));
  folders.add(folder);
  return folder;
}

/** Nothing of the tester's own keys and settings reaches the command. */
function cleanEnvironment(extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(TIDEWIRE_|VITEST|NODE_OPTIONS|FORCE_COLOR)/.test(name),
  );
  return { ...Object.fromEntries(own), ...extra };
}

/** The lists of a sandbox do not lag, so that a panic need not wait for them as for those of a real exchange. */
const QUICK_LISTS = { TIDEWIRE_RECONCILE_HISTORY_LAG_MS: '600' };

export class Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  #stdout = '';
  #stderr = '';
  #over = false;

  constructor(args: readonly string[], { cwd, env = {}, channel = false, input, outTo, errTo }: CommandOptions) {
    const files = [outTo, errTo].map((path) => (path === undefined ? ('pipe' as const) : openSync(path, 'w')));
    const child = spawn(process.execPath, [launcher, ...args], {
      cwd,
      env: cleanEnvironment(args[0] === 'panic' ? { ...QUICK_LISTS, ...env } : env),
      stdio: [input === undefined ? 'ignore' : 'pipe', ...files, ...(channel ? (['ipc'] as const) : [])],
    });
    child.stdin?.end(input);
    for (const file of files) if (file !== 'pipe') closeSync(file);
    this.child = child;
    open.add(this);
    const collected = [child.stdout, child.stderr].map(async (stream, index) => {
      for await (const chunk of stream ?? []) {
        if (index === 0) this.#stdout += String(chunk);
        else this.#stderr += String(chunk);
      }
    });
    const exited = new Promise<Pick<Ended, 'code' | 'signal'>>((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (code, signal) => resolve({ code, signal }));
    });
    this.ended = Promise.all([exited, ...collected]).then(([{ code, signal }]) => {
      open.delete(this);
      this.#over = true;
      return { code, signal, stdout: this.#stdout, stderr: this.#stderr };
    });
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  get over(): boolean {
    return this.#over;
  }

  /** Waits for a condition that only makes sense while this process runs; its end is a failure at once. */
  during<Value>(what: string, look: () => Value | undefined | Promise<Value | undefined>): Promise<Value> {
    return until(
      what,
      async () => {
        const found = await look();
        if (found === undefined && this.#over) throw new Error(`ended before ${what}\n${this.#stdout}${this.#stderr}`);
        return found;
      },
      () => `${this.#stdout}${this.#stderr}`,
    );
  }

  /** The first whole line of stdout. */
  line(): Promise<string> {
    return this.during('a line on stdout', () => {
      const end = this.#stdout.indexOf('\n');
      return end < 0 ? undefined : this.#stdout.slice(0, end);
    });
  }

  signal(signal: NodeJS.Signals): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }
}

export function start(args: readonly string[], options: CommandOptions): Running {
  return new Running(args, options);
}

/** Short commands that ask, look or tell: their calls need no process of their own. Those that trade are real ones. */
const IN_PROCESS = new Set(
  'account codes config fiat futures journal keys limits overdraft p2p pause plan programs resume status transfer wallet why why-not'.split(
    ' ',
  ),
);

/** To its end. `asProcess`: whatever it is. */
export async function run(args: readonly string[], options: CommandOptions, asProcess = false): Promise<Ended> {
  const { cwd, env = {}, channel, input, outTo, errTo } = options;
  const isPlain = [channel, input, outTo, errTo].every((one) => one === undefined);
  if (asProcess || !isPlain || !IN_PROCESS.has(args[0] ?? '')) return new Running(args, options).ended;
  const variables = Object.entries(cleanEnvironment(env)).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { ...(await callCli(args, cwd, { env: Object.fromEntries(variables) })), signal: null };
}

/** The one JSON document that `--json` promises on stdout: one line, nothing before it, nothing after it. */
export function documentOf<Shape = Readonly<Record<string, unknown>>>({ stdout, stderr }: Ended): Shape {
  const lines = stdout.split('\n');
  if (lines.length !== 2 || lines[1] !== '' || lines[0] === '') {
    throw new Error(`not exactly one JSON document on stdout:\n${stdout}\n--- stderr:\n${stderr}`);
  }
  return JSON.parse(lines[0] ?? '') as Shape;
}

export interface ErrorDocument {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

export function errorOf(ended: Ended): ErrorDocument['error'] {
  return documentOf<ErrorDocument>(ended).error;
}
