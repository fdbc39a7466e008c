/** The faulty proxy itself: what only slows, splits or merges changes no byte; what cuts delivers a beginning. */
import { createServer, connect, type AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import { seededRandom } from '../../src/model/random.ts';
import { calm, type FaultRates } from './processes/network-faults.ts';
import { FaultyProxy } from './processes/proxy.ts';

/** What the far side receives of `text`, and what comes back: the same, doubled. */
async function through(seed: number, rates: Partial<FaultRates>, text: string): Promise<[string, string]> {
  let arrived = '';
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes: Buffer) => (arrived += bytes.toString('latin1')));
    socket.on('end', () => socket.end(arrived + arrived));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy = new FaultyProxy((server.address() as AddressInfo).port, seededRandom(seed));
  await proxy.open();
  proxy.set({ ...calm, ...rates }, seededRandom(seed));
  let answer = '';
  const client = connect(proxy.port, '127.0.0.1');
  client.on('error', () => {});
  client.on('data', (bytes: Buffer) => (answer += bytes.toString('latin1')));
  const closed = new Promise((resolve) => client.on('close', resolve));
  for (let at = 0; at < text.length; at += 97) client.write(text.slice(at, at + 97));
  client.end();
  await closed;
  await proxy.close();
  await new Promise((resolve) => server.close(resolve));
  return [arrived, answer];
}

const text = Array.from({ length: 300 }, (_, index) => `line ${index};`).join('');

it.each([1, 2, 3, 4, 5])('passes every byte in order, however it is cut into pieces (seed %i)', async (seed) => {
  const rates = { split: 0.5, merged: 0.5, throttled: 0.3, requestDelayed: 0.5, answerDelayed: 0.5 };
  expect(await through(seed, rates, text)).toEqual([text, text + text]);
});

it('loses none that become due between two looks at the clock', async () => {
  // On a busy machine every look is later than the last one.
  let looks = 0;
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 25 * looks++);
  try {
    const rates = { split: 0.5, merged: 0.5, throttled: 0.3 };
    expect(await through(1, rates, text)).toEqual([text, text + text]);
  } finally {
    clock.mockRestore();
  }
});

it.each([1, 2, 3, 4, 5])(
  'a cut request is a beginning of the request, and nothing comes after it (seed %i)',
  async (seed) => {
    const [arrived, answer] = await through(seed, { requestCut: 1 }, text);
    expect(arrived.length).toBeLessThan(text.length);
    expect(text.startsWith(arrived)).toBe(true);
    expect((arrived + arrived).startsWith(answer)).toBe(true);
  },
);

it('a request whose signature is older than the window never arrives', async () => {
  const old = `POST /order HTTP/1.1\r\nx-api-timestamp: ${Date.now() - 1_200}\r\n\r\n`;
  expect((await through(1, {}, old))[0]).toBe('');
  const fresh = `POST /order HTTP/1.1\r\nx-api-timestamp: ${Date.now()}\r\n\r\n`;
  expect((await through(1, {}, fresh))[0]).toBe(fresh);
});
