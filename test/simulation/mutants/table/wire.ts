/** Mutants of the REST client: what an answer proves, how lists are read, when requests leave. */
import { smallPages } from '../knobs.ts';
import type { Mutant } from '../mutant.ts';

const CLASSIFY = 'src/exchange/client/classify.ts';
const HTTP = 'src/exchange/client/http.ts';
const ORDERS = 'src/exchange/client/operations/orders.ts';

export const wireMutants: readonly Mutant[] = [
  {
    id: 'timeout-is-refusal',
    catalogue: 'O01',
    what: 'a request without an answer counts as refused',
    file: CLASSIFY,
    find: "if (result.kind === 'unknown') return { kind: 'unknown', reason: result.reason, status: null };",
    replace:
      "if (result.kind === 'unknown') return { kind: 'refused', code: 'timeout', message: result.reason, status: 0, ofKey: false };",
    faults: { 'answer-lost': 0.1 },
  },
  {
    id: 'server-error-is-refusal',
    catalogue: 'O05',
    what: 'a status 5xx counts as refused',
    file: CLASSIFY,
    find: "return unknown(status, 'no proof either way', body);",
    replace: "return { kind: 'refused', code: 'server_error', message: body, status, ofKey: false };",
    faults: { 'status-after': 0.1 },
  },
  {
    id: 'reset-is-not-sent',
    catalogue: 'O28',
    what: 'a connection that broke counts as never used',
    file: CLASSIFY,
    find: "if (result.kind === 'unknown') return { kind: 'unknown', reason: result.reason, status: null };",
    replace:
      "if (result.kind === 'unknown') return result.reason === 'ECONNRESET' ? { kind: 'not-sent', reason: result.reason } : { kind: 'unknown', reason: result.reason, status: null };",
    faults: { 'answer-reset': 0.2 },
  },
  {
    id: 'html-is-refusal',
    catalogue: 'R04',
    what: 'a success whose body is no JSON counts as refused',
    file: CLASSIFY,
    find: "return unknown(status, 'not JSON', body);",
    replace: "return { kind: 'refused', code: 'bad_body', message: body, status, ofKey: false };",
    faults: { 'answer-garbage': 0.1 },
  },
  {
    id: 'wrong-shape-is-refusal',
    catalogue: 'R06',
    what: 'a success whose JSON is no order counts as refused',
    file: ORDERS,
    find: "decodeObject(orderSchema, 'create order', result.json);\n  if (order.kind === 'failure') return unknown(failureText(order));",
    replace:
      "decodeObject(orderSchema, 'create order', result.json);\n  if (order.kind === 'failure') return { kind: 'refused', code: 'bad_body', message: failureText(order) };",
    faults: { 'answer-garbage': 0.1 },
  },
  {
    id: 'client-retries-create',
    catalogue: 'O02',
    what: 'the client repeats a create that got no answer',
    file: ORDERS,
    find: '(result) =>\n        done(createOutcome(order, clientOrderIds, result)),',
    replace:
      "(result) =>\n        result.kind === 'unknown' ? http.call({ endpoint: createEndpoint[order.market], body, lane: dispatch.lane }, (second) => done(createOutcome(order, clientOrderIds, second))) : done(createOutcome(order, clientOrderIds, result)),",
    faults: { 'answer-lost': 0.1 },
  },
  {
    id: 'null-list-is-empty',
    catalogue: 'M15',
    what: 'a list that is missing or null counts as empty',
    file: 'src/exchange/wire/body.ts',
    find: "if (!Array.isArray(list)) return decodeFailure(source, 'items', 'expected a list', json);",
    replace: 'if (!Array.isArray(list)) return decoded({ items: [], nextCursor: null });',
    faults: { 'list-empty': 0.85, 'answer-lost': 0.2 },
    faultsFromS: 60,
  },
  {
    id: 'failed-reading-is-complete',
    catalogue: 'INV-F6',
    what: 'a list that could not be read to its end counts as complete',
    file: 'src/exchange/client/operations/pages.ts',
    find: "return seen.size === 0 ? { kind: 'failed', ...why } : { kind: 'partial', ...why, items };",
    replace: "return { kind: 'complete', asOf: why.asOf, items };",
    faults: { outage: 0.02, 'answer-lost': 0.1 },
  },
  {
    id: 'first-page-is-all',
    catalogue: 'R15',
    what: 'pages after the first are not read',
    file: 'src/exchange/client/operations/pages.ts',
    find: 'if (nextCursor === null || (nextCursor === undefined && !full)) {',
    replace: 'if (true) {',
    knobs: [smallPages],
  },
  {
    id: 'checks-before-the-queue',
    catalogue: 'O37',
    what: 'kill, gates and age are checked when a request is queued, not when it leaves',
    file: HTTP,
    find: '    const rule = this.#ruleOf(call.lane);\n    queue.push(',
    replace:
      "    const asked = call.onDispatch?.() ?? 'go';\n    const verdict = typeof asked === 'function' ? asked() : asked;\n    if (verdict !== 'go') return this.#finishSoon(call, done, { kind: 'denied', denied: verdict });\n    const rule = this.#ruleOf(call.lane);\n    queue.push(",
    more: [
      {
        file: HTTP,
        find: "const asked = waiting.call.onDispatch?.() ?? 'go';",
        replace: "const asked: 'go' | (() => Verdict) = 'go';",
      },
    ],
    faults: { 'request-lost': 0.2 },
  },
  {
    id: 'timeouts-keep-their-slot',
    catalogue: 'R12',
    what: 'a request without an answer keeps its place for ever',
    file: HTTP,
    find: 'answer, request);\n      this.#underWay[rule.class] -= 1;',
    replace: "answer, request);\n      if (answer.kind === 'response') this.#underWay[rule.class] -= 1;",
    faults: { 'answer-lost': 0.1 },
  },
  {
    id: 'rate-limit-ignored',
    catalogue: 'R02',
    what: 'after a 429 requests go on as before',
    file: HTTP,
    find: 'this.#deps.budget.penalise(pauseMs);',
    replace: '',
    faults: { 'rate-limit': 0.05 },
  },
  {
    id: 'rate-limit-for-ever',
    catalogue: 'R12',
    what: 'a pause for a 429 never ends',
    file: 'src/exchange/client/request-budget.ts',
    find: 'now + (retryAfterMs ?? PAUSE_MS_DEFAULT)',
    replace: 'now + 1e9',
    faults: { 'rate-limit': 0.05 },
  },
  {
    id: 'suspend-forgets-clock',
    catalogue: 'T07',
    what: 'after a suspend the clock is taken for right although it lies behind',
    file: 'src/exchange/client/clock-offset.ts',
    find: 'return sleptMs;',
    replace: 'return 0;',
    faults: { suspend: 0.02 },
  },
  {
    id: 'clock-offset-sign',
    catalogue: 'R01',
    what: 'the difference of the clocks is applied the wrong way round',
    file: 'src/exchange/client/clock-offset.ts',
    find: 'best = { offsetMs: serverTime - (sentAt + receivedAt) / 2,',
    replace: 'best = { offsetMs: (sentAt + receivedAt) / 2 - serverTime,',
  },
];
