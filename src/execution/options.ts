/** Options of the executor, each from its room. */
import { z } from 'zod';
import { reconcileSchema } from '../reconciler/options.ts';
import { riskSchema } from '../risk/options.ts';

export const executionSchema = z.strictObject({
  risk: riskSchema.prefault({}),
  reconcile: reconcileSchema.prefault({}),
});

export type ExecutionOptions = z.output<typeof executionSchema>;
