/**
 * The form of addresses on well-known networks: what cannot be an address there is refused before money can go to it. Other
 * networks are not judged. `issuedAddress` makes one for the sandbox.
 */
import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bech32, bech32m, createBase58check } from '@scure/base';

/** What is wrong with an address; null: it has the form. */
type Judge = (address: string) => string | null;

interface AddressForm {
  readonly networks: readonly string[];
  readonly wrong: Judge;
  /** Of 20 bytes. */
  readonly issued: (hash: Uint8Array) => string;
}

const base58check = createBase58check((data: Uint8Array) => new Uint8Array(createHash('sha256').update(data).digest()));

function decoded<T>(decode: () => T): T | null {
  try {
    return decode();
  } catch {
    return null;
  }
}

/** The version byte with 20 bytes more. */
function base58Version(address: string): number | null {
  const bytes = decoded(() => base58check.decode(address));
  return bytes?.length === 21 ? (bytes[0] ?? null) : null;
}

/** EIP-55: upper case where the digit of the hash is 8 or more. */
function checksummed(digits: string): string {
  const hash = Buffer.from(keccak_256(Buffer.from(digits))).toString('hex');
  return digits.replace(/[a-f]/g, (digit, at: number) => ((hash[at] ?? '') >= '8' ? digit.toUpperCase() : digit));
}

function wrongEvm(address: string): string | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return 'expected 0x and 40 hexadecimal digits';
  const digits = address.slice(2);
  const lower = digits.toLowerCase();
  const isPlain = digits === lower || digits === digits.toUpperCase();
  return isPlain || digits === checksummed(lower) ? null : 'its upper and lower case contradict its checksum (EIP-55)';
}

const TRON = 0x41;

function wrongTron(address: string): string | null {
  if (!/^T\w{33}$/.test(address)) return 'expected T and 33 letters and digits';
  return base58Version(address) === TRON ? null : 'its checksum is wrong';
}

/** Pay to public key hash, pay to script hash. */
const BITCOIN: readonly (number | null)[] = [0x00, 0x05];

/** BIP 173 and BIP 350: version 0 is bech32, later ones are bech32m. */
function isSegwit(address: string): boolean {
  for (const coder of [bech32, bech32m]) {
    const found = decoded(() => coder.decode(address as `bc1${string}`));
    const [version, ...words] = found?.words ?? [];
    if (found?.prefix !== 'bc' || version === undefined || (version === 0) !== (coder === bech32)) continue;
    const size = decoded(() => coder.fromWords(words).length) ?? 0;
    if (version === 0 ? size === 20 || size === 32 : version <= 16 && size >= 2 && size <= 40) return true;
  }
  return false;
}

function wrongBitcoin(address: string): string | null {
  if (isSegwit(address) || BITCOIN.includes(base58Version(address))) return null;
  return 'expected an address that begins with bc1, 1 or 3, with its checksum';
}

// prettier-ignore
const EVM = [
  'ERC20', 'ETH', 'ETHEREUM', 'BEP20', 'BSC', 'POLYGON', 'MATIC', 'ARBITRUM', 'ARBITRUMONE', 'ARB', 'OPTIMISM', 'OP', 'BASE',
  'AVAXC', 'AVAX-C', 'CELO', 'LINEA', 'SCROLL', 'FANTOM', 'FTM', 'CRONOS', 'MANTLE', 'BLAST',
];

const forms: readonly AddressForm[] = [
  { networks: EVM, wrong: wrongEvm, issued: (hash) => `0x${checksummed(Buffer.from(hash).toString('hex'))}` },
  {
    networks: ['TRC20', 'TRC10', 'TRX', 'TRON'],
    wrong: wrongTron,
    issued: (hash) => base58check.encode(Uint8Array.of(TRON, ...hash)),
  },
  {
    networks: ['BTC', 'BITCOIN'],
    wrong: wrongBitcoin,
    issued: (hash) => bech32.encode('bc', [0, ...bech32.toWords(hash)]),
  },
];

const byNetwork: ReadonlyMap<string, AddressForm> = new Map(
  forms.flatMap((form) => form.networks.map((network) => [network, form] as const)),
);

export function isFormKnown(network: string): boolean {
  return byNetwork.has(network);
}

/** Why this cannot be an address of the network; null: it can, or the form of the network is not known. */
export function wrongAddress(network: string, address: string): string | null {
  return byNetwork.get(network)?.wrong(address) ?? null;
}

/** Null where the form of the network is not known. */
export function issuedAddress(network: string, hash: Uint8Array): string | null {
  return byNetwork.get(network)?.issued(hash) ?? null;
}

/** Where services share one address among their users, and a memo says whose money it is. */
const MEMO: ReadonlySet<string> = new Set(['TON', 'XRP', 'XLM', 'EOS', 'ATOM', 'HBAR', 'BEP2']);

export function oftenNeedsMemo(network: string): boolean {
  return MEMO.has(network);
}
