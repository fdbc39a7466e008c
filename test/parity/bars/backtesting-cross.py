"""Given signals through backtesting.py (`trade_on_close=False`), for peer.ts.

stdin: {"bars": [[ms, open, high, low, close]], "signals": [-1|0|1 for each bar]}
stdout: {"version", "fills": [[ms, "buy"|"sell", price, size]]}
"""
import contextlib
import json
import sys
import warnings

try:
    import backtesting
    import pandas as pd
    from backtesting import Backtest, Strategy
except ImportError as absent:
    print(f'absent: {absent}', file=sys.stderr)
    sys.exit(3)

backtesting.backtesting._tqdm = lambda sequence, **_: sequence
warnings.simplefilter('ignore')


def main():
    told = json.load(sys.stdin)
    frame = pd.DataFrame(told['bars'], columns=['ms', 'Open', 'High', 'Low', 'Close'])
    frame.index = pd.to_datetime(frame['ms'], unit='ms')
    signals = told['signals']

    class Cross(Strategy):
        def init(self):
            pass

        def next(self):
            wanted = signals[len(self.data) - 1]
            held = (self.position.size > 0) - (self.position.size < 0)
            if wanted == held:
                return
            if held != 0:
                self.position.close()
            if wanted > 0:
                self.buy(size=1)
            elif wanted < 0:
                self.sell(size=1)

    with contextlib.redirect_stdout(sys.stderr):
        test = Backtest(frame[['Open', 'High', 'Low', 'Close']], Cross, cash=1_000_000_000, commission=0, trade_on_close=False)
        strategy = test.run()['_strategy']
    times = frame['ms'].tolist()
    fills = []
    for trade in (*strategy.closed_trades, *strategy.trades):
        fills.append((trade.entry_bar, 1, 'buy' if trade.size > 0 else 'sell', trade.entry_price, abs(trade.size)))
        if trade.exit_bar is not None:
            fills.append((trade.exit_bar, 0, 'sell' if trade.size > 0 else 'buy', trade.exit_price, abs(trade.size)))
    fills.sort(key=lambda fill: fill[:2])
    rows = [[times[bar], side, float(price), float(size)] for bar, _, side, price, size in fills]
    print(json.dumps({'version': f'backtesting.py {backtesting.__version__}', 'fills': rows}))


main()
