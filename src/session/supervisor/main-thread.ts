/** The main thread through the inspector. Stopped code runs slower afterwards. */
import { Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../clock/system-clock.ts';

export interface Frame {
  /** Absolute path; empty without a file. */
  readonly file: string;
  readonly line: number;
  readonly functionName: string;
  /** Tag of the strategy that it entered, or null. */
  readonly entered: string | null;
}

interface CallFrame {
  readonly callFrameId: string;
  readonly functionName: string;
  readonly location: { readonly scriptId: string; readonly lineNumber: number };
}

/** Functions that enter a strategy, and their tag variable. */
const ENTRANCES = [
  { file: fileURLToPath(new URL('../../strategy/running/scope.ts', import.meta.url)), expression: 'scope.tag' },
  { file: fileURLToPath(new URL('../../strategy/running/run.ts', import.meta.url)), expression: 'this.tag' },
] as const;

/** Runs `exit` listeners (cursor) and hides the inspector's message on stderr. */
const END = `try { process.exitCode = 1; process.emit('exit', 1); } catch {}
process.getBuiltinModule('node:fs').closeSync(2);
process.reallyExit(1);`;

export class MainThread {
  readonly #session = new Session();
  readonly #urls = new Map<string, string>();
  readonly #paused = Promise.withResolvers<readonly CallFrame[]>();

  /** Throws on the main thread. */
  constructor() {
    this.#session.connectToMainThread();
    this.#session.on('Debugger.scriptParsed', ({ params }) => this.#urls.set(params.scriptId, params.url));
    this.#session.on('Debugger.paused', ({ params }) => this.#paused.resolve(params.callFrames));
  }

  /** Innermost first; empty if late. */
  async stop(withinMs: number): Promise<readonly Frame[]> {
    this.#session.post('Debugger.enable');
    this.#session.post('Debugger.pause');
    const frames = (await inTime(this.#paused.promise, withinMs)) ?? [];
    return Promise.all(frames.map((frame) => this.#read(frame)));
  }

  /** Exit code 1. */
  end(): void {
    // A pause that an idle thread has not reached would hold it at the expression's first line.
    this.#session.post('Debugger.setSkipAllPauses', { skip: true });
    this.#session.post('Runtime.evaluate', { expression: END });
  }

  release(): void {
    this.#session.disconnect();
  }

  async #read({ callFrameId, functionName, location }: CallFrame): Promise<Frame> {
    const url = this.#urls.get(location.scriptId) ?? '';
    const file = url.startsWith('file://') ? fileURLToPath(url) : '';
    const entrance = ENTRANCES.find((known) => known.file === file);
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
