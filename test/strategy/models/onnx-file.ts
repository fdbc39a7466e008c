/** Small ONNX models, written by hand: the protocol buffers of `onnx.proto`, as far as one node needs them. */

type Field = readonly [tag: number, value: number | string | Uint8Array];

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}

function message(...fields: readonly Field[]): Uint8Array {
  const bytes = fields.flatMap(([tag, value]) => {
    if (typeof value === 'number') return [...varint(tag * 8), ...varint(value)];
    const content = typeof value === 'string' ? new TextEncoder().encode(value) : value;
    return [...varint(tag * 8 + 2), ...varint(content.length), ...content];
  });
  return Uint8Array.from(bytes);
}

const FLOAT = 1;

function floats(name: string, dims: readonly number[], values: readonly number[]): Uint8Array {
  const raw = new Uint8Array(Float32Array.from(values).buffer);
  return message(...dims.map((dim): Field => [1, dim]), [2, FLOAT], [8, name], [9, raw]);
}

/** `'N'`: an open dimension. */
function slot(name: string, dims: readonly (number | string)[]): Uint8Array {
  const shape = message(...dims.map((dim): Field => [1, message([typeof dim === 'number' ? 1 : 2, dim])]));
  return message([1, name], [2, message([1, message([1, FLOAT], [2, shape])])]);
}

function node(op: string, inputs: readonly string[], output: string): Uint8Array {
  return message(...inputs.map((name): Field => [1, name]), [2, output], [4, op]);
}

interface Graph {
  readonly nodes: readonly Uint8Array[];
  readonly weights: readonly Uint8Array[];
  readonly input: Uint8Array;
  readonly output: Uint8Array;
}

function modelOf({ nodes, weights, input, output }: Graph): Uint8Array {
  const parts = [...nodes.map((each): Field => [1, each]), ...weights.map((each): Field => [5, each])];
  const graph = message([2, 'g'], ...parts, [11, input], [12, output]);
  return message([1, 8], [7, graph], [8, message([1, ''], [2, 13])]);
}

/** y = x₀·w₀ + x₁·w₁ + b, for any number of rows. */
export function linear(w0: number, w1: number, b: number): Uint8Array {
  return modelOf({
    nodes: [node('Gemm', ['x', 'w', 'b'], 'y')],
    weights: [floats('w', [2, 1], [w0, w1]), floats('b', [1], [b])],
    input: slot('x', ['N', 2]),
    output: slot('y', ['N', 1]),
  });
}

/** y = ln x: not a number below 0. */
export function logarithm(): Uint8Array {
  return modelOf({ nodes: [node('Log', ['x'], 'y')], weights: [], input: slot('x', [1]), output: slot('y', [1]) });
}

/** probability = σ(features · weights), of one row: the model of the template `ml`. */
export function logistic(weights: readonly number[]): Uint8Array {
  const count = weights.length;
  return modelOf({
    nodes: [node('MatMul', ['features', 'weights'], 'score'), node('Sigmoid', ['score'], 'probability')],
    weights: [floats('weights', [count, 1], weights)],
    input: slot('features', [1, count]),
    output: slot('probability', [1, 1]),
  });
}
