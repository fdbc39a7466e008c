/** A logistic regression as the bytes of an ONNX model: sigmoid(x · weights + bias), `x` one row of features. */

type Field = readonly [number: number, value: number | string | Uint8Array];

function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push(rest < 128 ? rest : (rest % 128) + 128);
    if (rest < 128) return bytes;
  }
}

/** A message of protocol buffers: whole numbers, texts, bytes and messages. */
function message(...fields: readonly Field[]): Uint8Array {
  const bytes: number[] = [];
  for (const [number, value] of fields) {
    const isNumber = typeof value === 'number';
    bytes.push(...varint(number * 8 + (isNumber ? 0 : 2)));
    if (isNumber) bytes.push(...varint(value));
    else {
      const content = typeof value === 'string' ? new TextEncoder().encode(value) : value;
      bytes.push(...varint(content.length), ...content);
    }
  }
  return Uint8Array.from(bytes);
}

const FLOAT = 1;

function tensor(name: string, dims: readonly number[], values: readonly number[]): Uint8Array {
  const raw = new Uint8Array(Float32Array.from(values).buffer);
  return message(...dims.map((dim): Field => [1, dim]), [2, FLOAT], [8, name], [9, raw]);
}

function node(type: string, inputs: readonly string[], output: string): Uint8Array {
  return message(...inputs.map((name): Field => [1, name]), [2, output], [4, type]);
}

function shaped(name: string, dims: readonly number[]): Uint8Array {
  const shape = message(...dims.map((dim): Field => [1, message([1, dim])]));
  return message([1, name], [2, message([1, message([1, FLOAT], [2, shape])])]);
}

/** Input `features` of shape 1 × n, output `up` of shape 1 × 1. */
export function logisticModel(weights: readonly number[], bias: number): Uint8Array {
  const graph = message(
    [1, node('MatMul', ['features', 'weights'], 'product')],
    [1, node('Add', ['product', 'bias'], 'score')],
    [1, node('Sigmoid', ['score'], 'up')],
    [2, 'logistic'],
    [5, tensor('weights', [weights.length, 1], weights)],
    [5, tensor('bias', [1], [bias])],
    [11, shaped('features', [1, weights.length])],
    [12, shaped('up', [1, 1])],
  );
  return message([1, 8], [2, 'tidewire'], [7, graph], [8, message([2, 13])]);
}
