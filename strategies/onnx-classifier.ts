// Asks a model whether the next candle closes higher, and holds while it says yes with enough confidence.
//
//   npx tidewire backtest strategies/onnx-classifier.ts --data data/sample-bars --without-lockbox
//
// Source: folklore of machine learning; M. López de Prado, Advances in Financial Machine Learning (2018), on how it fools one.
// The model is a logistic regression that `node strategies/models/make.ts` trains on the first eighteen days of data/sample-bars; any
// ONNX model with the same input and output can take its place. Needs `npm install onnxruntime-node`.
// Parameters: file, interval, confidence (above one half), quantity.
// It fails as soon as the market is not that of its training; this one was trained on noise, so it knows nothing at all.
//
// Evidence (npm run strategies:evidence):
// - data/sample-bars (synthetic minutes), 2026-09-01 to 2026-09-25: −32.56 USDT in 111 trades after 31.91 of fees. No
//   evidence of an edge: trading loses money after costs (111 trades, by their sizes no more than 56 equal ones, DSR
//   0.00).
// - BTC perpetual of FTX, minutes, traded as spot, 2021-12-31 to 2022-01-25: −23.90 USDT in 174 trades after 23.05 of
//   fees. No evidence of an edge: trading loses money after costs (174 trades, by their sizes no more than 54 equal
//   ones, DSR 0.00).
// (end of evidence)
import { defineCandleStrategy, model, target, z } from 'tidewire';
import { featuresOf, WINDOW } from './models/features.ts';

export default defineCandleStrategy({
  name: 'onnx-classifier',
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    file: z.string().default('models/next-candle.onnx').describe('a path from the folder of this file'),
    interval: z.string().default('15m'),
    confidence: z.number().min(0).max(0.5).default(0.01).describe('goes in at one half and so much'),
    quantity: z.string().default('0.01').describe('base units'),
  }),
  interval: ({ interval }) => interval,
  warmup: WINDOW,
  setup: ({ params }) => ({ classifier: model(params.file), closes: [] as number[] }),
  onCandle({ close }, { params, vars, chart }) {
    const { symbol, quantity, confidence } = params;
    vars.closes.push(close);
    if (vars.closes.length > WINDOW) vars.closes.shift();
    const features = featuresOf(vars.closes);
    if (features === undefined) return;
    const up = vars.classifier.run({ features }).up?.data[0] ?? 0.5;
    chart.plot('up', up, { pane: 'up' });
    // Between the two it keeps what it holds.
    if (up > 0.5 + confidence) return target(symbol, { quantity });
    return up < 0.5 ? target(symbol, { quantity: '0' }) : undefined;
  },
});
