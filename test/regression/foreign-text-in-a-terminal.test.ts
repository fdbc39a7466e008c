/** What another user of the exchange wrote is shown by the command line, and not obeyed by the terminal. */
import { expect, it } from 'vitest';
import { signed } from '../conformance/raw-client.ts';
import { documentOf, freshFolder, run } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';

const HOSTILE = 'cheap\u001b[2J\u001b]0;owned\u0007\u009b31m\rgone\u202egnp';
const SHOWN = 'cheap\\u001b[2J\\u001b]0;owned\\u0007\\u009b31m\\u000dgone\\u202egnp';

it('cli/print/control-characters-of-others-are-escaped', { timeout: 60_000 }, async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line);
  const terms = { marketId: 'USDTRUB', side: 'sell', price: '95', amount: '100', minLimit: '100', maxLimit: '9500' };
  const body = { ...terms, paymentMethodIds: ['1'], comment: HOSTILE };
  const other = exchange.line.users[1]!;
  const path = '/api/v1/p2p/client/advertisement';
  const created = await signed(exchange.line.restUrl, other.apiKey, 'POST', path, body);
  expect(created.status, created.text).toBe(200);
  const { id } = created.json as { readonly id: string };
  const text = await run(['p2p', 'ad', String(id), '--config', config], { cwd, env: exchange.keys }, true);
  expect(text.code, text.stderr).toBe(0);
  expect(text.stdout).toContain(SHOWN);
  // Nothing that a terminal obeys is left, but for line ends.
  expect(text.stdout).toMatch(/^[\n\P{C}]*$/u);
  const json = await run(['p2p', 'ad', String(id), '--config', config, '--json'], { cwd, env: exchange.keys }, true);
  expect(json.stdout).toMatch(/^[\n\P{C}]*$/u);
  expect(documentOf(json)).toMatchObject({ comment: HOSTILE });
});
