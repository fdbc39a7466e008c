/** Names of intents: by boot and count, and as the client order id that the exchange is given. */

/** Marks our orders on the account: ownership is by this prefix and the journal. */
export const CLIENT_PREFIX = 'tw-';

export function clientOrderIdOf(intentId: string): string {
  return `${CLIENT_PREFIX}${intentId}`;
}

/** The intent id of a client order id of ours, or undefined for somebody else's. */
export function intentIdOf(clientOrderId: string | undefined): string | undefined {
  return clientOrderId !== undefined && clientOrderId.startsWith(CLIENT_PREFIX)
    ? clientOrderId.slice(CLIENT_PREFIX.length)
    : undefined;
}

/** The session that made an intent: its id without the number of the start and the count. (reliability O40). */
export function sessionOfIntent(intentId: string): string {
  return sessionOfBoot(intentId.slice(0, Math.max(0, intentId.lastIndexOf('-'))));
}

/** Which of the intents of the journal it is, from 1 on; undefined when another process made it. */
export function countOfIntent(intentId: string, bootId: string): number | undefined {
  return intentId.startsWith(`${bootId}-`) ? Number(intentId.slice(bootId.length + 1)) : undefined;
}

/** What the starts of one session have in common: all but when one was, and which. */
export function sessionOfBoot(bootId: string): string {
  return bootId.replace(/(?:_\d+){1,2}$/, '');
}
