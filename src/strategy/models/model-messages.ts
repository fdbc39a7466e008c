/** What the thread of a model is given and answers. It sets the flag after each answer. */
import type { MessagePort } from 'node:worker_threads';
import type { Tensor, TensorSlot } from './tensor.ts';

export interface ModelThreadData {
  readonly port: MessagePort;
  /** One int: 1 when an answer waits in the port. */
  readonly flag: Int32Array;
  readonly bytes: Uint8Array;
  /** Of the strategy, where the runtime may be installed too. */
  readonly folder: string;
}

export interface ModelRequest {
  readonly inputs: Readonly<Record<string, Tensor>>;
}

export type ModelAnswer =
  | { readonly kind: 'ready'; readonly inputs: readonly TensorSlot[]; readonly outputs: readonly TensorSlot[] }
  | { readonly kind: 'outputs'; readonly outputs: Readonly<Record<string, Tensor>> }
  | { readonly kind: 'failed'; readonly of: 'runtime' | 'model' | 'run'; readonly message: string };
