/** A paper session with its dashboard, as a process of its own, and the API beside the page, to compare with. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import type { EntryRow } from '../../src/bridge/schemas/entries.ts';
import type { SessionDetail } from '../../src/bridge/schemas/session.ts';
import { evilMaker } from './dashboard-strategy.ts';

const root = join(import.meta.dirname, '..', '..');
const DEADLINE_MS = 20_000;

type Listener = (message: { readonly type: string } & Partial<EntryRow>) => void;

export class Bot {
  readonly link: string;
  readonly folder: string;
  readonly #process: ChildProcess;
  readonly #socket: WebSocket;
  readonly #listeners = new Set<Listener>();

  private constructor(link: string, folder: string, child: ChildProcess) {
    this.link = link;
    this.folder = folder;
    this.#process = child;
    const url = new URL(link);
    this.#socket = new WebSocket(`ws://${url.host}/api/v1/stream?topics=entries,book`, { headers: this.#headers });
    this.#socket.on('message', (data: Buffer) => {
      for (const listener of this.#listeners) listener(JSON.parse(data.toString()) as Parameters<Listener>[0]);
    });
  }

  /** As the terminal prints it. */
  static async start(): Promise<Bot> {
    const folder = mkdtempSync(join(tmpdir(), 'tidewire-dashboard-'));
    writeFileSync(join(folder, 'evil-maker.ts'), evilMaker);
    const args = [join(root, 'bin', 'tidewire.js'), 'paper', 'evil-maker.ts', '--dashboard', '0'];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    let text = '';
    const link = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no link came:\n${text}`)), DEADLINE_MS);
      child.once('exit', () => reject(new Error(`it ended:\n${text}`)));
      child.stderr.on('data', (data: Buffer) => {
        text += data.toString();
        const found = /^dashboard (http:\S+)$/m.exec(text)?.[1];
        if (found === undefined) return;
        clearTimeout(timer);
        resolve(found);
      });
    });
    return new Bot(link, folder, child);
  }

  get origin(): string {
    return new URL(this.link).origin;
  }

  get #headers(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${this.link.split('token=')[1] ?? ''}` };
  }

  async read<T>(path: string): Promise<T> {
    const response = await fetch(`${this.origin}/api/v1/${path}`, { headers: this.#headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  detail(): Promise<SessionDetail> {
    return this.read<SessionDetail>('sessions/current');
  }

  /** The next message that is wanted. */
  next(what: string, isWanted: (message: Parameters<Listener>[0]) => boolean): Promise<Parameters<Listener>[0]> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`waited for ${what}`)), DEADLINE_MS);
      const listener: Listener = (message) => {
        if (!isWanted(message)) return;
        clearTimeout(timer);
        this.#listeners.delete(listener);
        resolve(message);
      };
      this.#listeners.add(listener);
    });
  }

  /** Kinds of the entries of so many market messages, each a tenth of a second or more after the one before. */
  async during(markets: number): Promise<readonly Partial<EntryRow>[]> {
    const rows: Partial<EntryRow>[] = [];
    const listener: Listener = (message) => {
      if (message.type === 'entry') rows.push(message);
    };
    this.#listeners.add(listener);
    for (let i = 0; i < markets; i++) await this.next('the market', ({ type }) => type === 'market');
    this.#listeners.delete(listener);
    return rows;
  }

  /** Silent, but not gone: as a machine that hangs. */
  freeze(): void {
    this.#process.kill('SIGSTOP');
  }

  thaw(): void {
    this.#process.kill('SIGCONT');
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    this.#socket.removeAllListeners();
    this.#socket.on('error', () => {});
    this.#socket.terminate();
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill(signal);
    await gone;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const isCreate = ({ kind, entry }: Partial<EntryRow>): boolean =>
  kind === 'intent' && entry?.['command'] === 'create';
