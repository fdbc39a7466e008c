/** All mutants that must be caught, and the list of those that are not. */
import type { Mutant } from '../mutant.ts';
import { orderMutants } from './orders.ts';
import { reconcileMutants } from './reconcile.ts';
import { riskMutants } from './risk.ts';
import { streamMutants } from './streams.ts';
import { survivors } from './survivors.ts';
import { wireMutants } from './wire.ts';

export const mutants: readonly Mutant[] = [
  ...wireMutants,
  ...orderMutants,
  ...streamMutants,
  ...reconcileMutants,
  ...riskMutants,
];

export const everyMutant: readonly Mutant[] = [...mutants, ...survivors];
