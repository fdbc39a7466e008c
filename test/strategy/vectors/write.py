"""Writes talib.json: bars and TA-Lib's answers for them. Needs the Python packages TA-Lib, numpy and nolds."""
import json, pathlib
import numpy as np
import talib
from nolds import hurst_rs

random = np.random.default_rng(7)
close = np.round(100 + np.cumsum(random.normal(0, 1, 60)), 2)
high = np.round(close + random.uniform(0.1, 1, 60), 2)
low = np.round(close - random.uniform(0.1, 1, 60), 2)
volume = np.round(random.uniform(1, 50, 60), 1)
open_ = np.round(random.uniform(low, high), 2)


def column(values):
    """Without the bars before the first value."""
    return [float(value) for value in values if not np.isnan(value)]


def hurst(n, pieces):
    steps = np.diff(np.log(close))
    rows = [hurst_rs(steps[at - n : at], pieces, fit="poly", corrected=False, unbiased=False) for at in range(n, len(close))]
    return [np.nan] * n + rows


down, up = talib.AROON(high, low, 14)
answers = {
    "obv": talib.OBV(close, volume),
    "mfi": talib.MFI(high, low, close, volume, 14),
    "aroonUp": up,
    "aroonDown": down,
    "donchianUpper": talib.MAX(high, 20),
    "donchianLower": talib.MIN(low, 20),
    "zScore": (close - talib.SMA(close, 20)) / talib.STDDEV(close, 20, 1),
    # Short periods: the recursions that TA-Lib seeds otherwise have forgotten their seed by the last bars.
    "sar": talib.SAR(high, low, 0.02, 0.2),
    "dx": talib.DX(high, low, close, 2),
    "adxr": talib.ADXR(high, low, close, 2),
    "stochasticRsi": talib.STOCHRSI(close, 5, 5, 1, 0)[0],
    "apo": talib.APO(close, 2, 3, 1),
    "bop": talib.BOP(open_, high, low, close),
    "hma": talib.WMA(2 * talib.WMA(close, 2) - talib.WMA(close, 4), 2),
    "kama": talib.KAMA(close, 5),
    "linearRegression": talib.TSF(close, 7),
    "slope": talib.LINEARREG_SLOPE(close, 7),
    "mama": talib.MAMA(close, 0.5, 0.05)[0],
    "fama": talib.MAMA(close, 0.5, 0.05)[1],
    "mom": talib.MOM(close, 10),
    "natr": talib.NATR(high, low, close, 2),
    "ppo": talib.PPO(close, 2, 3, 1),
    "t3": talib.T3(close, 2, 0.7),
    "tema": talib.TEMA(close, 2),
    "trima": talib.TRIMA(close, 5),
    "trix": talib.TRIX(close, 2),
    "tr": talib.TRANGE(high, low, close),
    "ultimateOscillator": talib.ULTOSC(high, low, close, 3, 6, 12),
    "williamsR": talib.WILLR(high, low, close, 14),
    "ad": talib.AD(high, low, close, volume),
    "adosc": talib.ADOSC(high, low, close, volume, 2, 3),
    "vroc": talib.ROC(volume, 14),
    "percentB": (close - talib.BBANDS(close, 20, 2, 2)[2]) / (talib.BBANDS(close, 20, 2, 2)[0] - talib.BBANDS(close, 20, 2, 2)[2]),
    "bollingerBandsWidth": (talib.BBANDS(close, 20, 2, 2)[0] - talib.BBANDS(close, 20, 2, 2)[2]) / talib.SMA(close, 20),
    "hurst": hurst(32, [32, 16, 8]),
    "vwma": talib.SUM(close * volume, 20) / talib.SUM(volume, 20),
}
bars = {"open": open_, "high": high, "low": low, "close": close, "volume": volume}
rows = {"bars": {name: column(values) for name, values in bars.items()}}
rows |= {name: column(values) for name, values in answers.items()}
text = ",\n".join(f"{json.dumps(name)}:{json.dumps(values, separators=(',', ':'))}" for name, values in rows.items())
pathlib.Path(__file__).with_name("talib.json").write_text("{" + text + "}\n")
