/** Fields of a request body or query. `BadRequest` becomes a 400 that names the field. */
import { isDecimalText } from '../model/numbers/money.ts';
import { JsonNumber } from './json.ts';

export class BadRequest extends Error {
  override readonly name = 'BadRequest';
  readonly field: string | undefined;

  constructor(message: string, field?: string) {
    super(message);
    this.field = field;
  }
}

const TEXT_MAX = 1000;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

/** `null` counts as present with a wrong type: JSON writes `NaN` as `null`, and it must not mean "all". */
export class Fields {
  readonly #values: Record<string, unknown>;

  private constructor(values: Record<string, unknown>) {
    this.#values = values;
  }

  static ofBody(body: unknown): Fields {
    if (!isRecord(body)) throw new BadRequest('the body must be a JSON object');
    return new Fields(body);
  }

  static ofQuery(query: URLSearchParams): Fields {
    const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    for (const [name, value] of query) {
      if (value !== '') values[name] = value;
    }
    return new Fields(values);
  }

  has(name: string): boolean {
    return this.#get(name) !== undefined;
  }

  /** Refuses all other names. */
  only(names: readonly string[]): void {
    const other = Object.keys(this.#values).find((name) => !names.includes(name));
    if (other !== undefined) throw new BadRequest(`${other} is none of ${names.join(', ')}`, other);
  }

  text(name: string): string {
    const value = this.#get(name);
    if (typeof value !== 'string' || value === '') throw new BadRequest(`${name} must be a text`, name);
    if (value.length > TEXT_MAX) throw new BadRequest(`${name} is longer than ${TEXT_MAX} characters`, name);
    return value;
  }

  optionalText(name: string): string | undefined {
    return this.has(name) ? this.text(name) : undefined;
  }

  /** May be empty; undefined when absent. */
  optionalNote(name: string): string | undefined {
    return this.#get(name) === '' ? '' : this.optionalText(name);
  }

  oneOf<const Value extends string>(name: string, values: readonly Value[]): Value {
    const given = this.text(name);
    const found = values.find((value) => value === given);
    if (found === undefined) throw new BadRequest(`${name} must be one of ${values.join(', ')}`, name);
    return found;
  }

  optionalOneOf<const Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    return this.has(name) ? this.oneOf(name, values) : undefined;
  }

  /** Plain decimal text without sign or exponent. */
  decimal(name: string): string {
    const value = this.#get(name);
    const text = value instanceof JsonNumber ? value.source : value;
    if (typeof text !== 'string' || text.length > 100 || !isDecimalText(text) || text.startsWith('-')) {
      throw new BadRequest(`${name} must be a decimal without sign or exponent`, name);
    }
    return text;
  }

  optionalDecimal(name: string): string | undefined {
    return this.has(name) ? this.decimal(name) : undefined;
  }

  integer(name: string, min: number, max: number): number {
    const value = this.#get(name);
    const text = value instanceof JsonNumber ? value.source : value;
    const number = typeof text === 'string' && /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= min && number <= max)) {
      throw new BadRequest(`${name} must be an integer from ${min} to ${max}`, name);
    }
    return number;
  }

  optionalInteger(name: string, min: number, max: number): number | undefined {
    return this.has(name) ? this.integer(name, min, max) : undefined;
  }

  optionalNumber(name: string, min: number, max: number): number | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (!(value instanceof JsonNumber) || !(value.value >= min && value.value <= max)) {
      throw new BadRequest(`${name} must be a number from ${min} to ${max}`, name);
    }
    return value.value;
  }

  optionalBoolean(name: string): boolean | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'boolean') throw new BadRequest(`${name} must be true or false`, name);
    return value;
  }

  list(name: string, max: number): readonly unknown[] {
    const value = this.#get(name);
    if (!Array.isArray(value)) throw new BadRequest(`${name} must be a list`, name);
    if (value.length > max) throw new BadRequest(`${name} has more than ${max} items`, name);
    return value;
  }

  texts(name: string, max: number): readonly string[] {
    return this.list(name, max).map((item) => {
      if (typeof item !== 'string' || item === '' || item.length > TEXT_MAX) {
        throw new BadRequest(`${name} must be a list of texts`, name);
      }
      return item;
    });
  }

  objects(name: string, max: number): readonly Fields[] {
    return this.list(name, max).map((item) => {
      if (!isRecord(item)) throw new BadRequest(`${name} must be a list of objects`, name);
      return new Fields(item);
    });
  }

  optionalObject(name: string): Fields | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (!isRecord(value)) throw new BadRequest(`${name} must be an object`, name);
    return new Fields(value);
  }

  /** Any JSON, unchanged; at most `TEXT_MAX` characters. */
  optionalJson(name: string): unknown {
    if (!this.has(name)) return undefined;
    const value = this.#get(name);
    if (JSON.stringify(value).length > TEXT_MAX) {
      throw new BadRequest(`${name} is longer than ${TEXT_MAX} characters`, name);
    }
    return value;
  }

  #get(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
  }
}
