/** Operations that move money without an order. */
import type { Clock, Lane } from '../../model/ports.ts';
import type { HttpClient } from './http.ts';
import type { LoginSession } from './sockets/login-session.ts';
import { createCodeOperations, type CodeOperations } from './operations/codes.ts';
import { createCryptoOperations, type CryptoOperations } from './operations/crypto.ts';
import { createDictionaryOperations, type DictionaryOperations } from './operations/dictionaries.ts';
import { createIdentityOperations, type IdentityOperations } from './operations/identity.ts';
import { sendsCommands, type SendCommand } from './operations/money-commands.ts';
import { createOverdraftOperations, type OverdraftOperations } from './operations/overdraft.ts';
import { createP2pOperations, type P2pOperations } from './operations/p2p.ts';
import { createReferralOperations, type ReferralOperations } from './operations/referrals.ts';
import { createTransferOperations, type TransferOperations } from './operations/transfers.ts';

export interface MoneyOperations {
  readonly send: SendCommand;
  readonly transfers: TransferOperations;
  readonly identity: IdentityOperations;
  readonly codes: CodeOperations;
  readonly crypto: CryptoOperations;
  readonly overdraft: OverdraftOperations;
  readonly p2p: P2pOperations;
  readonly dictionaries: DictionaryOperations;
  readonly referrals: ReferralOperations;
}

/** Reads never delay orders. */
const READ_LANE: Lane = 'history';

export function createMoneyOperations(http: HttpClient, clock: Clock, login: LoginSession): MoneyOperations {
  const ports = { http, clock };
  return Object.freeze({
    send: sendsCommands(ports),
    transfers: createTransferOperations(ports, READ_LANE),
    identity: createIdentityOperations(ports, login, READ_LANE),
    codes: createCodeOperations(ports, READ_LANE),
    crypto: createCryptoOperations(ports, READ_LANE),
    overdraft: createOverdraftOperations(ports, READ_LANE),
    p2p: createP2pOperations(ports, READ_LANE),
    dictionaries: createDictionaryOperations(http, clock, READ_LANE),
    referrals: createReferralOperations(http, READ_LANE),
  });
}
