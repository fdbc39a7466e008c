/** Deposit addresses per user, currency and network. Older ones stay valid. */
import { issuedAddress } from '../../../exchange/wire/money/address-form.ts';
import type { CurrencyNetwork } from './networks.ts';
import { refuse, type Refusal } from '../refusal.ts';

export interface Destination {
  readonly address: string;
  readonly memo?: string | undefined;
}

export interface DepositAddress extends Destination {
  readonly userId: string;
  readonly currency: string;
  readonly network: string;
}

export class DepositAddresses {
  readonly #byOwner = new Map<string, DepositAddress[]>();
  readonly #byPlace = new Map<string, DepositAddress>();
  readonly #addressesMax: number;

  /** Per user, currency and network. */
  constructor(addressesMax: number) {
    this.#addressesMax = addressesMax;
  }

  /** `random`: 64 hexadecimal characters. */
  issue(userId: string, row: CurrencyNetwork, random: string): DepositAddress | Refusal {
    const { currency, network, chain } = row;
    const owner = ownerKey(userId, row);
    const issued = this.#byOwner.get(owner) ?? [];
    if (issued.length >= this.#addressesMax) {
      return refuse('limit_reached', `${this.#addressesMax} addresses are issued already`);
    }
    const { addressPrefix, addressDigits, usesMemo } = chain;
    // With memos all users share one address.
    const digits = usesMemo ? '5a'.repeat(addressDigits / 2) : random.slice(0, addressDigits);
    const memo = usesMemo ? { memo: String(Number.parseInt(random.slice(0, 12), 16)) } : {};
    const formed = issuedAddress(network, Buffer.from(random.slice(0, 40), 'hex')) ?? `${addressPrefix}${digits}`;
    const address = { userId, currency, network, address: formed, ...memo };
    this.#byOwner.set(owner, [...issued, address]);
    this.#byPlace.set(placeKey(row, address), address);
    return address;
  }

  latest(userId: string, row: CurrencyNetwork): DepositAddress | Refusal {
    const { currency, network } = row;
    return (
      this.#byOwner.get(ownerKey(userId, row))?.at(-1) ??
      refuse('no_address', `no ${currency} address was issued on ${network} yet`)
    );
  }

  /** Undefined for an external address. */
  at(row: CurrencyNetwork, destination: Destination): DepositAddress | undefined {
    return this.#byPlace.get(placeKey(row, destination));
  }
}

function ownerKey(userId: string, { currency, network }: CurrencyNetwork): string {
  return `${userId}/${currency}/${network}`;
}

function placeKey({ currency, network }: CurrencyNetwork, { address, memo }: Destination): string {
  return `${currency}/${network}/${address}/${memo ?? ''}`;
}
