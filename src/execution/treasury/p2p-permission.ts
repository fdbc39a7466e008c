/** Why a strategy may not act on P2P, and what to give so that it may. Said by the desks of advertisements and trades. */
import { denied, type Denied } from '../../model/deny-reason.ts';

export function p2pNotAllowed(tag: string): Denied {
  const how = 'run it with a configuration that has it, such as --config config/p2p.yaml';
  return denied('p2p_not_allowed', `limits.p2p of ${tag} is not true: ${how}`);
}
