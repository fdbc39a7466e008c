/** Set-ups of spot on the rig: a buy far below the market, and a reconciler that ends with its test. */
import { afterEach } from 'vitest';
import { createReconciler, type Reconciler, type ReconcilerOptions } from '../../src/reconciler/reconciler.ts';
import type { Action } from '../../src/model/trading/action.ts';
import type { Rig } from './rig.ts';

export const place = {
  kind: 'place',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  price: '59000',
  quantity: '0.01',
} as const satisfies Action;

const started: Reconciler[] = [];

export function startReconciler({ executor }: Pick<Rig, 'executor'>, options: ReconcilerOptions = {}): Reconciler {
  const reconciler = createReconciler(executor, options);
  started.push(reconciler);
  reconciler.start();
  return reconciler;
}

export function stopReconcilers(): void {
  for (const reconciler of started.splice(0)) reconciler.stop();
}

afterEach(stopReconcilers);
