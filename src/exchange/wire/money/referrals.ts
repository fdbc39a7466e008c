/** The referral program (assumed). */
import { z } from 'zod';
import { amount, id, text } from '../scalars.ts';

export interface ReferralLink {
  readonly linkId: string;
  readonly url: string;
}

export const referralLinkSchema: z.ZodType<ReferralLink> = z.object({ linkId: id, url: text });

export interface ReferralReward {
  readonly linkId: string;
  readonly rewards: readonly { readonly currency: string; readonly amount: string }[];
}

export const referralRewardSchema: z.ZodType<ReferralReward> = z.object({
  linkId: id,
  rewards: z.array(z.object({ currency: text, amount })),
});
