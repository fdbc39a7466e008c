/**
 * Everything that an object holds, its private fields too, as plain data: so that two states can be compared without a
 * list of what they have. By the debugger of the process itself.
 */
import { Session, type Runtime } from 'node:inspector';

/** Made again from what stands beside them whenever somebody asks. */
const CACHES: ReadonlySet<string> = new Set([
  'filledAs',
  'lastIndex',
  'lastText',
  'told',
  '#average',
  '#averaged',
  '#last',
  '#working',
  '#heard',
]);
/** Places of a ring that is as large as its history: what is in it stands in the lists of orders. */
const INDEXES: ReadonlySet<string> = new Set(['#byIntent', '#byOrderId', '#byRef']);

export class InnerView {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
  }

  /** `class.field` of each field that is met on the way, for a test that all are. */
  readonly fields = new Set<string>();

  of(value: object): unknown {
    Reflect.set(globalThis, 'tidewireInnerView', value);
    const { result } = this.#post<Runtime.EvaluateReturnType>('Runtime.evaluate', {
      expression: 'globalThis.tidewireInnerView',
    });
    return this.#plain(result);
  }

  close(): void {
    Reflect.deleteProperty(globalThis, 'tidewireInnerView');
    this.#session.disconnect();
  }

  #plain({
    type,
    subtype,
    value,
    objectId,
    description,
    className,
    unserializableValue,
  }: Runtime.RemoteObject): unknown {
    if (type === 'function') return 'function';
    if (type !== 'object' || subtype === 'null')
      return type === 'undefined' ? undefined : (unserializableValue ?? value ?? description ?? null);
    const {
      result,
      privateProperties = [],
      internalProperties = [],
    } = this.#post<Runtime.GetPropertiesReturnType & { readonly privateProperties?: Runtime.PropertyDescriptor[] }>(
      'Runtime.getProperties',
      { objectId, ownProperties: true },
    );
    if (subtype === 'map' || subtype === 'set') {
      const entries = internalProperties.find(({ name }) => name === '[[Entries]]')?.value;
      return entries === undefined ? [] : this.#plain(entries);
    }
    const plain: Record<string, unknown> = {};
    for (const { name, value: field } of [...result, ...privateProperties]) {
      if (name === '__proto__' || (name === 'length' && subtype === 'array')) continue;
      this.fields.add(`${className ?? ''}.${name}`);
      if (CACHES.has(name) || INDEXES.has(name) || field === undefined || field.type === 'function') continue;
      plain[name] = this.#plain(field);
    }
    return subtype === 'array' ? Object.values(plain) : plain;
  }

  #post<Answer>(method: string, params: object): Answer {
    let answer: Answer | undefined;
    this.#session.post(method, params, (error, told) => {
      if (error !== null) throw new Error(error.message);
      answer = told as Answer;
    });
    if (answer === undefined) throw new Error(`the debugger did not answer ${method}`);
    return answer;
  }
}
