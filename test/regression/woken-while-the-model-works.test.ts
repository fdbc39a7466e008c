/**
 * Found by a stranger: on a loaded machine the thread of a model woke the strategy for one answer when it already waited for the
 * next. "No answer within 10 s" was said after a millisecond, trials of a sweep failed at random, and ending the thread in native
 * code aborted the process (134).
 */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { ModelThread } from '../../src/strategy/models/model-thread.ts';
import { linear } from '../strategy/models/onnx-file.ts';

function hasRuntime(): boolean {
  try {
    createRequire(import.meta.url).resolve('onnxruntime-node');
    return true;
  } catch {
    return false;
  }
}

const ASKED = 500;
const WAKES = `
const { workerData } = require('node:worker_threads');
const flag = new Int32Array(workerData);
const forever = () => { for (let i = 0; i < 1e4; i++) Atomics.notify(flag, 0); setImmediate(forever); };
forever();`;

it.skipIf(!hasRuntime())('a wake without an answer is waited out', async () => {
  const made: SharedArrayBuffer[] = [];
  const plain = globalThis.SharedArrayBuffer;
  globalThis.SharedArrayBuffer = new Proxy(plain, {
    construct: (target, args: [number]) => {
      const buffer = new target(...args);
      made.push(buffer);
      return buffer;
    },
  });
  const thread = new ModelThread('net.onnx', linear(2, 3, 1), process.cwd());
  globalThis.SharedArrayBuffer = plain;
  const noise = new Worker(WAKES, { eval: true, workerData: made[0] });
  try {
    for (let x = 0; x < ASKED; x++) {
      const { y } = thread.run({ x: { dims: [1, 2], data: [x, 1] } });
      expect(y?.data[0]).toBe(2 * x + 4);
    }
  } finally {
    await noise.terminate();
    thread.close();
  }
});
