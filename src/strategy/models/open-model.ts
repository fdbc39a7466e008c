/** Models by content: strategies and runs of a process that use the same file share its thread. */
import type { InputContent } from '../inputs/input-log.ts';
import { strategyErrors } from '../errors.ts';
import { currentScope, outside } from '../running/scope.ts';
import type { Model } from './model-handle.ts';
import { ModelThread } from './model-thread.ts';
import { tensorsFor, unfitOutput, type Tensor, type TensorLike } from './tensor.ts';

/** What a run says, so that a failure is recorded as well. */
type Said = { readonly outputs: Readonly<Record<string, Tensor>> } | { readonly problem: string };

/** Threads that stay; the one unused for longest ends first and begins again when it is asked. */
const THREADS_MAX = 8;
const threads = new Map<string, ModelThread>();

function threadOf(name: string, { hash, bytes }: InputContent, folder: string): ModelThread {
  let thread = threads.get(hash);
  threads.delete(hash);
  if (thread === undefined || thread.isOver) thread = new ModelThread(name, bytes, folder);
  threads.set(hash, thread);
  const [oldest] = threads.keys();
  if (threads.size > THREADS_MAX && oldest !== undefined) {
    threads.get(oldest)?.close();
    threads.delete(oldest);
  }
  return thread;
}

/** Loads it at once. Throws as `ModelThread` does. */
export function openModel(name: string, content: InputContent, folder: string): Model {
  const { inputs } = threadOf(name, content, folder);
  const said = (tensors: Readonly<Record<string, Tensor>>): Said => {
    const outputs = threadOf(name, content, folder).run(tensors);
    const problem = unfitOutput(outputs);
    return problem === undefined ? { outputs } : { problem };
  };
  return Object.freeze({
    name,
    hash: content.hash,
    inputs,
    run: (given: Readonly<Record<string, TensorLike>>) => {
      const tensors = tensorsFor(name, inputs, given);
      const live = (): Said => said(tensors);
      const scope = currentScope();
      const answer = outside(() => scope?.answer?.(`model ${name}`, live) ?? live());
      if ('outputs' in answer) return answer.outputs;
      throw strategyErrors.make('strategy_model_output', `${name}: ${answer.problem}`, { model: name });
    },
  });
}
