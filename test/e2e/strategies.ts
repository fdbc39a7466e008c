/** Strategy files as a user might write them, good and bad, for the tests that run them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `body` is what `setup` does with `{ symbol, market, account, instrument }`. */
function strategy(name: string, body: string): string {
  return `import { cancelAll, defineStrategy, note, place, quote, target, z } from 'tidewire';
import { map, take, tap } from 'rxjs';

void [cancelAll, note, place, quote, target, map, take, tap];

export default defineStrategy({
  name: '${name}',
  params: z.object({ symbol: z.string().default('BTCUSDT') }),
  setup({ params: { symbol }, market, account }) {
    const instrument = market.instrument(symbol);
    void [instrument, account];
    ${body}
  },
});
`;
}

export const sources = {
  /** Quotes far below the market, then throws at its twelfth price. */
  throws: strategy(
    'throws',
    `let seen = 0;
    return market.top(symbol).pipe(
      map(({ mid }) => {
        seen += 1;
        if (seen === 12) throw new Error('out of ideas');
        return quote(symbol, { bids: [{ price: instrument.roundPrice(mid * 0.99, 'down'), quantity: '0.001' }], asks: [] });
      }),
    );`,
  ),
  throwsAtSetup: strategy('throws-at-setup', `throw new Error('not today');`),
  /** Off the tick, off the lot, not a number, below the minimum, and one that is right. */
  off: strategy(
    'off',
    `return market.top(symbol).pipe(
      take(1),
      map(() => [
        place({ symbol, side: 'buy', type: 'limit', price: '58000.001', quantity: '0.001' }),
        place({ symbol, side: 'buy', type: 'limit', price: '58000.01', quantity: '0.0010001' }),
        place({ symbol, side: 'buy', type: 'limit', price: NaN, quantity: '0.001' }),
        place({ symbol, side: 'buy', type: 'limit', price: '58000.01', quantity: '0.00001' }),
        place({ symbol, side: 'buy', type: 'limit', price: '58000.01', quantity: '0.001' }),
      ]),
    );`,
  ),
  /** Runs, but does not type-check. */
  types: strategy('types', `return market.top(symbol).pipe(map(({ midd }) => { void midd; return []; }));`),
  /** Its symbol is no parameter. */
  fixed: `import { defineStrategy, place, z } from 'tidewire';
import { map, take } from 'rxjs';

export default defineStrategy({
  name: 'fixed',
  params: z.object({}),
  setup: ({ market }) =>
    market.top('ETHUSDT').pipe(
      take(1),
      map(() => place({ symbol: 'ETHUSDT', side: 'buy', type: 'market', quantity: '0.01' })),
    ),
});
`,
  noDefault: 'export const name = 1;\n',
  noStrategy: 'export default { name: 7 };\n',
  syntax: `import { map } from 'rxjs';\nconst broken = ;\nexport default map;\n`,
  badImport: `import { defineStrategie } from 'tidewire';\nexport default defineStrategie;\n`,
  enumeration: 'enum Side { Buy }\nexport default Side;\n',
} as const;

/** Notes a text once; answers its name there. */
export function writeTelling(cwd: string, text: string): string {
  const body = `return market.top(symbol).pipe(take(1), map(() => note(${JSON.stringify(text)})));`;
  writeFileSync(join(cwd, 'tells.ts'), strategy('tells', body));
  return 'tells.ts';
}

/** Writes one of them into the folder; answers its name there. */
export function writeStrategy(cwd: string, name: keyof typeof sources): string {
  writeFileSync(join(cwd, `${name}.ts`), sources[name]);
  return `${name}.ts`;
}

/** Rests one order, then never gives the event loop a turn again; the file `hangs` says that it has begun to. */
export function writeHanging(cwd: string): string {
  const body = `let placed = false;
    return market.top(symbol).pipe(
      map(({ mid }) => {
        if (process.env.HANGS === 'no') return [];
        if (!placed) {
          placed = true;
          return [place({ symbol, side: 'buy', type: 'limit', price: instrument.roundPrice(mid * 0.97, 'down'), quantity: '0.001' })];
        }
        if (account.openOrders(symbol).every(({ state }) => state !== 'open')) return [];
        writeFileSync('hangs', 'yes');
        const hang = (): Promise<void> => Promise.resolve().then(hang);
        void hang();
        return [];
      }),
    );`;
  writeFileSync(join(cwd, 'hanging.ts'), `import { writeFileSync } from 'node:fs';\n${strategy('hanging', body)}`);
  return 'hanging.ts';
}
