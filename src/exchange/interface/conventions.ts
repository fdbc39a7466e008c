/** Assumed conventions beside operations and shapes, for docs; a conformance test stands for each row. */
import type { RuleRow } from './key-rules.ts';

// prettier-ignore
export const conventions = [
  { id: 'decimals', rule: 'Decimals are strings in canonical form (`"60000.5"`, no exponent).' },
  { id: 'times', rule: 'Times are Unix ms (number).' },
  { id: 'ids', rule: 'Ids are strings.' },
  { id: 'symbols', rule: 'Symbols are upper case without separator (`BTCUSDT`); perpetuals end in `PERP` (`BTCUSDTPERP`).' },
  { id: 'pages', rule: 'Operations with `cursor` answer `{"items": […], "nextCursor": string|null}` with stable cursors, newest first, `limit` default 100, at most 1000, `from`/`to` on creation time, inclusive; those shown as `[…]` answer a bare array.' },
  { id: 'error-body', rule: 'Errors other than the documented key refusals: HTTP 400 (bad request), 404 (no such thing), 409 (state conflict), 422 (refused by a business rule), 429 (rate limit; header `Retry-After` in seconds), 5xx; body `{"code": "insufficient_balance", "message": "…", "field"?: "quantity"}`.' },
  { id: 'key-refusal-body', rule: 'The documented key refusals are status 401 with the bare text as the body.' },
] as const satisfies readonly RuleRow[];

/** WebSocket frames. */
// prettier-ignore
export const frameConventions = [
  { id: 'subscribe-reply', rule: 'Reply to `subscribe`/`unsubscribe`: `{"id": n, "method": "subscribe", "success": true, "data": [channels now affected]}`, or `success: false` with `error` and the offending `data`.' },
  { id: 'list-reply', rule: '`list_subscriptions` → `{"id": n, "method": …, "success": true, "data": […]}`.' },
  { id: 'push', rule: 'Push: `{"channel": "<name>", "seq": n, "ts": ms, "data": …}`.' },
  { id: 'push-seq', rule: '`seq` counts the pushes of that channel on the server, whoever listens, so a subscriber can tell that it missed some; a snapshot carries the `seq` of the last push it includes.' },
  { id: 'push-depth', rule: '`<SYMBOL>@depth`: first `{"type": "snapshot", "bids": [[p,q]…], "asks": […]}`, then `{"type": "update", …}` with absolute quantities (`"0"` removes the level).' },
  { id: 'depth-profiles', rule: 'A profile may also send only snapshots, or updates without `seq`: the order-book stream handles all three.' },
  { id: 'push-trades', rule: '`<SYMBOL>@trades`: array of `{tradeId, price, quantity, side (the taker\'s), ts}`.' },
  { id: 'push-candles', rule: '`<SYMBOL>.1m@candles`: a candle.' },
  { id: 'push-ticker', rule: '`<SYMBOL>@ticker`: a ticker.' },
  { id: 'push-ratio', rule: '`VOLUME@ratio` (assumed name of the undocumented volume-ratio channel): `{symbol, buy, sell}`.' },
  { id: 'push-balances', rule: '`CLNTF@my-balances`, `HLORD@my-balances`: array of balances (whole state first, then changed rows).' },
  { id: 'push-order-info', rule: '`<SYMBOL>@order-info`: an order on every change while active.' },
  { id: 'push-order-history', rule: '`<SYMBOL>@order-history`: an order when it ends.' },
  { id: 'push-my-trades', rule: '`<SYMBOL>@my-trades`: array of own trades.' },
  { id: 'push-positions', rule: '`position-info`: array of positions that changed.' },
  { id: 'p2p-socket', rule: 'P2P socket `{ws_url}/websocket/p2p?token=<JWT>` (assumed): `{"event": "trade"|"advertisement"|"message", "data": …}`.' },
] as const satisfies readonly RuleRow[];

