/** The market of a file as a strategy receives it: the frames in the order of their receipt, one book, the last print. */
import type { Dataset } from '../dataset.ts';
import { marketSteps } from '../market.ts';

/** Prices in ticks, quantities in lots: units of the file's scales. */
export interface ViewStep {
  readonly us: number;
  readonly symbol: string;
  readonly bid: number | null;
  readonly ask: number | null;
  /** Of a print; null: the book changed. */
  readonly print: { readonly price: number; readonly quantity: number } | null;
}

const views = new WeakMap<Dataset, readonly ViewStep[]>();

export function viewOf(dataset: Dataset): readonly ViewStep[] {
  const known = views.get(dataset);
  if (known !== undefined) return known;
  const { recorded, symbol } = dataset;
  const frames = recorded.frames
    .map((frame) => ({ ...frame, us: frame.receiveUs }))
    .toSorted((a, b) => a.us - b.us || a.line - b.line);
  let [bid, ask]: [number | null, number | null] = [null, null];
  const steps = marketSteps({ ...recorded, frames }, 'default').steps.map((step): ViewStep => {
    if (step.kind === 'book') ({ bid, ask } = step);
    const print = step.kind === 'trade' ? { price: step.price, quantity: step.quantity } : null;
    return { us: step.us, symbol, bid, ask, print };
  });
  views.set(dataset, steps);
  return steps;
}
