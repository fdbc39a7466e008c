/** A client that offers another protocol with a request (RFC 9110, 7.8) is answered in the one it speaks. */
import { request } from 'node:http';
import { expect, it } from 'vitest';
import { openDesk } from '../conformance/money-desk.ts';

it('the sandbox answers a request that offers HTTP/2 over clear text', async () => {
  const desk = await openDesk(77);
  const headers = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQAAP__' };
  const status = await new Promise((resolve, reject) => {
    const sent = request(`${desk.running.restUrl}/api/v2/exchange/public/time`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end();
  });
  expect(status).toBe(200);
  await desk.stop();
});
