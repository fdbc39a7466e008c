/** A worker thread of a search: takes the ground once and evaluates trials one after the other. */
import { workerData } from 'piscina';
import { evaluateOn } from './evaluate.ts';
import type { Evaluation, Job, SweepGround } from './evaluation.ts';

const evaluate = evaluateOn(workerData as SweepGround);

export default async function run(job: Job): Promise<Evaluation> {
  return evaluate(job);
}
