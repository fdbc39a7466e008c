/**
 * The processes of the benches with sockets: each server and each client is a process of its own, asked and told over
 * Node's channel between parent and child. One question at a time.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

const START_MS_MAX = 30_000;

export class BenchProcess<Ready> {
  readonly ready: Ready;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, ready: Ready) {
    this.#child = child;
    this.ready = ready;
  }

  /** Starts a file of this folder; resolves with the first message it sends. */
  static async start<Ready>(file: string, args: readonly string[]): Promise<BenchProcess<Ready>> {
    const execArgv = ['--expose-gc', '--disable-warning=ExperimentalWarning'];
    const child = fork(join(import.meta.dirname, file), [...args], { execArgv });
    return new BenchProcess(child, await nextMessage<Ready>(child, START_MS_MAX));
  }

  /** Sends a question and resolves with the next message. */
  async ask<Answer>(question: unknown, waitMs = START_MS_MAX): Promise<Answer> {
    const answer = nextMessage<Answer>(this.#child, waitMs);
    this.#child.send(question as object);
    return answer;
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    await gone;
  }
}

function nextMessage<Message>(child: ChildProcess, waitMs: number): Promise<Message> {
  return new Promise((resolve, reject) => {
    const settle = (run: () => void) => (): void => {
      clearTimeout(timer);
      child.off('message', heard);
      child.off('exit', gone);
      run();
    };
    const fail = (text: string): (() => void) =>
      settle(() => reject(new Error(`${child.spawnargs[3] ?? ''}: ${text}`)));
    const heard = (message: unknown): void => settle(() => resolve(message as Message))();
    const gone = fail('ended');
    const timer = setTimeout(fail(`no answer within ${waitMs} ms`), waitMs);
    child.once('message', heard);
    child.once('exit', gone);
  });
}

/** CPU time and memory of the process that answers, heap after a full collection. */
export interface Usage {
  readonly cpuSeconds: number;
  readonly heapBytes: number;
  readonly residentBytes: number;
  /** Buffers outside the heap. */
  readonly externalBytes: number;
}

/** For the child: its own usage. */
export function usage({ collect }: { readonly collect: boolean }): Usage {
  if (collect) {
    globalThis.gc?.();
    globalThis.gc?.();
  }
  const { user, system } = process.cpuUsage();
  const { heapUsed, rss, external } = process.memoryUsage();
  return { cpuSeconds: (user + system) / 1e6, heapBytes: heapUsed, residentBytes: rss, externalBytes: external };
}

/** For the child: answers each question; ends when the parent is gone. */
export function answerQuestions<Question>(answer: (question: Question) => Promise<unknown>): void {
  process.on('message', (question: Question) => {
    answer(question).then(
      (message) => process.send?.(message),
      (thrown: unknown) => {
        console.error(thrown);
        process.exit(1);
      },
    );
  });
  process.on('disconnect', () => process.exit(0));
}
