/** All mutants; each must be caught. */
import type { Mutant } from '../mutant.ts';
import { accountMutants } from './account.ts';
import { bothWaysMutants } from './both-ways.ts';
import { durabilityMutants } from './durability.ts';
import { futuresMutants } from './futures.ts';
import { moneyMutants } from './money.ts';
import { elsewhereMutants } from './elsewhere.ts';
import { endMutants } from './ends.ts';
import { fillMutants } from './fills.ts';
import { instrumentMutants } from './instruments.ts';
import { orderMutants } from './orders.ts';
import { programMutants } from './programs.ts';
import { reconcileMutants } from './reconcile.ts';
import { riskMutants } from './risk.ts';
import { ruinMutants } from './ruin.ts';
import { sendMutants } from './sends.ts';
import { socketMutants } from './sockets.ts';
import { startMutants } from './starts.ts';
import { streamMutants } from './streams.ts';
import { transferMutants } from './transfers.ts';
import { wireMutants } from './wire.ts';
import { wordMutants } from './words.ts';

export const mutants: readonly Mutant[] = [
  ...wireMutants,
  ...orderMutants,
  ...fillMutants,
  ...streamMutants,
  ...reconcileMutants,
  ...bothWaysMutants,
  ...accountMutants,
  ...startMutants,
  ...endMutants,
  ...riskMutants,
  ...futuresMutants,
  ...ruinMutants,
  ...sendMutants,
  ...socketMutants,
  ...durabilityMutants,
  ...instrumentMutants,
  ...elsewhereMutants,
  ...programMutants,
  ...transferMutants,
  ...moneyMutants,
  ...wordMutants,
];
