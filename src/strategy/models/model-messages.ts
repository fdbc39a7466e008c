/** What the thread of a model is given and answers. After each answer it counts one more in the flag. */
import type { MessagePort } from 'node:worker_threads';
import type { Tensor, TensorSlot } from './tensor.ts';

export interface ModelThreadData {
  readonly port: MessagePort;
  /** One int: how many answers were put into the port. */
  readonly flag: Int32Array;
  readonly bytes: Uint8Array;
  /** Of the strategy, where the runtime may be installed too. */
  readonly folder: string;
}

/** Null ends the thread: to terminate one in native code would abort the process. */
export type ModelRequest = { readonly inputs: Readonly<Record<string, Tensor>> } | null;

export type ModelAnswer =
  | { readonly kind: 'ready'; readonly inputs: readonly TensorSlot[]; readonly outputs: readonly TensorSlot[] }
  | { readonly kind: 'outputs'; readonly outputs: Readonly<Record<string, Tensor>> }
  | { readonly kind: 'failed'; readonly of: 'runtime' | 'model' | 'run'; readonly message: string };
