/** The thread of one model: loads ONNX Runtime and the model, then answers one request after another, on one core. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { ModelAnswer, ModelRequest, ModelThreadData } from './model-messages.ts';
import type { Tensor, TensorSlot } from './tensor.ts';

/** The part of `onnxruntime-node` that is used; an optional peer, so its types may be absent. */
interface Runtime {
  readonly InferenceSession: { create(bytes: Uint8Array, options: object): Promise<Session> };
  readonly Tensor: new (type: string, data: unknown, dims: readonly number[]) => object;
}

interface Metadata extends TensorSlot {
  readonly isTensor: boolean;
}

interface Session {
  readonly inputMetadata: readonly Metadata[];
  readonly outputMetadata: readonly Metadata[];
  run(
    feeds: Readonly<Record<string, object>>,
    fetches: readonly string[],
  ): Promise<Readonly<Record<string, { readonly dims: readonly number[]; readonly data: ArrayLike<number | bigint> }>>>;
}

const PACKAGE = 'onnxruntime-node';
const OPTIONS = {
  executionProviders: ['cpu'],
  executionMode: 'sequential',
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  logSeverityLevel: 3,
};

const ARRAYS: Readonly<Record<string, (data: readonly number[]) => unknown>> = {
  float32: (data) => Float32Array.from(data),
  float64: (data) => Float64Array.from(data),
  int32: (data) => Int32Array.from(data),
  int64: (data) => BigInt64Array.from(data, (value) => BigInt(value)),
  bool: (data) => Uint8Array.from(data),
};

const { port, flag, bytes, folder } = workerData as ModelThreadData;

function answer(message: ModelAnswer): void {
  port.postMessage(message);
  Atomics.add(flag, 0, 1);
  Atomics.notify(flag, 0);
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function loadRuntime(): Runtime {
  const own = createRequire(import.meta.url);
  try {
    return own(PACKAGE) as Runtime;
  } catch (thrown) {
    if ((thrown as { readonly code?: unknown }).code !== 'MODULE_NOT_FOUND') throw thrown;
    return createRequire(join(folder, 'strategy.js'))(PACKAGE) as Runtime;
  }
}

const slotOf = ({ name, type, shape }: Metadata): TensorSlot => ({ name, type, shape: [...shape] });

async function open(runtime: Runtime): Promise<Session> {
  const session = await runtime.InferenceSession.create(bytes, OPTIONS);
  const unfit = session.inputMetadata.find(({ isTensor, type }) => !isTensor || ARRAYS[type] === undefined);
  if (unfit !== undefined) throw new TypeError(`input ${unfit.name} is of type ${unfit.type}, which is not supported`);
  return session;
}

async function run(
  { Tensor: Of }: Runtime,
  session: Session,
  { inputs }: NonNullable<ModelRequest>,
): Promise<ModelAnswer> {
  const feeds = session.inputMetadata.map(({ name, type }) => {
    const { data, dims } = inputs[name]!;
    return [name, new Of(type, ARRAYS[type]!(data), dims)] as const;
  });
  const wanted = session.outputMetadata.filter(({ isTensor }) => isTensor).map(({ name }) => name);
  const found = await session.run(Object.fromEntries(feeds), wanted);
  const outputs: Record<string, Tensor> = {};
  for (const name of wanted) {
    const { dims, data } = found[name]!;
    outputs[name] = { dims: [...dims], data: Array.from(data, Number) };
  }
  return { kind: 'outputs', outputs };
}

async function serve(): Promise<void> {
  let of: 'runtime' | 'model' = 'runtime';
  try {
    const runtime = loadRuntime();
    of = 'model';
    const session = await open(runtime);
    port.on('message', (request: ModelRequest) => {
      if (request === null) process.exit();
      run(runtime, session, request).then(answer, (thrown: unknown) =>
        answer({ kind: 'failed', of: 'run', message: textOf(thrown) }),
      );
    });
    const [inputs, outputs] = [session.inputMetadata, session.outputMetadata].map((all) => all.map(slotOf));
    answer({ kind: 'ready', inputs: inputs!, outputs: outputs! });
  } catch (thrown) {
    answer({ kind: 'failed', of, message: textOf(thrown) });
  }
}

await serve();
