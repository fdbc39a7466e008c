/** Commands of logins and API keys. */
import fc from 'fast-check';
import { PICK_MAX } from './setting.ts';

const who = fc.nat(1);
const pick = fc.nat(PICK_MAX);
/** Steps of 30 s by which the shown code is off; one to each side still counts. */
const codeSteps = fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, -1, 1, -2, 2);
const by = fc.constantFrom(...Array<'login'>(9).fill('login'), 'key' as const);

export const keyFaults = ['headers', 'format', 'time-format', 'unknown', 'late', 'early', 'edge', 'signature'] as const;
export type KeyFault = (typeof keyFaults)[number];

export const keysStep = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('create-key' as const),
      who,
      /** One digit a category: 0 none, 1 read_only, 2 full. */
      levels: fc.array(fc.constantFrom(0, 0, 1, 2), { minLength: 7, maxLength: 7 }),
      whitelist: fc.constantFrom('none' as const, 'none' as const, 'home' as const, 'away' as const),
      bare: fc.constantFrom(true, true, false),
      steps: codeSteps,
      by,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('delete-key' as const),
      who,
      pick,
      steps: codeSteps,
      by,
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('use-key' as const),
      pick,
      route: fc.nat(30),
      faults: fc.oneof(
        { weight: 3, arbitrary: fc.constant<KeyFault[]>([]) },
        { weight: 2, arbitrary: fc.uniqueArray(fc.constantFrom(...keyFaults), { minLength: 1, maxLength: 3 }) },
      ),
      address: fc.constantFrom('127.0.0.1', '127.0.0.1', '::ffff:127.0.0.1', '10.0.0.9'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('open-socket' as const),
      pick,
      faults: fc.oneof(
        { weight: 2, arbitrary: fc.constant<KeyFault[]>([]) },
        { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom(...keyFaults), { minLength: 1, maxLength: 2 }) },
      ),
      address: fc.constantFrom('127.0.0.1', '127.0.0.1', '10.0.0.9'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('block-key' as const), pick, blocked: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('log-in' as const), who, right: fc.boolean(), steps: codeSteps }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('use-token' as const), pick }) },
);
export type KeysStep = typeof keysStep extends fc.Arbitrary<infer Step> ? Step : never;
