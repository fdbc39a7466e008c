/**
 * A process of its own: `bin/tidewire.js` with arguments, what it said, and how it ended. Whatever still
 * runs when this process exits is killed, by its own id.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..', '..');
const launcher = join(root, 'bin', 'tidewire.js');
const boundaries = join(import.meta.dirname, 'boundaries.ts');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ChildOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** With the borders counted (`boundaries.ts`). */
  readonly watched?: boolean;
}

/** Of stderr and stdout the end is kept. */
const TEXT_MAX = 20_000;

/** A bot that outlives its judge would trade on for ever. */
const open = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of open) child.kill('SIGKILL');
});

export class Child {
  readonly ended: Promise<Ended>;
  readonly startedAt = performance.now();
  readonly #process: ChildProcess;
  #stdout = '';
  #stderr = '';
  #result: Ended | null = null;

  constructor(args: readonly string[], { cwd, env = {}, watched = false }: ChildOptions) {
    const own = Object.entries(process.env).filter(([name]) => !/^(TIDEWIRE_|CHAOS_|VITEST|NODE_OPTIONS)/.test(name));
    const node = watched ? ['--import', boundaries] : [];
    const child = spawn(process.execPath, [...node, launcher, ...args], {
      cwd,
      env: { ...Object.fromEntries(own), NO_COLOR: '1', XDG_STATE_HOME: join(cwd, 'state'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    open.add(child);
    child.stdout?.on('data', (bytes: Buffer) => (this.#stdout = (this.#stdout + bytes.toString()).slice(-TEXT_MAX)));
    child.stderr?.on('data', (bytes: Buffer) => (this.#stderr = (this.#stderr + bytes.toString()).slice(-TEXT_MAX)));
    this.ended = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => {
        open.delete(child);
        this.#result = { code, signal };
        resolve(this.#result);
      });
    });
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get stdout(): string {
    return this.#stdout;
  }

  /** Of the document that `--json` promises; empty when it ended without an error. */
  get errorCode(): string {
    return /"error":\{"code":"(\w+)"/.exec(this.#stdout)?.[1] ?? '';
  }

  get said(): string {
    return `${this.#stdout}${this.#stderr}`;
  }

  /** Null while it runs. */
  get result(): Ended | null {
    return this.#result;
  }

  signal(signal: NodeJS.Signals): void {
    if (this.#result === null) this.#process.kill(signal);
  }

  async end(signal: NodeJS.Signals): Promise<Ended> {
    this.signal(signal);
    return this.ended;
  }
}

export async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Looks until something is found, or `withinMs` have passed: then null. */
export async function within<Value>(
  withinMs: number,
  look: () => Value | null | Promise<Value | null>,
): Promise<Value | null> {
  const end = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== null || performance.now() > end) return found;
    await pause(25);
  }
}
