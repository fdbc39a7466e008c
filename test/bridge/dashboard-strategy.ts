/** A strategy file as text: quotes both sides tightly, with a name and notes that would be tags of a careless page. */
export const EVIL = `"><img src=x onerror=document.title='gotcha'><script>document.title='gotcha'</script>`;

export const evilMaker = `import { defineStrategy, note, quote, z } from 'tidewire';
import { map } from 'rxjs';

const EVIL = ${JSON.stringify(EVIL)};

export default defineStrategy({
  name: 'evil-maker',
  params: z.object({ symbol: z.string().default('BTCUSDT'), title: z.string().default(EVIL) }),
  setup({ params: { symbol }, market }) {
    const instrument = market.instrument(symbol);
    let looks = 0;
    return market.top(symbol, { every: '100ms' }).pipe(
      map(({ bid, ask, mid }) => {
        const legs = {
          bids: [{ price: instrument.roundPrice(mid - (ask - bid) / 4, 'down'), quantity: '0.001' }],
          asks: [{ price: instrument.roundPrice(mid + (ask - bid) / 4, 'up'), quantity: '0.001' }],
        };
        return looks++ % 20 === 0 ? [note(EVIL), quote(symbol, legs)] : [quote(symbol, legs)];
      }),
    );
  },
});
`;
