/**
 * A request that is called while another one is checked before it leaves, such as the cancel that a failing journal brings
 * about, found its lane passed by the round under way, and the timer that had been armed for it was taken away at the end of
 * that round: it waited until something else was called, beyond its own deadline.
 */
import { afterEach, expect, it } from 'vitest';
import type { HttpCall, HttpClient } from '../../src/exchange/client/http.ts';
import { denied } from '../../src/model/trading/deny-reason.ts';
import { timedClient } from '../exchange/client/timed-client.ts';

const create: HttpCall = { endpoint: 'createSpotOrder', lane: 'create', body: {} };
const cancel: HttpCall = { endpoint: 'cancelOrder', lane: 'cancel', params: { orderId: '7' } };

let client: HttpClient | undefined;
afterEach(() => client?.close());

/** One order request a second: whoever is second has to wait for its turn. */
function slowClient() {
  const { clock, client: made, left } = timedClient(1);
  client = made;
  return { clock, made, left };
}

it('leaves as soon as it may when the request whose check called it is denied', () => {
  const { clock, made, left } = slowClient();
  const onDispatch = () => {
    made.call(cancel, () => {});
    return denied('journal_failed', 'the disk is full');
  };
  made.call({ ...create, onDispatch }, () => {});
  clock.advance(2000);
  expect(left).toEqual(['DELETE']);
});

it('leaves as soon as it may when the request whose check called it leaves too', () => {
  const { clock, made, left } = slowClient();
  const onDispatch = () => {
    made.call(cancel, () => {});
    return 'go' as const;
  };
  made.call({ ...create, onDispatch }, () => {});
  clock.advance(2000);
  expect(left).toEqual(['POST', 'DELETE']);
});
