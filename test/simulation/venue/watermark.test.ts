/** Rule T6 for commands on live data: they wait for a later market event, or for the watermark. */
import { describe, expect, it } from 'vitest';
import { snapshot, trade } from '../market.ts';
import { TestSession } from '../session.ts';

/** Market data reaches us `feedMs` after it happened. */
function live(offsetUs = 0): TestSession {
  const session = new TestSession({}, { live: { offsetUs: () => offsetUs } });
  session.venue.start();
  session.clock.advanceTo(1_000_000);
  session.venue.onMarket(snapshot({ 100: 10 }, { 101: 5 }, { exchangeUs: 950_000 + offsetUs }));
  session.clock.advanceTo(1_100_000);
  return session;
}

describe('watermark', () => {
  it('T6: an event from before the arrival that is received after it is matched first', () => {
    const session = live();
    session.place({ side: 'buy', price: '101', quantity: '5' });
    session.pass(60);
    expect(session.of('outcome')).toEqual([]);
    session.venue.onMarket(snapshot({ 100: 10 }, { 105: 5 }, { exchangeUs: 1_120_000 }));
    session.venue.onMarket(trade('buy', 105, 1, { exchangeUs: 1_125_001 }));
    session.pass(25);
    expect(session.reports().at(-1)?.status).toBe('new');
    expect(session.of('fill')).toEqual([]);
  });

  it('T6: an event from after the arrival is not seen by the command', () => {
    const session = live();
    session.place({ side: 'buy', price: '101', quantity: '5' });
    session.pass(60);
    session.venue.onMarket(snapshot({ 100: 10 }, { 105: 5 }, { exchangeUs: 1_125_001 }));
    session.pass(25);
    expect(session.of('fill').map(({ fill }) => [fill.price, fill.ts])).toEqual([['101', 1125]]);
  });

  it('T6: without market events the watermark of 250 ms releases the command', () => {
    const session = live();
    session.place({ side: 'buy', price: '101', quantity: '5' });
    session.pass(25 + 249);
    expect(session.of('outcome')).toEqual([]);
    session.pass(1);
    expect(session.of('fill')).toHaveLength(1);
  });

  it('T6: commands keep their order when a later one is free first', () => {
    const session = live();
    const first = session.place({ side: 'buy', price: '90', quantity: '5' });
    const second = session.place({ side: 'buy', price: '90', quantity: '5', symbol: 'NOPE' });
    session.pass(600);
    expect(session.of('outcome').map(({ intentId }) => intentId)).toEqual([first, second]);
  });

  it('T6: arrival is reckoned on the exchange clock', () => {
    const session = live(1_270_000);
    session.place({ side: 'buy', price: '101', quantity: '5' });
    session.venue.onMarket(snapshot({ 100: 10 }, { 105: 5 }, { exchangeUs: 2_395_000 }));
    session.venue.onMarket(snapshot({ 100: 10 }, { 106: 5 }, { exchangeUs: 2_395_001 }));
    session.pass(100);
    expect(session.of('fill')).toEqual([]);
  });
});
