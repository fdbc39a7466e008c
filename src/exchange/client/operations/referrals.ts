/** Reads of the referral program (interface, "Account"). */
import type { Lane } from '../../../model/ports.ts';
import {
  referralLinkSchema,
  referralRewardSchema,
  type ReferralLink,
  type ReferralReward,
} from '../../wire/money/referrals.ts';
import type { HttpClient } from '../http.ts';
import { readObject, type Answer } from './answer.ts';

export interface ReferralOperations {
  link(): Promise<Answer<ReferralLink>>;
  reward(linkId: string): Promise<Answer<ReferralReward>>;
}

export function createReferralOperations(http: HttpClient, lane: Lane): ReferralOperations {
  return Object.freeze({
    link: () => readObject(http, { endpoint: 'referralLink', lane }, referralLinkSchema),
    reward: (linkId: string) =>
      readObject(http, { endpoint: 'referralReward', lane, params: { linkId } }, referralRewardSchema, { linkId }),
  });
}
