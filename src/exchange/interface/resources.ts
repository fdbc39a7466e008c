/**
 * Documented fields, word for word (interface, "Resources and their fields", "Create API key"). All other payloads are
 * assumed (`exchange/wire/schema-table.ts`).
 */
export interface FieldRow {
  readonly field: string;
  readonly type: string;
  readonly meaning: string;
}

// prettier-ignore
const apiKey = [
  { field: 'publicKey', type: 'string', meaning: '64 hexadecimal characters; sent in header `X-API-Key`' },
  { field: 'secretKey', type: 'string', meaning: 'returned only in the creation response; not stored by the service; cannot be recovered' },
  { field: 'name', type: 'string', meaning: 'chosen by the user to tell keys apart' },
  { field: 'permissions', type: 'array', meaning: 'one entry per category: `category`, `accessLevel`' },
  { field: 'ipAddresses', type: 'array of string', meaning: 'optional whitelist of IP addresses' },
] as const satisfies readonly FieldRow[];

// prettier-ignore
const advertisement = [
  { field: 'id', type: 'string', meaning: 'internal advertisement id' },
  { field: 'idNumber', type: 'string', meaning: 'advertisement id shown to users' },
  { field: 'availableAmount', type: 'number', meaning: 'quantity still available to buy or sell' },
  { field: 'maxLimit', type: 'number', meaning: 'maximum deal amount' },
  { field: 'minLimit', type: 'number', meaning: 'minimum deal amount' },
  { field: 'price', type: 'number (float)', meaning: 'advertisement price' },
  { field: 'quote', type: 'string', meaning: 'quote currency' },
  { field: 'base', type: 'string', meaning: 'base currency' },
  { field: 'user', type: 'object', meaning: 'maker information (below)' },
  { field: 'side', type: 'string', meaning: 'advertisement type: `buy` or `sell` (`buy` is described as a sale and `sell` as a purchase)' },
  { field: 'paymentMethods', type: 'array', meaning: 'payment methods (below)' },
  { field: 'difference', type: 'string (a number appears in the sample shape)', meaning: 'surcharge percent; only for pair RUBRUB' },
  { field: 'createdAt', type: 'date-time', meaning: 'creation time (ISO 8601, UTC)' },
  { field: 'comment', type: 'string', meaning: 'advertisement comment' },
  { field: 'status', type: 'string', meaning: 'advertisement status (see States)' },
  { field: 'market', type: 'object (described as array)', meaning: 'trading-pair specification (below)' },
  { field: 'updatedAt', type: 'date-time', meaning: 'last update' },
  { field: 'trades', type: 'array', meaning: 'all trades of the advertisement (below)' },
] as const satisfies readonly FieldRow[];

/** The maker; the last nine fields appear only in the interface's sample. */
// prettier-ignore
const user = [
  { field: 'id', type: 'string', meaning: 'maker id' },
  { field: 'username', type: 'string', meaning: 'nickname' },
  { field: 'tradesCount', type: 'number', meaning: 'successfully completed trades' },
  { field: 'tradesSuccessRate', type: 'number', meaning: 'unused' },
  { field: 'online', type: 'boolean', meaning: 'unused' },
  { field: 'name', type: 'string', meaning: 'in the sample shape' },
  { field: 'lastTime', type: 'date-time', meaning: 'in the sample shape; nullable' },
  { field: 'registerDate', type: 'date-time', meaning: 'in the sample shape' },
  { field: 'firstTrade', type: 'date-time', meaning: 'in the sample shape' },
  { field: 'lastTrade', type: 'date-time', meaning: 'in the sample shape' },
  { field: 'trades', type: 'object', meaning: 'in the sample shape: numeric `buy` and `sell`' },
  { field: 'tradesPast', type: 'object', meaning: 'in the sample shape: numeric `buy`, `sell`, `percent`' },
  { field: 'rating', type: 'object', meaning: 'in the sample shape: numeric `negative`, `positive`' },
  { field: 'role', type: 'string', meaning: 'in the sample shape: `maker`' },
] as const satisfies readonly FieldRow[];

