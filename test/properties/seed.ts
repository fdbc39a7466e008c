/**
 * Fixes the seed of every property test, so that a run says the same on each machine. Loaded by vitest before each test
 * file. `npm run properties` draws fresh seeds through the variable; so does whoever replays what it found.
 */
import fc from 'fast-check';

export const SEED_VARIABLE = 'TIDEWIRE_PROPERTY_SEED';

const FIXED = 1;

const given = process.env[SEED_VARIABLE];
const seed = given === undefined ? FIXED : Number(given);
if (!Number.isSafeInteger(seed)) throw new RangeError(`${SEED_VARIABLE}=${given}: expected an integer`);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
