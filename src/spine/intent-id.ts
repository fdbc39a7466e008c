/** Names of intents. */

/** Ownership on the account is by this prefix and the journal. */
export const CLIENT_PREFIX = 'tw-';

export function clientOrderIdOf(intentId: string): string {
  return `${CLIENT_PREFIX}${intentId}`;
}

/** Undefined for an external order. */
export function intentIdOf(clientOrderId: string | undefined): string | undefined {
  return clientOrderId !== undefined && clientOrderId.startsWith(CLIENT_PREFIX)
    ? clientOrderId.slice(CLIENT_PREFIX.length)
    : undefined;
}

/** The intent id without the number of the start and the count (reliability O40). */
export function sessionOfIntent(intentId: string): string {
  return sessionOfBoot(intentId.slice(0, Math.max(0, intentId.lastIndexOf('-'))));
}

/** From 1 on, over all intents of the journal; undefined when another process made it. */
export function countOfIntent(intentId: string, bootId: string): number | undefined {
  return intentId.startsWith(`${bootId}-`) ? Number(intentId.slice(bootId.length + 1)) : undefined;
}

/** Removes the time and the number of the start. */
export function sessionOfBoot(bootId: string): string {
  return bootId.replace(/(?:_\d+){1,2}$/, '');
}