// prettier-ignore
const paymentMethod = [
  { field: 'id', type: 'string', meaning: '' },
  { field: 'name', type: 'string', meaning: '' },
  { field: 'deletedAt', type: 'date-time', meaning: 'unused, nullable' },
] as const satisfies readonly FieldRow[];

// prettier-ignore
const market = [
  { field: 'marketId', type: 'string', meaning: 'trading pair id (for example base followed by quote code)' },
  { field: 'baseCurrencyId', type: 'string', meaning: 'base currency' },
  { field: 'quoteCurrencyId', type: 'string', meaning: 'quote currency' },
  { field: 'baseDicCurrencyId', type: 'string', meaning: 'unused' },
  { field: 'quoteDicCurrencyId', type: 'string', meaning: 'unused' },
  { field: 'baseCurrencyPrecision', type: 'number', meaning: 'decimal places of base currency' },
  { field: 'baseCurrencyRound', type: 'number', meaning: 'rounding of base currency (an enumerated value)' },
  { field: 'quoteCurrencyPrecision', type: 'number', meaning: 'decimal places of quote currency' },
  { field: 'quoteCurrencyRound', type: 'number', meaning: 'rounding of quote currency (an enumerated value)' },
  { field: 'advertisementMaxCountSell', type: 'number', meaning: 'maximum active sell advertisements in the book' },
  { field: 'advertisementMaxCountBuy', type: 'number', meaning: 'maximum active buy advertisements in the book' },
  { field: 'advertisementMaxCountDeactivatedSell', type: 'number', meaning: 'maximum inactive sell advertisements' },
  { field: 'advertisementMaxCountDeactivatedBuy', type: 'number', meaning: 'maximum inactive buy advertisements' },
  { field: 'advertisementMinAmount', type: 'number', meaning: 'minimum advertisement quantity, in base currency' },
  { field: 'advertisementMaxAmount', type: 'number', meaning: 'maximum advertisement quantity, in base currency' },
  { field: 'tradeMinAmount', type: 'number', meaning: 'minimum trade amount, in fiat currency' },
  { field: 'tradeMaxAmount', type: 'number', meaning: 'maximum trade amount, in fiat currency' },
  { field: 'tradeActiveMaxCount', type: 'number', meaning: 'maximum simultaneous active trades' },
  { field: 'pricePrecision', type: 'number', meaning: 'decimal places of advertisement price' },
  { field: 'quoteCurrency', type: 'object', meaning: 'currency data (fiat side)' },
  { field: 'baseCurrency', type: 'object', meaning: 'currency data (base side)' },
  { field: 'marketPriceValidationRule', type: 'object (described as array)', meaning: 'price-bound rule' },
  { field: 'deletedAt', type: 'date-time', meaning: 'nullable' },
] as const satisfies readonly FieldRow[];

/** Alternative spelling of the active counts; both are accepted. */
// prettier-ignore
const marketSample = [
  { field: 'advertisementMaxCountActiveSell', type: 'number', meaning: 'maximum active sell advertisements in the book' },
  { field: 'advertisementMaxCountActiveBuy', type: 'number', meaning: 'maximum active buy advertisements in the book' },
] as const satisfies readonly FieldRow[];

// prettier-ignore
const currency = [
  { field: 'id', type: 'string', meaning: '' },
  { field: 'isCoin', type: 'boolean', meaning: '`false` is fiat, otherwise cryptocurrency' },
  { field: 'precision', type: 'number', meaning: 'decimal places' },
  { field: 'title', type: 'string', meaning: '' },
] as const satisfies readonly FieldRow[];

// prettier-ignore
const priceRule = [
  { field: 'marketsPriceValidationRuleId', type: 'string', meaning: 'unused' },
  { field: 'marketId', type: 'string', meaning: '' },
  { field: 'ruleType', type: 'string', meaning: '`anchor`: fixed price; `spread`: by the exchange spread of an analogous pair' },
  { field: 'params', type: 'object', meaning: 'described as array' },
  { field: 'description', type: 'string', meaning: '' },
  { field: 'deletedAt', type: 'date-time', meaning: 'unused' },
] as const satisfies readonly FieldRow[];

