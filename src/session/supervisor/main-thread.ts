/**
 * The main thread as another thread sees it through the inspector, which reaches it in the middle of a loop that never ends:
 * stopped where it is, its stack read, ended. Called by the supervisor's threads alone, when something is wrong: code
 * that is stopped this way is slower afterwards.
 */
import { Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../system-clock.ts';

export interface Frame {
  /** Absolute path; empty for code without a file. */
  readonly file: string;
  readonly line: number;
  readonly functionName: string;
  /** The tag of the strategy that this frame entered; null for others. */
  readonly entered: string | null;
}

interface CallFrame {
  readonly callFrameId: string;
  readonly functionName: string;
  readonly location: { readonly scriptId: string; readonly lineNumber: number };
}

/** Where a strategy is entered, and what its tag is called there (`strategy/scope.ts`, `strategy/run.ts`). */
const ENTRANCES = [
  { file: /\/strategy\/scope\.ts$/, expression: 'scope.tag' },
  { file: /\/strategy\/run\.ts$/, expression: 'this.tag' },
] as const;

/** What `exit` listeners put right (a hidden cursor) is put right; the inspector's own word on stderr is not wanted. */
const END = `try { process.exitCode = 1; process.emit('exit', 1); } catch {}
process.getBuiltinModule('node:fs').closeSync(2);
process.reallyExit(1);`;

export class MainThread {
  readonly #session = new Session();
  readonly #urls = new Map<string, string>();
  readonly #paused = Promise.withResolvers<readonly CallFrame[]>();

  /** Throws where this is no other thread than the main one. */
  constructor() {
    this.#session.connectToMainThread();
    this.#session.on('Debugger.scriptParsed', ({ params }) => this.#urls.set(params.scriptId, params.url));
    this.#session.on('Debugger.paused', ({ params }) => this.#paused.resolve(params.callFrames));
  }

  /** Its stack, innermost first; none where it does not stop in time, as inside of a call of the system. */
  async stop(withinMs: number): Promise<readonly Frame[]> {
    this.#session.post('Debugger.enable');
    this.#session.post('Debugger.pause');
    const frames = (await inTime(this.#paused.promise, withinMs)) ?? [];
    return Promise.all(frames.map((frame) => this.#read(frame)));
  }

  /** The process is over with exit code 1 when this has arrived. */
  end(): void {
    this.#session.post('Runtime.evaluate', { expression: END });
  }

  /** It goes on where it was stopped. */
  release(): void {
    this.#session.disconnect();
  }

  async #read({ callFrameId, functionName, location }: CallFrame): Promise<Frame> {
    const url = this.#urls.get(location.scriptId) ?? '';
    const file = url.startsWith('file://') ? fileURLToPath(url) : '';
    const entrance = ENTRANCES.find((known) => known.file.test(file));
    const entered = entrance === undefined ? null : await this.#text(callFrameId, entrance.expression);
    return { file, line: location.lineNumber + 1, functionName, entered };
  }

  #text(callFrameId: string, expression: string): Promise<string | null> {
    return new Promise((resolve) => {
      this.#session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression, silent: true }, (error, answer) => {
        const value: unknown = error === null ? answer.result.value : undefined;
        resolve(typeof value === 'string' ? value : null);
      });
    });
  }
}

async function inTime<T>(promise: Promise<T>, withinMs: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const cancel = systemClock.after(withinMs, () => late.resolve(undefined));
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    cancel();
  }
}
