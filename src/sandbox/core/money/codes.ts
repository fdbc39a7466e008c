/**
 * Codes (vouchers): from the creator's `funding` to the redeemer's, meanwhile in the house account `codes`. A recipient
 * makes the code exclusive.
 */
import type { CodeStatus } from '../../../exchange/interface/states.ts';
import { decimalText, type Decimal } from '../../../model/numbers/money.ts';
import type { MoneyPorts } from './money-ports.ts';
import { refuse, refuseCover, type Refusal } from '../refusal.ts';
import type { User } from '../identity/users.ts';

export interface NewCode {
  readonly currency: string;
  readonly amount: Decimal;
  readonly recipient: User | undefined;
  readonly comment: string | undefined;
}

export interface Code extends NewCode {
  readonly codeId: string;
  readonly secret: string;
  readonly creator: User;
  readonly createdAt: number;
  status: CodeStatus;
  activatedAt: number | null;
  activatedBy: User | null;
}

export class Codes {
  readonly #ports: MoneyPorts;
  readonly #bySecret = new Map<string, Code>();
  readonly #byId = new Map<string, Code>();

  constructor(ports: MoneyPorts) {
    this.#ports = ports;
  }

  create(creator: User, request: NewCode, secret: string, now: number): Code | Refusal {
    const { currency, amount } = request;
    const { accounts, assumed, transactions } = this.#ports;
    if (amount.isZero()) return refuse('below_minimum', 'amount must be above zero', 'amount');
    if (this.createdBy(creator).filter((code) => code.status === 'active').length >= assumed.codesOpenMax) {
      return refuse('limit_reached', `${assumed.codesOpenMax} codes are open already`);
    }
    const account = 'funding';
    if (!accounts.pocket(creator.userId, account, currency).pay(amount, 'codes')) return refuseCover(currency, account);
    const entry = { type: 'code_create', currency, amount, account } as const;
    const { transactionId } = transactions.complete(creator.userId, entry, now);
    const code: Code = {
      ...request,
      codeId: transactionId,
      secret,
      creator,
      createdAt: now,
      status: 'active',
      activatedAt: null,
      activatedBy: null,
    };
    this.#bySecret.set(secret, code);
    this.#byId.set(code.codeId, code);
    return code;
  }

  redeem(user: User, secret: string, now: number): Code | Refusal {
    const code = this.#bySecret.get(secret);
    if (code === undefined) return refuse('code_not_found', 'there is no such code', 'code');
    if (code.recipient !== undefined && code.recipient !== user) {
      return refuse('not_owner', `code ${code.codeId} is for another user`, 'code');
    }
    if (code.status === 'activated') {
      return refuse('code_already_activated', `code ${code.codeId} was redeemed before`, 'code');
    }
    const { currency, amount } = code;
    this.#ports.accounts.pocket(user.userId, 'funding', currency).receive(amount, 'codes');
    const entry = { type: 'code_redeem', currency, amount, account: 'funding' } as const;
    this.#ports.transactions.complete(user.userId, entry, now);
    code.status = 'activated';
    code.activatedAt = now;
    code.activatedBy = user;
    return code;
  }

  find(user: User, codeId: string): Code | Refusal {
    const code = this.#byId.get(codeId);
    if (code === undefined) return refuse('code_not_found', `there is no code ${codeId}`, 'codeId');
    if (code.creator === user || code.activatedBy === user) return code;
    return refuse('not_owner', `code ${codeId} belongs to another user`, 'codeId');
  }

  createdBy(user: User): readonly Code[] {
    return [...this.#byId.values()].filter((code) => code.creator === user);
  }
}

/** Without the secret. */
export function codeBody(code: Code): object {
  return {
    codeId: code.codeId,
    currency: code.currency,
    amount: decimalText(code.amount),
    status: code.status,
    recipient: code.recipient?.login ?? null,
    comment: code.comment ?? null,
    createdAt: code.createdAt,
    activatedAt: code.activatedAt,
    activatedBy: code.activatedBy?.login ?? null,
  };
}