// prettier-ignore
const priceRuleParams = [
  { field: 'ask', type: 'number', meaning: 'percent deviation downward' },
  { field: 'bid', type: 'number', meaning: 'percent deviation upward' },
  { field: 'price', type: 'number', meaning: 'present only when `ruleType` is `anchor`; deviations are counted from it' },
] as const satisfies readonly FieldRow[];

// prettier-ignore
const p2pTrade = [
  { field: 'id', type: 'string', meaning: 'trade id' },
  { field: 'volume', type: 'string', meaning: 'trade volume, what the user receives' },
  { field: 'volumeCurrencyId', type: 'string', meaning: 'currency of volume' },
  { field: 'amount', type: 'string', meaning: 'quantity the user must send' },
  { field: 'amountCurrencyId', type: 'string', meaning: 'currency of amount' },
  { field: 'createdAt', type: 'date-time', meaning: 'creation time' },
  { field: 'updatedAt', type: 'date-time', meaning: 'last update' },
  { field: 'status', type: 'string', meaning: 'trade status (see States)' },
  { field: 'sellUserId', type: 'string', meaning: 'seller id' },
  { field: 'buyUserId', type: 'string', meaning: 'buyer id' },
  { field: 'roomId', type: 'string', meaning: 'chat id' },
  { field: 'advertisementId', type: 'string', meaning: 'advertisement id' },
  { field: 'price', type: 'string', meaning: 'trade price' },
  { field: 'marketId', type: 'string', meaning: 'trading pair id' },
  { field: 'idNumber', type: 'string', meaning: 'trade number shown in the P2P interface' },
  { field: 'paymentMethodId', type: 'string', meaning: 'payment method id' },
] as const satisfies readonly FieldRow[];

// prettier-ignore
const newApiKeyRequest = [
  { field: 'name', type: 'string', meaning: 'key name' },
  { field: 'auth2fa_code', type: 'string', meaning: 'current 2FA code' },
  { field: 'permissions', type: 'array of object', meaning: 'each with `category` (see categories) and `accessLevel` (`none`, `read_only`, `full`)' },
  { field: 'ipAddresses', type: 'array of string', meaning: 'optional; whitelist; needed for levels above `none` in `fiat_processing`, `crypto_processing`, `p2p`' },
] as const satisfies readonly FieldRow[];

// prettier-ignore
const newApiKey = [
  { field: 'publicKey', type: 'string', meaning: '' },
  { field: 'secretKey', type: 'string', meaning: '' },
] as const satisfies readonly FieldRow[];

export interface ResourceRow {
  readonly resource: string;
  readonly title: string;
  readonly fields: readonly FieldRow[];
}

// prettier-ignore
export const documentedResources = [
  { resource: 'apiKey', title: 'API key', fields: apiKey },
  { resource: 'newApiKeyRequest', title: 'Create API key: request', fields: newApiKeyRequest },
  { resource: 'newApiKey', title: 'Create API key: response', fields: newApiKey },
  { resource: 'advertisement', title: 'Advertisement (P2P)', fields: advertisement },
  { resource: 'user', title: 'User of an advertisement', fields: user },
  { resource: 'paymentMethod', title: 'Payment method', fields: paymentMethod },
  { resource: 'market', title: 'Market (trading-pair specification)', fields: [...market, ...marketSample] },
  { resource: 'currency', title: 'Currency of a market', fields: currency },
  { resource: 'priceRule', title: 'Price-bound rule of a market', fields: priceRule },
  { resource: 'priceRuleParams', title: 'Parameters of a price-bound rule', fields: priceRuleParams },
  { resource: 'p2pTrade', title: 'Trade (P2P)', fields: p2pTrade },
] as const satisfies readonly ResourceRow[];

/** Decimal places of `volume` and `amount`, integers in strings (interface, "Encoding rule"). */
export const p2pAmountDecimals = { RUB: 2, USDT: 4 } as const;

export const P2P_PRICE_DECIMALS = 4;