/** Promises of the sandbox. */
// prettier-ignore
export const sandboxPromises = [
  { id: 'printed-line', rule: '`tidewire sandbox --port 0 --seed 7 --json` prints exactly one line on stdout once it listens: `{"restUrl": "http://127.0.0.1:PORT", "gatewayUrl": …, "wsUrl": "ws://127.0.0.1:PORT", "users": [{"login", "password", "auth2faSecret", "apiKey": {"publicKey", "secretKey"}}, …]}`;' },
  { id: 'two-users', rule: 'at least two users, each with USDT, BTC, ETH and RUB in `unified-trading`, `funding` and `p2p` (at least 1,000,000 USDT, 10 BTC in trading; 10,000 USDT and 1,000,000 RUB in p2p) and one full key (whitelist 127.0.0.1), so that P2P and transfers have two sides.' },
  { id: 'instruments', rule: 'Spot pairs BTCUSDT, ETHUSDT, ETHBTC, USDTRUB and perpetuals BTCUSDTPERP, ETHUSDTPERP trade;' },
  { id: 'p2p-pair', rule: 'the P2P pair USDTRUB has an `anchor` rule at 95 with 10 % each way.' },
  { id: 'sandbox-clock', rule: "TOTP and every time limit run on the sandbox's clock (real time plus what a test has advanced)." },
  { id: 'totp', rule: 'The sandbox accepts the current TOTP code of `auth2faSecret` (RFC 6238, SHA-1, 30 s, 6 digits, base32 secret) as `auth2fa_code`.' },
  { id: 'stops', rule: 'It stops on SIGTERM/SIGINT, exit 0.' },
  { id: 'control-routes', rule: 'Its virtual clock can be moved by a test only through `POST /sandbox/clock {"advanceMs": n}`, faults are set by `POST /sandbox/faults` and money is minted by `POST /sandbox/deposit {"login", "account", "currency", "amount"}`: these three exist only in the sandbox, only on loopback.' },
  { id: 'totp-steps', rule: 'TOTP: a code may be used repeatedly in its step; steps −1…+1 count;' },
  { id: 'second-factor-first', rule: '2FA is checked before the other fields of a key request.' },
  { id: 'refusal-order', rule: 'Refusals are tried in this order: headers present, key format, timestamp format, key known, active, expired, window, IP, signature, route, permission.' },
  { id: 'deleted-key', rule: 'A deleted key answers `api key is not active`.' },
  { id: 'permissions', rule: 'Permissions: `/auth/me` any active key; public needs none; spot orders and trades trading_spot; derivative orders, trades, positions trading_futures; `order/active | history | cancel-many | {orderId}` either of the two, limited to what it may see; accounts, transactions, fees, referral, overdraft reads any active key; transfer transfer; fiat fiat_processing; crypto addresses, withdrawals, codes, overdraft pay crypto_processing; P2P p2p; `asset/list` and `currency-network/list` dictionary. Reading needs `read_only`, changing needs `full`.' },
  { id: 'socket-permissions', rule: 'On the WebSocket: an IP off the whitelist is `key_not_found`; a private channel without permission answers the subscribe with `success: false`, `insufficient_permissions`.' },
  { id: 'request-decimals', rule: 'Requests may carry decimals as strings or JSON numbers; exponents, NaN and signs on quantities are 400.' },
  { id: 'all-or-nothing', rule: 'Subscribe is all or nothing.' },
  { id: 'private-seq', rule: 'Private `seq` counts per user and channel.' },
  { id: 'btcusdt-grid', rule: 'BTCUSDT: tick 0.01, lot 0.00001, minNotional 5 or less; no price band on spot.' },
  { id: 'futures-start', rule: 'Futures start one-way and cross.' },
  { id: 'create-answer', rule: 'Create answers the state after matching.' },
  { id: 'reads-see-writes', rule: 'REST reads see all completed writes (faults can delay them).' },
  { id: 'nothing-missed', rule: '`order/active` and then `order/history` together miss nothing.' },
  { id: 'client-order-ids', rule: 'Client order ids are on by default and unique per user for ever; switched off, the field is ignored and never returned.' },
  { id: 'no-rate-limit', rule: 'No rate limit unless a fault sets one.' },
  { id: 'spot-money', rule: 'Spot fees come from the asset received; a resting buy locks exactly price × quantity (simulation.md A1).' },
  { id: 'advertisement-side', rule: 'An advertisement is created `active`; `side` is the maker\'s: `sell` = the maker sells base.' },
  { id: 'p2p-taker-view', rule: 'P2P `volume` and `amount` are the taker\'s view for both sides.' },
  { id: 'funding-debits', rule: 'Codes and withdrawals debit `funding`;' },
  { id: 'first-network', rule: 'the first USDT network has minAmount + fee ≤ 20;' },
  { id: 'withdrawal-minute', rule: 'a withdrawal stays `submitted` for at least 60 s; own addresses are allowed.' },
  { id: 'overdraft-enabled', rule: 'Overdraft is enabled for the sandbox users.' },
  { id: 'synthetic-pace', rule: 'The synthetic BTCUSDT shows at least 5 depth updates in 3 s, and a trade and a ticker within 10 s.' },
  { id: 'clock-route', rule: '`POST /sandbox/clock` fires due account timers (P2P, keys, fiat, withdrawals, funding, interest) in order and answers when done; the synthetic market does not trade in the skipped time and goes on from the same book; skipped candles are absent; the socket\'s idle close counts real time.' },
  { id: 'faults-route', rule: '`POST /sandbox/faults` `{"rules": [{"match": {"method"?, "path"?, "channel"?}, "fault": "delay"|"drop"|"dropAfterEffect"|"status"|"mute"|"gap"|"disconnect"|"rateLimit"|"takerSide"|"falseStatus", "p"?, "ms"?, "status"?, "times"?}]}`; `[]` clears.' },
] as const satisfies readonly RuleRow[];
