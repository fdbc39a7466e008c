"""Two moving averages on minutes through backtesting.py, for peers.ts.

task: {"candles": path of CSV lines `ms,open,high,low,close,volume`, "repeat", "fast", "slow"}. Only `run` is measured, not loading.
"""
import contextlib
import sys
import time

from turns import take_turns, task

try:
    import backtesting
    import pandas as pd
    from backtesting import Backtest, Strategy
except ImportError as absent:
    print(f'absent: {absent}', file=sys.stderr)
    sys.exit(3)

backtesting.backtesting._tqdm = lambda sequence, **_: sequence


def average(values, span):
    return pd.Series(values).ewm(span=span, adjust=False).mean()


def main():
    told = task()

    class Cross(Strategy):
        def init(self):
            self.fast = self.I(average, self.data.Close, told['fast'])
            self.slow = self.I(average, self.data.Close, told['slow'])

        def next(self):
            if self.fast[-1] > self.slow[-1]:
                if not self.position:
                    self.buy(size=1)
            elif self.position:
                self.position.close()

    with contextlib.redirect_stdout(sys.stderr):
        names = ['ms', 'Open', 'High', 'Low', 'Close', 'Volume']
        frame = pd.read_csv(told['candles'], names=names)
        frame = pd.concat([frame] * told['repeat'], ignore_index=True)
        frame.index = pd.to_datetime(frame['ms'].iloc[0] + 60_000 * pd.RangeIndex(len(frame)), unit='ms')
        test = Backtest(frame[names[1:]], Cross, cash=1_000_000_000, commission=0.0005, trade_on_close=False)
        orders = 2 * int(test.run()['# Trades'])

    def run():
        before = time.perf_counter()
        test.run()
        return time.perf_counter() - before

    take_turns(f'backtesting.py {backtesting.__version__}', len(frame), orders, run)


main()
