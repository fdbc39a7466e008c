/**
 * Removes secrets from shared text, known ones in all encodings and anything alike. A second search refuses what
 * remains (reliability H07). Pure.
 */
import { operationErrors } from '../errors.ts';

const HIDDEN = '***';
/** Shorter ones would match innocent text; 2FA codes have six digits. */
const LENGTH_MIN = 6;
/** Length of a secret inside other base64, without characters that depend on neighbours. */
const ALIGNED_MIN = 8;

/** Keys, signatures, hashes, login tokens, and members with such names. */
const FORMS: readonly RegExp[] = [
  /(?<![\w.-])[0-9a-f]{40,}(?![\w-])/gi,
  /\beyJ[\w-]{6,}\.[\w-]+(\.[\w-]*)?/g,
  /\b(?:bearer|basic)\s+[\w.~+/=-]{8,}/gi,
];
const MEMBER =
  /("(?:[^"\\]*(?:secret|token|password|passphrase|signature|2fa)[^"\\]*)"\s*:\s*")((?:[^"\\]|\\.)+)(?=")/gi;

export function spellingsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const aligned = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  );
  const url = aligned.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const json = JSON.stringify(secret).slice(1, -1);
  const hex = bytes.toString('hex');
  return [
    secret,
    bytes.toString('latin1'),
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(secret),
    hex,
    hex.toUpperCase(),
    ...[...aligned, ...url].filter(({ length }) => length >= ALIGNED_MIN),
  ];
}

export class Hiding {
  /** Longest first, since one may contain another. */
  readonly #spellings: readonly string[];
  readonly #home: string;
  #count = 0;

  /** `home` is shown as `~`; empty for none. */
  constructor(secrets: Iterable<string>, home: string) {
    const known = [...secrets].filter(({ length }) => length >= LENGTH_MIN).flatMap(spellingsOf);
    this.#spellings = [...new Set(known)].toSorted((left, right) => right.length - left.length);
    this.#home = home;
  }

  /** Replacements so far. */
  get count(): number {
    return this.#count;
  }

  /** Throws `bundle_unsafe` where a secret remains. */
  text(text: string): string {
    const hide = (): string => {
      this.#count++;
      return HIDDEN;
    };
    let clean = this.#spellings.reduce((rest, spelling) => rest.replaceAll(spelling, hide), text);
    for (const form of FORMS) clean = clean.replace(form, hide);
    clean = clean.replace(MEMBER, (whole, head: string, value: string) =>
      value === HIDDEN || value === 'auto' ? whole : `${head}${hide()}`,
    );
    if (this.#home.length > 1) clean = clean.replaceAll(this.#home, '~');
    this.#requireNone(clean);
    return clean;
  }

  #requireNone(text: string): void {
    const isLeft =
      this.#spellings.some((spelling) => text.includes(spelling)) || FORMS.some((form) => text.search(form) >= 0);
    if (isLeft) throw operationErrors.make('bundle_unsafe', 'a secret could not be hidden; nothing was written');
  }
}

const SECRET_NAME = /key|secret|token|pass|2fa|jwt|auth|credential|cookie/i;

/** Environment values that may be secret, by their names. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) => (value !== undefined && SECRET_NAME.test(name) ? [value] : []));
}
