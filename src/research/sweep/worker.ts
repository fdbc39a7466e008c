/** A search's worker thread: takes the ground once, then evaluates trials. */
import { workerData } from 'piscina';
import { evaluateOn } from './evaluate.ts';
import type { Evaluated, Job, SweepGround } from './evaluation.ts';

const ground = workerData as SweepGround;
process.argv = [...ground.argv];
const evaluate = evaluateOn(ground);

export default async function run(job: Job): Promise<Evaluated> {
  return evaluate(job);
}
