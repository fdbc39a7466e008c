/** What the model of `strategies/onnx-classifier.ts` is asked with: the same in training and in trading. */

/** Candles that a return is taken over. */
const LAGS = [1, 4, 16];
/** Closes that the features are made of. */
export const WINDOW = 49;

/** Returns in standard deviations of their length, of the last closes; the training takes the same. */
export function featuresOf(closes: readonly number[]): readonly number[] | undefined {
  const last = closes.at(-1);
  if (last === undefined || closes.length < WINDOW) return undefined;
  const squares = closes.slice(-WINDOW).map((close, index, all) => Math.log(close / (all[index - 1] ?? close)) ** 2);
  const deviation = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / (WINDOW - 1));
  if (deviation === 0) return undefined;
  return LAGS.map((lag) => Math.log(last / (closes.at(-1 - lag) ?? last)) / (deviation * Math.sqrt(lag)));
}
