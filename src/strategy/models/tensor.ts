/** What goes into a model and comes out of it, as plain numbers. */
import { strategyErrors } from '../errors.ts';

/** Row-major numbers and their shape. */
export interface Tensor {
  readonly dims: readonly number[];
  readonly data: readonly number[];
}

type Numbers = readonly number[] | Float32Array | Float64Array | Int32Array;

/** Numbers alone take the shape of the model; at most one of its dimensions may then be open. */
export type TensorLike = Numbers | { readonly dims: readonly number[]; readonly data: Numbers };

/** An input or output as the model declares it. An open dimension has a name, or is not above 0. */
export interface TensorSlot {
  readonly name: string;
  readonly type: string;
  readonly shape: readonly (number | string)[];
}

function wrong(model: string, what: string): Error {
  return strategyErrors.make('strategy_model_input', `${model}: ${what}`, { model });
}

/** Throws `strategy_model_input`. */
export function tensorsFor(
  model: string,
  slots: readonly TensorSlot[],
  inputs: Readonly<Record<string, TensorLike>>,
): Readonly<Record<string, Tensor>> {
  const names = slots.map(({ name }) => name);
  const unknown = Object.keys(inputs).find((name) => !names.includes(name));
  if (unknown !== undefined) throw wrong(model, `it has no input ${unknown}; it has ${names.join(', ')}`);
  const tensors: Record<string, Tensor> = {};
  for (const slot of slots) {
    const given = inputs[slot.name];
    if (given === undefined) throw wrong(model, `input ${slot.name} is missing`);
    tensors[slot.name] = tensorOf(model, slot, given);
  }
  return tensors;
}

function tensorOf(model: string, slot: TensorSlot, given: TensorLike): Tensor {
  const data = Array.from('data' in given ? given.data : given);
  const at = data.findIndex((value) => !Number.isFinite(value));
  if (at >= 0) throw wrong(model, `input ${slot.name} has ${data[at]} at ${at}`);
  const dims = 'dims' in given ? given.dims : shapeFor(slot, data.length);
  const size = dims?.reduce((product, dim) => product * dim, 1);
  if (dims === undefined || size !== data.length) {
    const shape = (dims ?? slot.shape).join(' × ');
    throw wrong(model, `input ${slot.name} has ${data.length} numbers, its shape is ${shape}`);
  }
  return { dims, data };
}

/** The declared shape, its open dimension filled by the count. */
function shapeFor({ shape }: TensorSlot, count: number): readonly number[] | undefined {
  const isOpen = (dim: number | string): dim is string => typeof dim === 'string' || dim <= 0;
  const open = shape.filter(isOpen).length;
  if (open > 1) return undefined;
  const known = shape.reduce<number>((product, dim) => (isOpen(dim) ? product : product * dim), 1);
  if (count % known !== 0) return undefined;
  return shape.map((dim) => (isOpen(dim) ? count / known : dim));
}

/** Names the first output that is not finite. */
export function unfitOutput(outputs: Readonly<Record<string, Tensor>>): string | undefined {
  for (const [name, { data }] of Object.entries(outputs)) {
    const at = data.findIndex((value) => !Number.isFinite(value));
    if (at >= 0) return `output ${name} is ${data[at]} at ${at}`;
  }
  return undefined;
}
