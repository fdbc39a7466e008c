/**
 * Loaded into the bot with `node --import`: counts the borders between the process and the world, and kills the process
 * with SIGKILL exactly at the n-th one. Borders are every transaction of a database (before it begins, before and after
 * its commit), every write to a TCP socket (before the bytes are given to the system and after), everything that arrives
 * on one, and every file that is written or renamed. Production code has no branch for it.
 *
 * `CHAOS_DIE_AT` is n (0: never), counted from the start or, with `CHAOS_COUNT_FROM=trading`, from the first order on.
 * `CHAOS_NOTE` is a file that receives the border at which the process died, `CHAOS_TRADING` one that exists from the
 * first order on. `CHAOS_CLOCK` (`afterMs:stepMs`) steps the
 * wall clock of the process once, as an administrator or a time service would.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import Database from 'better-sqlite3';

const dieAt = Number(process.env['CHAOS_DIE_AT'] ?? '0');
const note = process.env['CHAOS_NOTE'];
const trading = process.env['CHAOS_TRADING'];
const { writeFileSync } = fs;
let passed = 0;
let counts = process.env['CHAOS_COUNT_FROM'] !== 'trading';

let hasTraded = false;

function startTrading(): void {
  hasTraded = true;
  counts = true;
  if (trading !== undefined) writeFileSync(trading, '');
}

function border(name: string): void {
  if (!hasTraded && name.startsWith('socket before POST')) startTrading();
  if (!counts) return;
  passed++;
  if (passed !== dieAt) return;
  if (note !== undefined) writeFileSync(note, `${passed} ${name}`);
  process.kill(process.pid, 'SIGKILL');
}

type Call = (...args: unknown[]) => unknown;
type Around = (original: () => unknown, self: unknown, args: unknown[]) => unknown;

/** Replaces a method; `original` calls the replaced one with the same receiver and arguments. */
function wrap(owner: object, name: string, around: Around): void {
  const replaced = Reflect.get(owner, name) as Call;
  Reflect.set(owner, name, function wrapped(this: unknown, ...args: unknown[]): unknown {
    return around(() => replaced.apply(this, args), this, args);
  });
}

function wrapDatabase(): void {
  wrap(Database.prototype, 'transaction', (original, self, args) => {
    const work = args[0] as Call;
    args[0] = (...given: unknown[]): unknown => {
      const result = work.apply(self, given);
      border('journal before a commit');
      return result;
    };
    const transaction = original() as Call;
    const watched = (run: Call): Call => {
      return (...given) => {
        border('journal before a transaction');
        const result = run.apply(self, given);
        border('journal after a commit');
        return result;
      };
    };
    const kinds = ['default', 'deferred', 'immediate', 'exclusive'];
    return Object.assign(
      watched(transaction),
      Object.fromEntries(kinds.map((kind) => [kind, watched(Reflect.get(transaction, kind) as Call)])),
    );
  });
}

/** Standard output is a socket too when it is a pipe; that is no border of interest. */
function isRemote(socket: unknown): boolean {
  return socket instanceof Socket && socket.remotePort !== undefined && !socket.connecting;
}

/** Method and path of a request, or `frame`. */
function firstLine([isMany, data]: readonly unknown[]): string {
  const first = isMany === true ? (data as readonly { readonly chunk: unknown }[])[0]?.chunk : data;
  const text = typeof first === 'string' || Buffer.isBuffer(first) ? first.toString('latin1') : '';
  return /^((?:GET|POST|DELETE|PUT|PATCH) [^ ?]*)/.exec(text)?.[1] ?? 'frame';
}

function wrapSockets(): void {
  // The last stop of every write, corked or not: what is passed on here is in the kernel when it returns.
  wrap(Socket.prototype, '_writeGeneric', (original, self, args) => {
    if (!isRemote(self)) return original();
    const what = firstLine(args);
    border(`socket before ${what}`);
    const result = original();
    border(`socket after ${what}`);
    return result;
  });
  Reflect.set(Socket.prototype, 'push', function push(this: Socket, chunk: unknown, coding?: BufferEncoding): boolean {
    if (isRemote(this)) border('socket arrived');
    return Duplex.prototype.push.call(this, chunk, coding);
  });
}

function wrapFiles(): void {
  for (const name of ['writeFileSync', 'renameSync', 'mkdirSync']) {
    wrap(fs, name, (original, _self, args) => {
      const file = String(args[name === 'renameSync' ? 1 : 0]).replace(/^.*\//, '');
      border(`file before ${name} ${file}`);
      const result = original();
      border(`file after ${name} ${file}`);
      return result;
    });
  }
  syncBuiltinESMExports();
}

function stepClock(plan: string): void {
  const [afterMs = 0, stepMs = 0] = plan.split(':').map(Number);
  const RealDate = Date;
  const realNow = RealDate.now;
  const from = performance.now() + afterMs;
  const now = (): number => realNow() + (performance.now() >= from ? stepMs : 0);
  globalThis.Date = class extends RealDate {
    constructor(...given: []) {
      super(...((given.length === 0 ? [now()] : given) as []));
    }
    static override now(): number {
      return now();
    }
  } as DateConstructor;
}

wrapDatabase();
wrapSockets();
wrapFiles();
const clock = process.env['CHAOS_CLOCK'];
if (clock !== undefined) stepClock(clock);
