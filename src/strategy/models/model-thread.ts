/**
 * A model on its own thread, asked synchronously: the caller blocks until the answer, and so does the session's clock.
 * Node's functions are captured before any trap.
 */
import workerThreads from 'node:worker_threads';
import { strategyErrors } from '../errors.ts';
import type { ModelAnswer, ModelRequest, ModelThreadData } from './model-messages.ts';
import type { Tensor, TensorSlot } from './tensor.ts';

const { Worker, MessageChannel, receiveMessageOnPort } = workerThreads;
const wait = Atomics.wait.bind(Atomics);

const THREAD = new URL('./model-worker.ts', import.meta.url);
const LOAD_MS_MAX = 60_000;
const RUN_MS_MAX = 10_000;
/** Crash reports would include the environment. */
const FLAGS = ['--report-exclude-env'];

const CODES = {
  runtime: 'strategy_model_runtime',
  model: 'strategy_model_invalid',
  run: 'strategy_model_failed',
} as const;

export class ModelThread {
  readonly inputs: readonly TensorSlot[];
  readonly #name: string;
  readonly #flag = new Int32Array(new SharedArrayBuffer(4));
  readonly #port: workerThreads.MessagePort;
  #answers = 0;
  #isOver = false;

  /** Throws `strategy_model_runtime`, `strategy_model_invalid`, `strategy_model_failed`. */
  constructor(name: string, bytes: Uint8Array, folder: string) {
    this.#name = name;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const data: ModelThreadData = { port: port2, flag: this.#flag, bytes, folder };
    const execArgv = [...process.execArgv, ...FLAGS];
    const thread = new Worker(THREAD, { workerData: data, transferList: [port2], execArgv });
    thread.on('error', () => this.close());
    thread.on('exit', () => {
      this.#isOver = true;
    });
    thread.unref();
    port1.unref();
    const ready = this.#answer(LOAD_MS_MAX);
    if (ready.kind !== 'ready') throw this.#failed('run', 'its thread answered out of turn');
    this.inputs = ready.inputs;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Throws `strategy_model_failed`. */
  run(inputs: Readonly<Record<string, Tensor>>): Readonly<Record<string, Tensor>> {
    this.#port.postMessage({ inputs } satisfies ModelRequest);
    const answer = this.#answer(RUN_MS_MAX);
    if (answer.kind !== 'outputs') throw this.#failed('run', 'its thread answered out of turn');
    return answer.outputs;
  }

  close(): void {
    this.#isOver = true;
    this.#port.postMessage(null satisfies ModelRequest);
  }

  #answer(withinMs: number): ModelAnswer {
    const before = this.#answers++;
    // The thread wakes this one only after it has counted, which may be so late that the next answer is awaited.
    let isLate = false;
    while (!isLate && Atomics.load(this.#flag, 0) === before)
      isLate = wait(this.#flag, 0, before, withinMs) === 'timed-out';
    const received = receiveMessageOnPort(this.#port);
    if (received === undefined) {
      this.close();
      throw this.#failed('run', `no answer within ${withinMs / 1000} s`);
    }
    const message = received.message as ModelAnswer;
    if (message.kind !== 'failed') return message;
    if (message.of !== 'run') this.close();
    throw this.#failed(message.of, message.message);
  }

  #failed(of: keyof typeof CODES, message: string): Error {
    return strategyErrors.make(CODES[of], `${this.#name}: ${message}`, { model: this.#name });
  }
}
